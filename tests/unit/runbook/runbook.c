/* SPDX-License-Identifier: MIT */
/* Every class of error, with its place; and what a sound runbook becomes. */
#include <criterion/criterion.h>
#include <errno.h>
#include <string.h>
#include <time.h>

#include "runbook.h"

/* A promise of the program as it is shipped; other builds are slower. */
#if defined(__OPTIMIZE__) && !defined(__SANITIZE_ADDRESS__)
#define BOMB_SECONDS 0.1
#else
#define BOMB_SECONDS 5.0
#endif

#define HEAD "coldswap: 1\nname: r\n"
#define STEP "steps:\n  - id: a\n    use: net.link\n"

static char *errors_of(const char *text)
{
	CLEANUP(diagnostics_done) struct diagnostics diags = { 0 };
	CLEANUP(cleanup_runbook) struct runbook *runbook = NULL;
	AUTO_BUF ret = BUF_INIT;
	int r = runbook_parse(text, strlen(text), "f", &runbook, &diags, NULL);

	cr_assert_eq(r, diagnostics_any(&diags) ? -EINVAL : 0);
	cr_assert_eq(!runbook, r < 0);
	diagnostics_print(&diags, &ret);
	return buf_take(&ret);
}

/* All the errors, exactly. */
static void check(const char *text, const char *expected)
{
	AUTO_FREE char *errors = errors_of(text);

	cr_expect_str_eq(errors, expected, "%s\n--- gives\n%s--- not\n%s", text, errors, expected);
}

/* One error that begins so. */
static void begins(const char *text, const char *expected)
{
	AUTO_FREE char *errors = errors_of(text);
	const char *end = strchr(errors, '\n');

	cr_expect(!strncmp(errors, expected, strlen(expected)), "%s\n--- gives\n%s--- not\n%s",
		  text, errors, expected);
	cr_expect(end && !end[1], "one error, not\n%s", errors);
}

Test(runbook, sound)
{
	const char *text = HEAD "title: T\n"
				"vars:\n"
				"  up: {type: disk, help: \"the one\"}\n"
				"  to: {type: path, default: /srv}\n"
				"work:\n"
				"  - exchange: [\"${up}\", B]\n"
				"  - move: {disk: C, to: port 3 of 0000:00:1f.2}\n"
				"  - replace: {old: D, new: E}\n"
				"steps:\n"
				"  - id: a\n"
				"    use: unit.state\n"
				"    with: {units: [k3s.service, no], state: yes}\n"
				"    title: services\n"
				"    timeout: 5min\n"
				"    on_warn: ask\n";
	CLEANUP(diagnostics_done) struct diagnostics diags = { 0 };
	CLEANUP(cleanup_runbook) struct runbook *runbook = NULL;
	const struct runbook_step *step;

	cr_assert_eq(runbook_parse(text, strlen(text), "f", &runbook, &diags, NULL), 0);
	cr_expect_str_eq(runbook->name, "r");
	cr_expect_str_eq(runbook->title, "T");
	cr_expect_eq(strlen(runbook->sha256), 64);
	cr_assert_eq(runbook->n_vars, 2);
	cr_expect_eq(runbook->vars[0].type, VAR_DISK);
	cr_expect_null(runbook->vars[0].fallback);
	cr_expect_str_eq(runbook->vars[1].fallback, "/srv");
	cr_assert_eq(runbook->n_work, 3);
	cr_expect(runbook->work_given);
	cr_expect_str_eq(runbook->work[0].disk, "${up}");
	cr_expect_str_eq(runbook->work[1].to, "port 3 of 0000:00:1f.2");
	cr_expect_eq(runbook->work[2].word, WORK_WORD_REPLACE);
	cr_expect_eq(runbook->work[2].at.line, 10);
	cr_assert_eq(runbook->n_steps, 1);
	step = runbook->steps;
	cr_expect_str_eq(step->kind->name, "unit.state");
	cr_expect_eq(step->on_warn, ON_WARN_ASK);
	cr_expect_str_eq(step->timeout, "5min");
	cr_assert_eq(step->n_params, 2);
	cr_expect_str_eq(step->params[0].value.items[1], "no", "no is a text where one is asked");
	cr_expect_eq(step->params[0].value.places[1].column, 33);
	cr_expect_str_eq(step->params[1].value.items[0], "yes");
}

