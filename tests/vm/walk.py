# SPDX-License-Identifier: MIT
"""
An operator at the console: types a command of coldswap, reads its questions, answers them.

A question ends in "[STEP N/M] Type WORD, OTHER or q to stop: " at the start of a line; that line alone is read, never
the sentences around it.
"""
from guest import PROMPT

QUESTION = r"(?m)^\[([\w.-]+) (\d+)/(\d+)\] Type ([^\n]*?),? or q(?: to stop)?: $"
# Longer than any step of a rehearsal, on a machine that does other work too.
LIMIT = 300


class Question:
    def __init__(self, match):
        self.step = match.group(1)
        self.number = int(match.group(2))
        self.of = int(match.group(3))
        self.words = [word.strip() for word in match.group(4).split(",")]

    def __repr__(self):
        return f"{self.step} {self.number}/{self.of} {self.words}"


class Walk:
    """
    One command at the console, up to its end.

    `answers` maps a word that is offered, or "STEP:" for whatever a step asks, to what is typed; any other question
    gets the first word that it offers.  A word of `hold` stops the walk at the question that offers it: it is left
    unanswered, and `held` tells it; so does text that matches `until`.  `code` is None when the machine went off instead of ending the command.
    """

    def __init__(self, guest, command, answers=None, hold=(), until=None, limit=LIMIT):
        self.guest = guest
        self.answers = answers or {}
        self.hold = hold
        self.until = until
        self.limit = limit
        self.asked = []
        self.shown = ""
        self.held = None
        self.code = None
        guest.console.drain()
        guest.console.type(command + "\n")
        guest.console.expect(r"\n", limit=120)  # its echo
        self.go()

    def go(self):
        """On from where the walk stands."""
        self.held = None
        while True:
            try:
                patterns = (QUESTION, PROMPT) + ((self.until,) if self.until else ())
                which, match, before = self.guest.console.expect(*patterns, limit=self.limit)
            except EOFError:
                self.guest.wait_off(60)
                return
            self.shown += before + match.group(0)
            if which == 1:
                self.code = int(match.group(1))
                return
            if which == 2:
                self.held = match.group(0)
                return
            question = Question(match)
            self.asked.append(question)
            if len(self.asked) > 60:
                raise RuntimeError(f"asked without end: {self.asked[-3:]}")
            if any(word in self.hold or question.step + ":" in self.hold for word in question.words):
                self.held = question
                return
            self.type(self.answer(question))

    def answer(self, question):
        if question.step + ":" in self.answers:
            return self.answers[question.step + ":"]
        for word in question.words:
            if word in self.answers:
                return self.answers[word]
        return question.words[0]

    def type(self, text):
        self.guest.console.type(text + "\n")
        # The echo of the answer ends the line of the question.
        self.shown += self.guest.console.expect(r"\n", limit=120)[2]
