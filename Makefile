# coldswap - build, test, install.  GNU make; see README.md.
BUILD    ?= build
CC       ?= gcc
PREFIX   ?= /usr/local
PACKAGES := libmount blkid yaml-0.1 jansson libsystemd libcrypto

WARNINGS := -Wall -Wextra -Werror -Wshadow -Wstrict-prototypes -Wmissing-prototypes \
            -Wpointer-arith -Wwrite-strings -Wundef -Wvla -Wformat=2 -Wcast-qual \
            -Wimplicit-fallthrough -Wold-style-definition
CFLAGS   ?= -O2 -g
HARDEN   := -D_FORTIFY_SOURCE=2 -fstack-protector-strong -fPIE
CPPFLAGS_ALL = -D_GNU_SOURCE -Iinclude -Isrc -I$(BUILD)/gen $(CPPFLAGS)
CFLAGS_ALL   = -std=gnu17 $(CFLAGS) $(HARDEN) $(WARNINGS) $(shell pkg-config --cflags $(PACKAGES))
LDLIBS_ALL   = $(shell pkg-config --libs $(PACKAGES)) $(LDLIBS)

SOURCES  := $(filter-out src/main.c,$(wildcard src/*/*.c))
OBJECTS  := $(SOURCES:%.c=$(BUILD)/obj/%.o)

.PHONY: all clean
all: $(BUILD)/coldswap

$(BUILD)/coldswap: $(BUILD)/obj/src/main.o $(BUILD)/libcoldswap.a
	$(CC) -pie -Wl,-z,relro,-z,now $(LDFLAGS) -o $@ $^ $(LDLIBS_ALL)

$(BUILD)/libcoldswap.a: $(OBJECTS)
	rm -f $@ && $(AR) rcs $@ $^

$(BUILD)/obj/%.o: %.c | $(BUILD)/.gitignore
	@mkdir -p $(@D)
	$(CC) $(CPPFLAGS_ALL) $(CFLAGS_ALL) -MMD -MP -c -o $@ $<

$(BUILD)/.gitignore:
	@mkdir -p $(BUILD) && echo '*' > $@

# One Criterion program for each file of tests/unit.
$(BUILD)/unit/%: tests/unit/%.c $(BUILD)/libcoldswap.a
	@mkdir -p $(@D)
	$(CC) $(CPPFLAGS_ALL) $(CFLAGS_ALL) -MMD -MP -MF $(BUILD)/unit/$(subst /,-,$*).d -o $@ $< $(BUILD)/libcoldswap.a $(LDLIBS_ALL) -lcriterion

clean:
	rm -rf $(BUILD)

-include $(wildcard $(BUILD)/obj/src/*/*.d $(BUILD)/obj/src/*.d $(BUILD)/unit/*.d)
