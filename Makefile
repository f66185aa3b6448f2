# jari - a reservation book for a small restaurant, in a box the restaurant owns.
#
# `make run` and `make test` each work alone on a fresh Debian 12 or 13: they install what is missing first.
# B chooses how things are built, each way in a directory of its own:
#   release (default, build/jari) · debug (with test switches) · asan (debug + sanitizers) · clang

B       ?= release
PORT    ?= 8080
DIR     ?= ./run
WORKERS ?= 32
BIND    ?=
PREFIX  ?= /usr/local

# An environment's CC is the builder's; make's own default is not.
ifeq ($(origin CC),default)
CC       = gcc
endif
WARN     = -Wall -Wextra -Wpedantic -Wshadow -Wconversion -Wstrict-prototypes -Wmissing-prototypes -Wvla \
           -Wformat=2 -Wundef -Wcast-qual -Wswitch-enum -Wimplicit-fallthrough -Wno-psabi
LAYERS   = core db db/import fcgi/http fcgi/net fcgi/courier fcgi/cashier fcgi/box fcgi/api fcgi/proc fcgi/cmd fcgi/rehearse
# time_t has 64 bits on every machine; where it has them anyway, the two macros change nothing.
TIME64   = -D_TIME_BITS=64 -D_FILE_OFFSET_BITS=64
HARDEN   = -fstack-protector-strong $(if $(filter release,$(B)),-fPIE,-fPIC)
# No path of this folder gets into the program: two folders make the same one.
SAME     = -ffile-prefix-map='$(CURDIR)'=.
# CPPFLAGS, CFLAGS and LDFLAGS belong to the builder (dpkg-buildflags, for instance) and come after ours.
COMPILE  = $(CC) -std=c11 -D_GNU_SOURCE $(TIME64) $(WARN) $(WERROR) $(LAYERS:%=-I%) -Itests/support -Itests/fuzz $(MODE) \
           $(HARDEN) $(SAME) $(CPPFLAGS) $(CFLAGS)
LINK     = $(CC) $(filter -fPIE,$(HARDEN)) -pie -Wl,-z,relro,-z,now $(SANITIZE) $(CFLAGS) $(LDFLAGS)
LDLIBS   = -lfcgi -ljson-c -lsqlite3 -lsodium -lqrencode -lpthread -ldl

ifeq ($(B),release)
O        = build
MODE     = -O2 -g $(if $(findstring _FORTIFY_SOURCE,$(CPPFLAGS) $(CFLAGS)),,-D_FORTIFY_SOURCE=2)
else ifeq ($(B),debug)
O        = build/debug
MODE     = -O1 -g -DJARI_TESTING
else ifeq ($(B),asan)
O        = build/asan
SANITIZE = -fsanitize=address,undefined
MODE     = -O1 -g -DJARI_TESTING $(SANITIZE) -fno-sanitize-recover=all -fno-omit-frame-pointer
else ifeq ($(B),clang)
O        = build/clang
CC       = clang
MODE     = -O2 -g -DJARI_TESTING
else
$(error B is release, debug, asan or clang)
endif

PKGS_RUN  = gcc libc6-dev libsqlite3-dev libfcgi-dev libjson-c-dev libsodium-dev libqrencode-dev libcurl4-openssl-dev nginx sqlite3 tzdata
PKGS_TEST = $(PKGS_RUN) git libcmocka-dev lighttpd curl msmtp openssh-client openssh-server cron faketime bsdutils clang clang-format $(NODE) $(if $(filter check_guest,$(SKIP)),,$(PKGS_BROWSER))
PKGS_BROWSER = chromium-headless-shell firefox-esr webkit2gtk-driver xvfb fonts-noto-cjk
# A machine that has npm keeps it: Debian's would drive another vendor's node out.
NODE      = $(shell command -v npm >/dev/null || echo nodejs npm)