Test(runbook, top_level)
{
	check("- a\n", "f:1:1: a runbook: a mapping is asked for here, not a list\n");
	check("name: r\n", "f:1:1: a runbook: the key 'coldswap' is missing\n"
			   "f:1:1: a runbook: the key 'steps' is missing\n");
	check("coldswap: 2\nname: r\n" STEP,
	      "f:1:11: coldswap: the runbook is of format '2'; this coldswap reads format 1\n");
	check("coldswap: 1\nname: A b\n" STEP,
	      "f:2:7: name: 'A b' is not a word of a-z, 0-9 and '-', 63 at most\n");
	check(HEAD "tilte: x\n" STEP,
	      "f:3:1: unknown key of a runbook 'tilte'; did you mean 'title'? Allowed: coldswap, "
	      "name, title, vars, work, steps\n");
	check(HEAD "title:\n" STEP, "f:3:7: title: the value is missing\n");
	check(HEAD "steps: []\n", "f:3:8: steps: the list is empty\n");
	check(HEAD "steps: 5\n", "f:3:8: steps: a list is asked for here, not a text\n");
}

Test(runbook, vars)
{
	begins(HEAD "vars:\n  a: {type: dsk}\n" STEP,
	       "f:4:13: unknown type 'dsk'; did you mean 'disk'? Allowed: string, bool, int, size, "
	       "duration, path, disk\n");
	check(HEAD "vars:\n  a: {help: x}\n" STEP,
	      "f:4:6: a variable: the key 'type' is missing\n");
	check(HEAD "vars:\n  a: {type: path, default: srv}\n" STEP,
	      "f:4:28: default: 'srv' is not an absolute path\n");
	check(HEAD "vars:\n  a: {type: bool, default: yes}\n" STEP,
	      "f:4:28: default: 'yes' is neither 'true' nor 'false'\n");
	check(HEAD "vars:\n  a: {type: string, default: \"${b}\"}\n" STEP,
	      "f:4:30: default: a variable cannot refer to another\n");
	check(HEAD "vars:\n  A-b: {type: string}\n" STEP,
	      "f:4:3: the name of a variable, 'A-b', is not a word of a-z, 0-9 and '_', 63 at "
	      "most\n");
	begins(HEAD "vars:\n  a: {type: string, defualt: x}\n" STEP,
	       "f:4:21: unknown key of a variable 'defualt'; did you mean 'default'?");
}

Test(runbook, work)
{
	check(HEAD "work: []\n" STEP,
	      "f:3:7: work: the list is empty; 'power-cycle: true' is the least\n");
	check(HEAD "work:\n  - exchange: [A]\n" STEP,
	      "f:4:15: exchange: two disks trade ports, and 1 are named; use [DISK, DISK]\n");
	check(HEAD "work:\n  - move: {disk: A}\n" STEP, "f:4:11: move: the key 'to' is missing\n");
	check(HEAD "work:\n  - power-cycle: false\n" STEP,
	      "f:4:18: power-cycle: only 'true' has a meaning; leave the line out\n");
	check(HEAD "work:\n  - power-cycle: true\n  - remove: A\n" STEP,
	      "f:4:5: power-cycle: stands alone; all other work has its own\n");
	begins(HEAD "work:\n  - exchnage: [A, B]\n" STEP,
	       "f:4:5: unknown key of work 'exchnage'; did you mean 'exchange'?");
	begins(HEAD "work:\n  - remove: \"${up}\"\n" STEP, "f:4:13: unknown variable 'up'");
	begins(HEAD "work:\n  - remove: \"${a.x}\"\n" STEP,
	       "f:4:13: the work is planned before any step runs");
	check(HEAD "work:\n  - remove: A\n    recable: B\n" STEP,
	      "f:4:5: work: one operation for each '-', such as 'exchange: [DISK, DISK]'\n");
}

