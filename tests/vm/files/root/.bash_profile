# The prompt carries the exit code of the command before it: that is how the driver reads it.
bind 'set enable-bracketed-paste off' 2>/dev/null
stty cols 80 rows 60 2>/dev/null
PS1='[$?]rehearsal# '
unset PROMPT_COMMAND