SRC   = $(wildcard $(LAYERS:%=%/*.c))
OBJ   = $(SRC:%.c=$(O)/%.o) $(O)/db/embed.o
LIB   = $(filter-out $(O)/fcgi/cmd/main.o,$(OBJ))
ALONE = $(patsubst %.c,$(O)/%,$(wildcard tests/*/test_*.c))
WHOLE = $(patsubst %.c,$(O)/%,$(wildcard tests/*/race_*.c tests/*/kill_*.c tests/*/e2e_*.c tests/*/big_*.c))
UNIT  = $(ALONE) $(WHOLE)
HELP  = $(patsubst %.c,$(O)/%.o,$(wildcard tests/support/*.c))

.PHONY: quick quick-tests all help deps deps-test build tests taken built-release built-debug built-asan run test asan clang judged layers format bench bench-tools torture clean install uninstall test-on test-box check deb deps-deb
.SECONDARY:
all: build

help: ## this list
	@grep -hE '^[a-z-]+:.*## ' $(MAKEFILE_LIST) | sed -E 's/^([a-z-]+):.*## /  make \1\t/' | expand -t 18

# Installs the missing ones of the named packages, silently when there are none.  RUNLEVEL=1 keeps
# Debian from starting the web servers as services: jari runs its own.
define install-missing
	@missing=$$(for p in $(1); do dpkg-query -W -f='$${Status}' $$p 2>/dev/null | grep -q 'ok installed' || echo $$p; done); \
	[ -z "$$missing" ] && exit 0; \
	command -v apt-get >/dev/null || { echo "jari needs these packages, and apt-get is not here to install them:" $$missing >&2; exit 1; }; \
	as=; [ "$$(id -u)" = 0 ] || { as=sudo; command -v sudo >/dev/null || { echo "Please install as root: apt-get install" $$missing >&2; exit 1; }; }; \
	echo "installing:" $$missing; \
	$$as env RUNLEVEL=1 DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends $$missing >/dev/null 2>&1 || \
	{ $$as apt-get update -qq && $$as env RUNLEVEL=1 DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends $$missing >/dev/null; }
endef

deps: ## install what jari needs to build and run
	$(call install-missing,$(PKGS_RUN))

# An sshd that comes for the tests alone must not open the machine: Debian's unit does not start where that file is.
deps-test: ## install what the tests need as well
	@[ -e /usr/sbin/sshd ] || $$([ "$$(id -u)" = 0 ] || echo sudo) sh -c 'mkdir -p /etc/ssh && touch /etc/ssh/sshd_not_to_be_run' || true
	$(call install-missing,$(PKGS_TEST))

build: $(O)/jari ## build build/jari (B=release|debug|asan|clang)

$(O)/jari: $(O)/fcgi/cmd/main.o $(LIB)
	$(LINK) -o $@ $^ $(LDLIBS)

$(O)/%.o: %.c | $(O)/ready
	@mkdir -p $(@D)
	$(COMPILE) -MMD -MP -c -o $@ $<

$(O)/db/embed.o: db/embed.S nginx.conf.example www/guest/index.html www/pay/index.html $(wildcard db/migrations/*.sql db/import/*.sql db/*.sql) | $(O)/ready
	@mkdir -p $(@D)
	$(CC) $(CPPFLAGS) $(CFLAGS) -c -o $@ $<

# A hundred test programs share one library: to link every object into each of them took most of the time of a build.
$(O)/tests/libjari.so: $(LIB) $(HELP)
	$(filter-out -pie,$(LINK)) -shared -Wl,-soname,libjari.so -o $@ $^ $(LDLIBS) -lcmocka

$(O)/tests/%: $(O)/tests/%.o $(O)/tests/libjari.so
	$(LINK) -o $@ $^ -Wl,-rpath,'$$ORIGIN/..' $(LDLIBS) -lcmocka

# Asked once before the first file is compiled: a machine that lacks something reads what to do, not a compiler's riddle.
HEADERS = sqlite3.h fcgiapp.h json-c/json.h sodium.h qrencode.h curl/curl.h
$(O)/ready:
	@command -v $(firstword $(CC)) >/dev/null || { echo "There is no compiler ($(CC)) yet.  Run \`make deps\` first: it installs what jari needs." >&2; exit 1; }
	@for h in $(HEADERS); do \
	  echo "#include <$$h>" | $(CC) $(CPPFLAGS) $(CFLAGS) -E - >/dev/null 2>&1 || { echo "$$h is not installed yet.  Run \`make deps\` first: it installs what jari needs." >&2; exit 1; }; \
	done
	@mkdir -p $(@D) && touch $@

tests: $(UNIT)

run: deps ## install, build, start the restaurant on PORT (8080) with its state in DIR (./run)
	@$(MAKE) --no-print-directory -s build
	@exec build/jari up --demo $(if $(filter 0,$(shell id -u)),--user root) --dir '$(DIR)' --port $(PORT) --workers $(WORKERS) $(if $(BIND),--bind $(BIND))

# One make for all of them, so that no core waits for the last file of one before the next begins.
test: deps-test ## install, build, run every test; ends with "N passed, N failed"
	@$(MAKE) --no-print-directory -s -j2 built-release built-debug built-asan
	@SKIP='$(SKIP)' tests/run $(TESTS)

built-release:
	@$(MAKE) --no-print-directory -s B=release build

built-debug built-asan: built-%:
	@$(MAKE) --no-print-directory -s B=$* $(if $(filter debug,$*),build) taken WERROR=-Werror

# What `tests/run` takes from this build unless MODE says more: with sanitizers the tests of one file, from debug the rest.
taken: $(if $(filter asan,$(B)),$(ALONE),$(WHOLE))

test-on: ## run the tests in a fresh Debian: RELEASE=trixie or bookworm, ARCH=amd64 or i386; needs root and debootstrap
	$(call install-missing,debootstrap)
	@tests/on $(RELEASE) $(ARCH)

# What takes longer than the rest together: whole books made, upgraded, cut or modelled again and again.
LONG = test_admit test_backup test_batch_faults test_batch_money test_batch_waiting test_books test_import test_migrate \
       test_money_model test_pay_model test_powercut test_schema test_spill test_timeset test_walreset
QUICK = $(filter-out $(LONG:%=$(O)/tests/db/%),$(filter $(O)/tests/core/test_% $(O)/tests/db/test_% $(O)/tests/http/test_%,$(UNIT)))

quick: ## after an edit: layers and form, the short tests of core, book and HTTP with sanitizers, the pages without a browser
	$(call install-missing,$(PKGS_RUN) libcmocka-dev clang-format $(NODE))
	@$(MAKE) --no-print-directory -s -j2 B=asan quick-tests WERROR=-Werror
	@SKIP='$(LONG) $(SKIP)' tests/run check_form check_pages test_

quick-tests: $(QUICK)

test-box: ## in a Debian with systemd: install as the README says, update under load, back up, purge; RELEASE=bookworm or trixie, ARCH=arm64: built for it, run under qemu; needs root
	$(call install-missing,debootstrap systemd-container)
	@$(if $(ARCH),tests/box/cross '$(RELEASE)' $(ARCH),tests/box/run $(RELEASE))

asan: ## a build with the address and undefined-behaviour sanitizers
	@$(MAKE) --no-print-directory B=asan build tests

FUZZ_S ?= 60
ROUNDS ?= 10

torture: deps-test ## the race and kill tests ROUNDS times over, then FUZZ_S seconds of fuzzing each parser
	$(call install-missing,libclang-rt-$$(clang -dumpversion | cut -d. -f1)-dev)
	@$(MAKE) --no-print-directory -s -j2 build
	@$(MAKE) --no-print-directory -s -j2 B=debug build tests WERROR=-Werror
	@JARI_EVERY_CALL=1 MODE=debug tests/run kill_syscalls e2e_cashier
	@for i in $$(seq $(ROUNDS)); do echo "round $$i of $(ROUNDS)"; MODE=debug tests/run race_ kill_ powercut test_line test_batch || exit 1; done
	@echo "ten thousand steps of guests who pay, providers that fail and kills (minutes)"; ONLY='whatever*' PAY_STEPS=10000 JARI_BIN=build/debug/jari build/debug/tests/kill/kill_pay
	@echo "a power cut after every write, with a whole check each (minutes)"; POWER_ALL=1 JARI_BIN=build/debug/jari build/debug/tests/kill/kill_power
	@mkdir -p build/fuzz
	@for t in json csv; do \
	  clang -std=c11 -D_GNU_SOURCE -DFUZZ_NO_MAIN -g -O1 -fsanitize=fuzzer,address,undefined $(LAYERS:%=-I%) -o build/fuzz/$$t \
	    tests/fuzz/fuzz_$$t.c core/text.c core/csv.c core/buf.c core/err.c core/tags.c fcgi/http/in.c fcgi/http/told.c -ljson-c && \
	  mkdir -p build/fuzz/corpus-$$t && \
	  build/fuzz/$$t -max_total_time=$(FUZZ_S) -max_len=4096 -print_final_stats=1 build/fuzz/corpus-$$t $$(ls -d tests/fuzz/corpus/$$t 2>/dev/null) || exit 1; \
	done

clang: ## what clang warns of in any file; it builds nothing
	@$(MAKE) --no-print-directory -s B=clang WERROR=-Werror judged

judged: $(O)/ready
	@printf '%s\n' $(SRC) $(wildcard tests/*/*.c) | xargs -n 20 $(COMPILE) -fsyntax-only

layers: ## prove that no file includes upwards (tests/layers lists them in order)
	@tests/layers

format: ## put every C file into the form of .clang-format, the pages into that of .biome.jsonc
	@tests/format --write

# What the bench is made of.  PostgreSQL is only there to be compared with.
BENCH = $(addprefix $(O)/bench/,load reads hello single tablets sink slowsync.so)

bench: deps ## measure the appliance: one table, docs/performance.md and its picture
	$(call install-missing,postgresql)
	@$(MAKE) --no-print-directory -s -j2 B=release build bench-tools
	@bench/run

bench-tools: $(BENCH)

$(O)/bench/%.so: bench/%.c
	@mkdir -p $(@D)
	$(filter-out -fPIE,$(COMPILE)) -fPIC -shared -o $@ $< -ldl

$(O)/bench/load $(O)/bench/reads: $(O)/bench/%: $(O)/bench/%.o $(LIB)
	$(LINK) -o $@ $^ $(LDLIBS)

$(O)/bench/%: $(O)/bench/%.o
	$(LINK) -o $@ $< -lfcgi -lsqlite3

install: build ## copy jari and its pages to PREFIX (/usr/local)
	install -D -m 755 build/jari "$(DESTDIR)$(PREFIX)/bin/jari"
	install -d "$(DESTDIR)$(PREFIX)/share/jari/www"
	cp -r www/. "$(DESTDIR)$(PREFIX)/share/jari/www/"
	@# Serving a restaurant needs no root: the user who does, unless this is for a package.
	@[ -n "$(DESTDIR)" ] || [ "$$(id -u)" != 0 ] || getent passwd jari >/dev/null || useradd --system --home-dir /var/lib/jari jari

uninstall: ## remove what install has copied; books stay
	rm -f "$(DESTDIR)$(PREFIX)/bin/jari"
	rm -rf "$(DESTDIR)$(PREFIX)/share/jari"

check: ## the unit tests from what is installed: without apt, network or browser; for packages
	@$(MAKE) --no-print-directory -s B=debug build quick-tests
	@MODE=debug SKIP='$(LONG) $(SKIP)' tests/run test_

# From a copy of what git has, so that nothing which was built before gets into it.
DEB = build/deb/jari-$(shell sed -n 's/.*JARI_VERSION "\(.*\)"/\1/p' core/version.h)
deps-deb: ## install what the package is built with
	$(call install-missing,$(PKGS_RUN) libcmocka-dev build-essential debhelper po-debconf dpkg-dev fakeroot)

deb: deps-deb ## the Debian package, in build/deb
	@rm -rf build/deb && mkdir -p $(DEB)
	@git ls-files -z | xargs -0 cp --parents -t $(DEB)
	@cd $(DEB) && env -u MAKEFLAGS -u MAKELEVEL -u MFLAGS -u B dpkg-buildpackage -us -uc -b $(DEB_BUILD)
	@ls build/deb/*.deb

clean: ## remove what was built
	rm -rf build

-include $(OBJ:.o=.d) $(UNIT:%=%.d) $(HELP:.o=.d) $(wildcard $(O)/bench/*.d)