Test(runbook, steps)
{
	check(HEAD "steps:\n  - use: net.link\n", "f:4:5: a step: the key 'id' is missing\n");
	check(HEAD "steps:\n  - id: a\n", "f:4:5: a step: the key 'use' is missing\n");
	check(HEAD "steps:\n  - id: A_b\n    use: net.link\n",
	      "f:4:9: id: 'A_b' is not a word of a-z, 0-9 and '-', 63 at most\n");
	check(HEAD STEP "  - id: a\n    use: net.link\n",
	      "f:6:9: id: 'a' is already the step on line 4; ids are unique\n");
	begins(HEAD "steps:\n  - id: a\n    use: net.lnk\n",
	       "f:5:10: unknown kind 'net.lnk'; did you mean 'net.link'? Allowed: ");
	begins(HEAD STEP "    whith: {}\n",
	       "f:6:5: unknown key of a step 'whith'; did you mean 'with'? Allowed: id, use, with, "
	       "title, when, on_warn, timeout, keep\n");
	check(HEAD STEP "    on_warn: aks\n",
	      "f:6:14: unknown value of on_warn 'aks'; did you mean 'ask'? Allowed: continue, "
	      "ask\n");
	begins(HEAD STEP "    timeout: soon\n", "f:6:14: timeout: 'soon' is not a duration");
	check(HEAD STEP "    keep: true\n",
	      "f:6:11: keep: only an action changes what could be kept; net.link is a check\n");
	check(HEAD STEP "    keep: yes\n",
	      "f:6:11: keep: 'yes' is neither 'true' nor 'false'\n"
	      "f:6:11: keep: only an action changes what could be kept; net.link is a check\n");
}

Test(runbook, params)
{
	begins(HEAD STEP "    with: {interface: [a]}\n",
	       "f:6:12: unknown parameter 'interface'; did you mean 'interfaces'? Allowed: "
	       "interfaces, at_least\n");
	check(HEAD STEP "    with: {interfaces: eth0}\n",
	      "f:6:24: interfaces: a list is asked for: [eth0]; its items are of type string\n");
	check(HEAD STEP "    with: {interfaces: []}\n",
	      "f:6:24: interfaces: the list is empty; leave the parameter out, or name one\n");
	check(HEAD STEP "    with: {interfaces: [[a]]}\n",
	      "f:6:25: interfaces: a text is asked for here, not a list\n");
	check(HEAD STEP "    with: {at_least: fast}\n",
	      "f:6:22: at_least: 'fast' is not a whole number\n");
	check(HEAD STEP "    with:\n      at_least:\n",
	      "f:7:16: at_least: the value is missing; \"\" is the empty text\n");
	check(HEAD STEP "    with: [a]\n",
	      "f:6:11: with: a mapping is asked for here, not a list\n");
	check(HEAD "vars:\n  a: {type: path}\n" STEP "    with: {at_least: \"${a}\"}\n",
	      "f:8:22: at_least: the variable 'a' is of type path; int is asked for\n");
	check(HEAD "vars:\n  a: {type: int}\n" STEP "    with: {at_least: \"${a}\"}\n", "");
	check(HEAD "vars:\n  a: {type: string}\n" STEP "    with: {at_least: \"1${a}\"}\n", "");
}

Test(runbook, references)
{
	begins(HEAD "vars:\n  down: {type: string}\n" STEP
		    "    with: {interfaces: [\"${dwon}\"]}\n",
	       "f:8:25: unknown variable 'dwon'; did you mean 'down'? Allowed: down\n");
	begins(HEAD STEP "    with: {interfaces: [\"${b.x}\"]}\n", "f:6:25: unknown step 'b'");
	check(HEAD STEP "    with: {interfaces: [\"${a.x}\"]}\n",
	      "f:6:25: 'a' does not stand before this step: only outputs of earlier steps are "
	      "known\n");
	check(HEAD STEP "    with: {interfaces: [\"${b.x}\"]}\n"
			"  - id: b\n    use: net.link\n",
	      "f:6:25: 'b' does not stand before this step: only outputs of earlier steps are "
	      "known\n");
	begins(HEAD STEP "  - id: b\n    use: net.link\n    with: {interfaces: [\"${a.none}\"]}\n",
	       "f:8:25: ");
	begins(HEAD STEP "    with: {interfaces: [\"${up\"]}\n", "f:6:25: '${' begins a reference");
	begins(HEAD STEP "    with: {interfaces: [\"${}\"]}\n", "f:6:25: '${' begins a reference");
	check(HEAD STEP "    with: {interfaces: [\"$${up} $x $\"]}\n", "");
}

Test(runbook, conditions)
{
	begins(HEAD STEP "    when: efl\n", "f:6:11: unknown fact 'efl'; did you mean 'efi'?");
	check(HEAD STEP "    when: efi\n", "");
	check(HEAD STEP "    when: not efi\n", "");
	begins(HEAD STEP "    when: not  efi\n", "f:6:11: when: 'not  efi' is neither a fact nor");
	begins(HEAD STEP "    when: a b\n", "f:6:11: when: 'a b' is neither a fact nor");
	begins(HEAD STEP "    when: a.\n", "f:6:11: when: 'a.' is neither a fact nor");
	begins(HEAD STEP "    when: x.y\n", "f:6:11: unknown step 'x'");
	begins(HEAD STEP "    when: a.y\n", "f:6:11: 'a' does not stand before this step");
}

