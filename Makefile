# coldswap - build, test, install.  GNU make; `make help` lists the targets.
BUILD    ?= build
CC       := $(if $(filter default undefined,$(origin CC)),gcc,$(CC))
CLANG    ?= clang-14
PREFIX   ?= /usr/local
TIME     ?= 60
JOBS     ?= $(shell nproc 2>/dev/null || echo 2)
PACKAGES := mount blkid yaml-0.1 jansson libsystemd libcrypto efiboot efivar sqlite3

# A bare system has no pkg-config yet; `make run` and `make test` install it and call make again.
PKG_CFLAGS := $(shell pkg-config --cflags $(PACKAGES) 2>/dev/null)
PKG_LIBS   := $(shell pkg-config --libs $(PACKAGES) 2>/dev/null)

WERROR   ?= -Werror
WARNINGS := -Wall -Wextra $(WERROR) -Wshadow -Wstrict-prototypes -Wmissing-prototypes \
            -Wpointer-arith -Wwrite-strings -Wundef -Wvla -Wformat=2 -Wcast-qual \
            -Wimplicit-fallthrough -Wold-style-definition
CFLAGS   ?= -O2 -g
HARDEN   ?= -D_FORTIFY_SOURCE=2 -fstack-protector-strong -fPIE
CPPFLAGS_ALL = -D_GNU_SOURCE -Iinclude -Isrc -I$(BUILD)/gen -DLOCALEDIR='"$(PREFIX)/share/locale"' \
    -DRUNBOOKDIR='"$(PREFIX)/share/coldswap/runbooks"' $(CPPFLAGS)
CFLAGS_ALL   = -std=gnu17 $(CFLAGS) $(HARDEN) $(WARNINGS) $(PKG_CFLAGS)
LDLIBS_ALL   = $(PKG_LIBS) $(LDLIBS)
SANITIZE     = -fsanitize=address,undefined -fno-sanitize-recover=all -fno-omit-frame-pointer

# make V=1 shows the commands whole.
Q   := $(if $(V),,@)
say  = $(if $(V)$(findstring s,$(firstword -$(MAKEFLAGS))),,@printf '  %-6s %s\n' $(1))

# One job a core, unless -j says otherwise; clean never beside anything.
MAKEFLAGS += --no-print-directory
ifneq ($(filter clean,$(MAKECMDGOALS)),)
.NOTPARALLEL:
else ifeq ($(MAKELEVEL),0)
MAKEFLAGS += -j$(JOBS)
endif

