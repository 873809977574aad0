#!/bin/bash
# SPDX-License-Identifier: MIT
# A silent lint is no lint: each one fails on a tree that is bad in one way,
# names the place, and is content with the tree before it was made bad.
set -u
lints=$(cd "$(dirname "$0")" && pwd)
top=$(cd "$lints/../.." && pwd)
tree=$(mktemp -d) || exit 4
trap 'rm -rf "$tree"' EXIT
failed=0

good_tree() {
	rm -rf "${tree:?}"/*
	mkdir -p "$tree"/{src/{base,sys,probe,step,cli},include,tests,docs,runbooks,.ci}
	cp "$top"/.ci/clang-format "$top"/.ci/clang-tidy "$top"/.ci/cppcheck-suppressions "$tree"/.ci/
	cp "$top"/Makefile "$tree"/
	printf '%s\n' '/* SPDX-License-Identifier: MIT */' '#ifndef GOOD_H' '#define GOOD_H' '' \
		'int good(int number);' '' '#endif' >"$tree"/src/base/good.h
	printf '%s\n' '/* SPDX-License-Identifier: MIT */' '#include "base/good.h"' '' \
		'int good(int number)' '{' '	return number + 1;' '}' >"$tree"/src/base/good.c
	printf '/* SPDX-License-Identifier: MIT */\nint main(void)\n{\n\treturn 0;\n}\n' >"$tree"/src/main.c
}

# expect LINT WHERE: the lint fails on the tree as it is, and names the place
expect() {
	local lint=$1 place=$2 output
	if output=$(cd "$tree" && BUILD=$tree/build "$lints/$lint" 2>&1); then
		echo "$lint: is content with $place"
		failed=1
	elif [[ $output != *"$place"* ]]; then
		echo "$lint: does not name $place:"
		echo "$output"
		failed=1
	fi
}

# Everything passes on the good tree, so what fails below fails for its own reason.
content() {
	local lint output
	good_tree
	for lint in layers.py hostpaths.py banned.py size.sh runbooks.py format.sh gcc.sh clang.sh state.sh cppcheck.sh \
		tidy.sh shell.sh manual.sh license.sh top.sh blanks.sh; do
		output=$(cd "$tree" && BUILD=$tree/build "$lints/$lint" 2>&1) || {
			echo "$lint: complains about a good tree:"
			echo "$output"
			failed=1
		}
	done
}

bad() {
	good_tree
	mkdir -p "$(dirname "$tree/$1")"
	cat >"$tree/$1"
}

content

bad src/base/up.c <<<'#include "probe/net.h"'
: >"$tree"/src/probe/net.h
expect layers.py 'src/base/up.c:1: src/base may not include probe/net.h'
bad src/step/up.c <<<'#include "plan.h"'
: >"$tree"/include/plan.h
expect layers.py 'src/step/up.c:1'
bad src/base/a.h <<<'#include "base/b.h"'
echo '#include "base/a.h"' >"$tree"/src/base/b.h
expect layers.py 'in a ring'
bad src/odd/a.c <<<'#include "base/good.h"'
expect layers.py 'src/odd'

bad src/probe/a.c <<<'static const char *a = "/etc/fstab";'
expect hostpaths.py 'src/probe/a.c:1'
bad src/probe/a.c <<<'int a = f(_("see /etc/fstab"), "x=/proc/mounts");'
expect hostpaths.py 'x=/proc/mounts'

for call in 'strcpy(a, b)' 'sprintf(a, "b")' 'open("a", 0)' 'fork()' 'time(NULL)' 'sd_bus_open(&b)' \
	'curl_easy_init()' 'printf("a")' 'system("a")'; do
	bad src/probe/a.c <<<"int f(void) { return $call; }"
	expect banned.py "src/probe/a.c:1: ${call%%(*}()"
done

{ echo '/* SPDX-License-Identifier: MIT */'; yes '' | head -n 400; } | bad src/base/long.c
expect size.sh 'src/base/long.c:400'
{ printf 'int f(void)\n{\n'; yes '	f();' | head -n 98; printf '}\n'; } | bad src/base/long.c
expect size.sh 'src/base/long.c:1: f()'

bad runbooks/a.yaml <<<$'\nsteps:\n  # Why.\n  - id: a\n    use: net.link'
printf '\nsteps:\n  # Why not.\n  - id: a\n    use: net.link\n' >"$tree"/runbooks/b.yaml
expect runbooks.py 'runbooks/b.yaml: the step a differs'
printf '\nsteps:\n  # Why.\n  - id: b\n    use: net.link\n' >"$tree"/runbooks/b.yaml
expect runbooks.py 'runbooks/b.yaml: its steps are not those of runbooks/a.yaml'

bad src/base/a.c <<<'int  a ;'
expect format.sh 'src/base/a.c:1'
bad src/base/a.c <<<'int f(void) { int a; return 0; }'
expect gcc.sh 'src/base/a.c:1'
expect clang.sh 'src/base/a.c:1'
bad src/base/a.c <<<'int f(void); int f(void) { static int a; return a++; }'
expect state.sh 'base/a.o: a.0'
bad src/base/a.c <<<'int f(void); int f(void) { int a[2] = { 0, 0 }; return a[2]; }'
expect cppcheck.sh 'src/base/a.c:1'
bad src/base/a.c <<<'int f(int a); int f(int a) { if (a == 0) return 1 / a; return 0; }'
expect tidy.sh 'a.c:1'

# shellcheck disable=SC2016 # the sample's own
printf '#!/bin/sh\n# SPDX-License-Identifier: MIT\nrm $1\n' | bad tests/a
chmod +x "$tree"/tests/a
expect shell.sh 'tests/a line 3'
bad docs/a.8 <<<'.Sh NAME'
expect manual.sh 'docs/a.8'
bad src/base/a.c <<<'int a;'
expect license.sh 'src/base/a.c:1'
bad notes.txt <<<'a'
expect top.sh 'notes.txt'
bad src/base/a.c <<<'int a; '
expect blanks.sh 'src/base/a.c:1'
printf 'int a;' | bad src/base/a.c
expect blanks.sh 'src/base/a.c'
exit $failed