Test(runbook, all_errors_of_a_file)
{
	check("coldswap: 2\nname: r\nbogus: 1\nvars:\n  a: {type: flag}\nsteps:\n  - id: a\n    "
	      "use: net.link\n    with: {zzzz: 1}\n  - id: a\n    use: net.link\n    with: "
	      "{at_least: "
	      "x}\n",
	      "f:1:11: coldswap: the runbook is of format '2'; this coldswap reads format 1\n"
	      "f:3:1: unknown key of a runbook 'bogus'; allowed: coldswap, name, title, vars, "
	      "work, "
	      "steps\n"
	      "f:5:13: unknown type 'flag'; allowed: string, bool, int, size, duration, path, "
	      "disk\n"
	      "f:9:12: unknown parameter 'zzzz'; allowed: interfaces, at_least\n"
	      "f:10:9: id: 'a' is already the step on line 7; ids are unique\n"
	      "f:12:22: at_least: 'x' is not a whole number\n");
}

Test(runbook, strict_errors_do_not_hide_the_others)
{
	check("coldswap: 1\nname: &x r\ntitle: *x\nsteps:\n  - id: a\n    use: net.link\n    "
	      "keep: maybe\n    id: b\n",
	      "f:2:7: anchors ('&x') are not allowed\n"
	      "f:3:8: aliases ('*x') are not allowed; write the value out\n"
	      "f:7:11: keep: 'maybe' is neither 'true' nor 'false'\n"
	      "f:7:11: keep: only an action changes what could be kept; net.link is a check\n"
	      "f:8:5: key 'id' is given twice; it first stands on line 5\n");
}

Test(runbook, errors_end_after_a_hundred)
{
	AUTO_BUF text = BUF_INIT;
	AUTO_FREE char *errors = NULL;
	size_t n = 0;

	buf_adds(&text, HEAD "steps:\n");
	for (int i = 0; i < 200; i++)
		buf_adds(&text, "  - 5\n");
	errors = errors_of(text.data);
	for (const char *c = errors; *c; c++)
		n += *c == '\n';
	cr_expect_eq(n, 101);
	cr_expect(strstr(errors, "Only the first 100 errors are shown.\n"));
}

/* `n` times the pattern, '%' its number, between two texts. */
static void bomb(const char *start, const char *pattern, int n, const char *end)
{
	AUTO_BUF text = BUF_INIT;
	AUTO_FREE char *errors = NULL;
	clock_t began = clock();
	double took;

	buf_adds(&text, start);
	for (int i = 0; i < n; i++)
		for (const char *c = pattern; *c; c++)
			*c == '%' ? buf_addf(&text, "%d", i) : buf_addc(&text, *c);
	buf_adds(&text, end);
	errors = errors_of(text.data);
	took = (double)(clock() - began) / CLOCKS_PER_SEC;
	cr_expect_lt(took, BOMB_SECONDS, "%s takes %.3f s", pattern, took);
}

Test(runbook, bombs_cost_nothing)
{
	bomb(HEAD "steps:\n", "  - {id: s%, use: net.link, wiht: {}, k%: 1}\n", 1600, "");
	bomb(HEAD "steps:\n", "  - {id: s%, use: net.link, when: t%.x}\n", 1800, "");
	bomb(HEAD STEP "    with:\n      interfaces:\n", "        - x%\n", 16000, "");
	bomb(HEAD STEP "    with: {interfaces: [\"", "${a}", 60000, "\"]}\n");
	bomb(HEAD "vars:\n", "  v%: {type: int, default: %}\n", 2700, STEP);
}

Test(runbook, builtin_audit_is_sound)
{
	CLEANUP(diagnostics_done) struct diagnostics diags = { 0 };
	CLEANUP(cleanup_runbook) struct runbook *runbook = NULL;
	AUTO_BUF text = BUF_INIT;

	runbook_builtin(BUILTIN_AUDIT, &runbook, &diags, NULL);
	diagnostics_print(&diags, &text);
	cr_assert(runbook, "%s", buf_text(&text));
	cr_expect_str_eq(runbook->name, "audit");
	cr_expect_eq(runbook->n_vars, 0, "an audit without arguments needs no variables");
	cr_expect_not(runbook->work_given);
}