SOURCES  := $(filter-out src/main.c,$(wildcard src/*/*.c))
OBJECTS  := $(SOURCES:%.c=$(BUILD)/obj/%.o)
PROGRAM  := $(BUILD)/coldswap
LIBRARY  := $(BUILD)/libcoldswap.a
# What a fuzz target can reach.
FUZZED   := $(BUILD)/libfuzzed.a
READERS  := $(filter-out src/cli/%,$(SOURCES))
UNITS    := $(patsubst tests/unit/%.c,$(BUILD)/unit/%,$(wildcard tests/unit/*/*.c))
HOLDERS  := $(BUILD)/holders/holder $(BUILD)/holders/probe
TARGETS  := $(patsubst tests/fuzz/%.c,%,$(wildcard tests/fuzz/fuzz_*.c))
MANUALS  := $(wildcard docs/*.5 docs/*.8) $(patsubst docs/%.in,$(BUILD)/man/%,$(wildcard docs/*.[58].in))
CATALOGS := $(patsubst src/po/%.po,$(BUILD)/locale/%/LC_MESSAGES/coldswap.mo,$(wildcard src/po/*.po))

.PHONY: test-real crash nightly all manuals docs run test check units lint format asan coverage deps install clean fuzz fuzzers \
        replayers bench pot generated help rehearsal rehearsal-ci rehearsal-all rehearsal-image
.DELETE_ON_ERROR:

all: $(PROGRAM) $(CATALOGS) manuals

manuals: $(MANUALS)

# Committed, so that it can be read without a build; a lint compares it.
docs: $(BUILD)/kindtable
	$(Q)$< markdown >docs/kinds.md

help:
	@echo 'make            build $(BUILD)/coldswap'
	@echo 'make run        install what the build needs, build, audit the captured home server'
	@echo 'make test       install what the tests need, build, run all tests'
	@echo 'make check      run all tests, installing nothing'
	@echo 'make lint       check layers, style, warnings and manual pages (installs its tools)'
	@echo 'make format     lay out all sources with clang-format'
	@echo 'make docs       write docs/kinds.md from the rows of the kinds'
	@echo 'make pot        collect the sentences to translate'
	@echo 'make asan       run the tests under AddressSanitizer and UBSan'
	@echo 'make coverage   run the tests, report line coverage in $(BUILD)/coverage'
	@echo 'make fuzz       run each fuzz target for TIME=$(TIME) seconds'
	@echo 'make crash      kill, fail and hang up a session at a sample of its points'
	@echo 'make nightly    at all points, every fault of the virtual machine, each fuzz target for ten minutes'
	@echo 'make test-real  copy and restore the store of OpenBao, which is fetched into a cache outside the tree'
	@echo 'make bench      measure a whole audit, how it grows with the machine, the proof and the copy'
	@echo 'make rehearsal  a whole session on a virtual machine; FAULT=NAME, rehearsal-ci, rehearsal-all: its faults'
	@echo 'make deps       install everything that any target needs'
	@echo 'make install    PREFIX=$(PREFIX) DESTDIR=$(DESTDIR)'
	@echo 'make clean      remove $(BUILD)'

# ---- the two commands of README.md: each installs what it needs, then calls make again ----------
run:
	@.ci/deps build
	@$(MAKE) all
	@echo '$$ $(PROGRAM) audit --root examples/homeserver'
	@$(PROGRAM) audit --root examples/homeserver; code=$$?; \
	echo; echo 'To audit this machine:  sudo $(PROGRAM) audit'; exit $$code

test:
	@.ci/deps build test
	@$(MAKE) check

deps:
	@.ci/deps build test lint

# ---- build --------------------------------------------------------------------------------------
$(PROGRAM): $(BUILD)/obj/src/main.o $(LIBRARY)
	$(call say,LINK $@)
	$(Q)$(CC) -pie -Wl,-z,relro,-z,now $(CFLAGS) $(LDFLAGS) -o $@ $^ $(LDLIBS_ALL)

$(LIBRARY): $(OBJECTS)
	$(call say,AR $@)
	$(Q)rm -f $@ && $(AR) rcs $@ $^

$(FUZZED): $(READERS:%.c=$(BUILD)/obj/%.o)
	$(call say,AR $@)
	$(Q)rm -f $@ && $(AR) rcs $@ $^

$(BUILD)/obj/%.o: %.c | $(BUILD)/.gitignore
	@mkdir -p $(@D)
	$(call say,CC $<)
	$(Q)$(CC) $(CPPFLAGS_ALL) $(CFLAGS_ALL) -MMD -MP -MT $@ -c -o $@ $<

$(BUILD)/.gitignore:
	@mkdir -p $(BUILD) && echo '*' > $@

# The built-in runbooks are a part of the program, byte for byte.
$(BUILD)/gen/%_yaml.h: runbooks/%.yaml | $(BUILD)/.gitignore
	@mkdir -p $(@D)
	$(Q)od -An -v -tx1 $< | sed 's/ \(..\)/0x\1,/g' > $@

GENERATED := $(BUILD)/gen/audit_yaml.h $(BUILD)/gen/post-reboot_yaml.h
generated: $(GENERATED)

$(BUILD)/obj/src/runbook/builtin.o: $(GENERATED)

# The kinds in the manual come from their own rows.
$(BUILD)/kindtable: docs/kindtable.c $(LIBRARY)
	$(call say,LINK $@)
	$(Q)$(CC) -pie $(CPPFLAGS_ALL) $(CFLAGS_ALL) $(LDFLAGS) -o $@ $< $(LIBRARY) $(LDLIBS_ALL)

# So do its verbs and options.
$(BUILD)/verbtable: docs/verbtable.c $(LIBRARY)
	$(call say,LINK $@)
	$(Q)$(CC) -pie $(CPPFLAGS_ALL) $(CFLAGS_ALL) $(LDFLAGS) -o $@ $< $(LIBRARY) $(LDLIBS_ALL)

$(BUILD)/man/%: docs/%.in $(BUILD)/kindtable $(BUILD)/verbtable
	@mkdir -p $(@D)
	$(call say,MAN $@)
	$(Q)$(BUILD)/kindtable mdoc >$@.kinds
	$(Q)for table in verbs options kinds; do $(BUILD)/verbtable $$table >$@.$$table.list || exit; done
	$(Q)sed -e '/^@KINDS@$$/{r $@.kinds' -e 'd;}' -e '/^@VERBS@$$/{r $@.verbs.list' -e 'd;}' \
		-e '/^@OPTIONS@$$/{r $@.options.list' -e 'd;}' \
		-e '/^@KINDLIST@$$/{r $@.kinds.list' -e 'd;}' $< >$@
	@rm $@.kinds $@.*.list

$(BUILD)/locale/%/LC_MESSAGES/coldswap.mo: src/po/%.po
	@mkdir -p $(@D)
	$(call say,MSGFMT $<)
	$(Q)msgfmt --check-format -o $@ $<

# ---- tests --------------------------------------------------------------------------------------
# One Criterion program for each file of tests/unit.
$(BUILD)/unit/%: tests/unit/%.c $(LIBRARY)
	@mkdir -p $(@D)
	$(call say,TEST $<)
	$(Q)$(CC) $(CPPFLAGS_ALL) -Itests/unit $(CFLAGS_ALL) -MMD -MP -MT $@ -MF $(BUILD)/unit/$(subst /,-,$*).d -o $@ $< $(LIBRARY) $(LDFLAGS) $(LDLIBS_ALL) -lcriterion

units: $(UNITS)

check: $(PROGRAM) $(CATALOGS) manuals $(UNITS) $(BUILD)/fake $(BUILD)/fakeprobe $(BUILD)/journalprobe $(BUILD)/events $(BUILD)/dbprobe $(BUILD)/copyprobe $(HOLDERS) replayers
	@BUILD=$(BUILD) .ci/test

# A scripted systemd and logind, which tests/fake/with runs a command beside.
$(BUILD)/fake: $(wildcard tests/fake/*.[ch]) | $(BUILD)/.gitignore
	$(call say,TEST $@)
	$(Q)$(CC) -D_GNU_SOURCE $(CFLAGS_ALL) -o $@ $(filter %.c,$^) $(LDFLAGS) $(shell pkg-config --libs libsystemd)

# The journal's calls: what tests/journal/run interrupts.
$(BUILD)/journalprobe: tests/journal/probe/probe.c $(LIBRARY)
	@mkdir -p $(@D)
	$(call say,TEST $<)
	$(Q)$(CC) $(CPPFLAGS_ALL) $(CFLAGS_ALL) -o $@ $< $(LIBRARY) $(LDFLAGS) $(LDLIBS_ALL)

# One call of src/sys a command: what tests/fake/run compares.
$(BUILD)/fakeprobe: tests/fake/probe/probe.c $(LIBRARY)
	$(call say,TEST $@)
	$(Q)$(CC) $(CPPFLAGS_ALL) $(CFLAGS_ALL) -o $@ $^ $(LDFLAGS) $(LDLIBS_ALL)

# What src/probe reads of the files of databases: for tests/databases/run.
$(BUILD)/dbprobe: tests/databases/dbprobe.c $(LIBRARY)
	$(call say,TEST $@)
	$(Q)$(CC) $(CPPFLAGS_ALL) $(CFLAGS_ALL) -o $@ $^ $(LDFLAGS) $(LDLIBS_ALL)

# Puts events into a journal, for tests/session/run.
$(BUILD)/events: tests/session/events.c $(LIBRARY)
	$(call say,TEST $@)
	$(Q)$(CC) $(CPPFLAGS_ALL) $(CFLAGS_ALL) -o $@ $^ $(LDFLAGS) $(LDLIBS_ALL)

# What tests/holders/run holds files with, and asks about them.
$(HOLDERS): $(BUILD)/holders/%: tests/holders/%.c $(LIBRARY)
	@mkdir -p $(@D)
	$(call say,TEST $<)
	$(Q)$(CC) $(CPPFLAGS_ALL) $(CFLAGS_ALL) -o $@ $< $(LIBRARY) $(LDFLAGS) $(LDLIBS_ALL)

# What tests/bench/proof measures.
$(BUILD)/bench/proof: tests/bench/proof.c $(LIBRARY)
	@mkdir -p $(@D)
	$(call say,TEST $<)
	$(Q)$(CC) $(CPPFLAGS_ALL) $(CFLAGS_ALL) -o $@ $< $(LIBRARY) $(LDFLAGS) $(LDLIBS_ALL)

# A cold copy and what is asked of one: what tests/copy/run changes, tears and kills.
$(BUILD)/copyprobe: tests/copy/probe/probe.c $(LIBRARY)
	$(call say,TEST $<)
	$(Q)$(CC) $(CPPFLAGS_ALL) $(CFLAGS_ALL) -o $@ $< $(LIBRARY) $(LDFLAGS) $(LDLIBS_ALL)

# The program that tests/crash kills: one kind more, which copies a file.
$(BUILD)/crash/coldswap: $(BUILD)/obj/src/main.o tests/crash/copy_kind.c src/step/kinds.c src/step/kinds.h $(LIBRARY)
	@mkdir -p $(@D)
	$(call say,TEST $@)
	$(Q)$(CC) -pie $(CPPFLAGS_ALL) -DCOLDSWAP_TEST_KIND $(CFLAGS_ALL) -o $@ $(filter %.o %.c,$^) $(LIBRARY) $(LDFLAGS) $(LDLIBS_ALL)

# Killed, failed and hung up at a sample of the points, in minutes; or at every one.
crash: $(BUILD)/crash/coldswap $(BUILD)/fake
	@BUILD=$(BUILD) tests/crash/matrix --budget 400

# What takes too long for .ci/run: one leg after the other, each to its end.
nightly: $(BUILD)/crash/coldswap $(BUILD)/fake $(BUILD)/copyprobe
	@failed=0; \
	BUILD=$(BUILD) tests/crash/matrix || failed=1; \
	BUILD=$(BUILD) STEP=20 tests/copy/run 1000 || failed=1; \
	$(MAKE) BUILD=$(BUILD) rehearsal-all || failed=1; \
	$(MAKE) BUILD=$(BUILD) TIME=600 fuzz || failed=1; \
	exit $$failed

# The corpora are replayed by programs with sanitizers, which need objects of their own.
replayers:
	@+$(if $(filter %/asan,$(BUILD)),:,$(MAKE) BUILD=$(BUILD)/asan CFLAGS='-O1 -g $(SANITIZE)' HARDEN= WERROR= replayers)
ifneq ($(filter %/asan,$(BUILD)),)
replayers: $(TARGETS:%=$(BUILD)/replay/%)
endif

$(BUILD)/replay/%: tests/fuzz/%.c tests/fuzz/replay.c tests/fuzz/fuzz.h $(FUZZED)
	@mkdir -p $(@D)
	$(call say,TEST $<)
	$(Q)$(CC) $(CPPFLAGS_ALL) -Itests/fuzz $(CFLAGS_ALL) -o $@ $< tests/fuzz/replay.c $(FUZZED) $(LDFLAGS) $(LDLIBS_ALL)

asan:
	@.ci/deps build test
	@$(MAKE) BUILD=$(BUILD)/asan CFLAGS='-O1 -g $(SANITIZE)' HARDEN= WERROR= check

coverage:
	@.ci/deps build test lint
	@$(MAKE) BUILD=$(BUILD)/coverage CFLAGS='-O0 -g --coverage' HARDEN= check
	gcovr --root . --filter src/ --exclude-throw-branches --print-summary \
		--html-details $(BUILD)/coverage/index.html $(BUILD)/coverage

fuzz:
	@.ci/deps build lint
	@$(MAKE) BUILD=$(BUILD)/fuzz CC=$(CLANG) HARDEN= WERROR= \
		CFLAGS='-O1 -g $(SANITIZE) -fsanitize=fuzzer-no-link' fuzzers
	@BUILD=$(BUILD)/fuzz tests/fuzz/run $(TIME)

fuzzers: $(TARGETS:%=$(BUILD)/%)

$(BUILD)/fuzz_%: tests/fuzz/fuzz_%.c tests/fuzz/fuzz.h $(FUZZED)
	$(call say,TEST $<)
	$(Q)$(CC) $(CPPFLAGS_ALL) -Itests/fuzz $(CFLAGS_ALL) -fsanitize=fuzzer -o $@ $< $(FUZZED) $(LDFLAGS) $(LDLIBS_ALL)

# A server that no package of the distribution has.
test-real: all
	@.ci/deps test real
	@BUILD=$(BUILD) tests/real/run openbao

bench: $(PROGRAM) $(BUILD)/bench/proof $(BUILD)/copyprobe
	@BUILD=$(BUILD) tests/bench/run

# Sessions on a virtual machine: tests/vm/README.md.  The guest is made once, and cached outside the tree.
rehearsal-image:
	@.ci/deps vm
	@tests/vm/image

rehearsal rehearsal-ci rehearsal-all: all
	@.ci/deps vm
	@BUILD=$(BUILD) tests/vm/rehearse $(or $(FAULT),$(patsubst rehearsal-%,%,$(@:rehearsal=rehearsal-clean)))

# ---- upkeep -------------------------------------------------------------------------------------
lint:
	@.ci/deps build test lint
	@BUILD=$(BUILD) tests/lint/run

format:
	clang-format-14 --style=file:.ci/clang-format -i $$(find src include tests -name '*.[ch]')

pot:
	.ci/pot src/po/coldswap.pot

install: all
	install -D -m 755 $(PROGRAM) $(DESTDIR)$(PREFIX)/bin/coldswap
	for page in $(MANUALS); do \
		install -D -m 644 -t $(DESTDIR)$(PREFIX)/share/man/man$${page##*.} $$page || exit; done
	install -D -m 644 -t $(DESTDIR)$(PREFIX)/share/coldswap/runbooks $(wildcard runbooks/*.yaml)
	install -D -m 644 -t $(DESTDIR)$(PREFIX)/share/coldswap docs/schema.json
	for file in $(CATALOGS:$(BUILD)/locale/%=%); do \
		install -D -m 644 $(BUILD)/locale/$$file $(DESTDIR)$(PREFIX)/share/locale/$$file || exit; done

clean:
	rm -rf $(BUILD)

-include $(wildcard $(BUILD)/obj/src/*/*.d $(BUILD)/obj/src/*.d $(BUILD)/unit/*.d)
