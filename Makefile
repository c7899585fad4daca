# Loam: see README.md. What is made goes to bin/ and out/.

GO ?= go
# Programs and tests take the installed Go, unless the environment says otherwise. Loam itself is built with the newest type
# checker that can be had: that of the toolchain in go.mod, from the module proxy (setup.sh).
export GOTOOLCHAIN ?= local
# GOVERSION=1.27 has the tests take that release as SDK and to compare with.
ifdef GOVERSION
export GOTOOLCHAIN := $(shell ./setup.sh toolchain $(GOVERSION))
endif
BUILDER = $(eval BUILDER := $(shell ./setup.sh toolchain))$(BUILDER)
# The compiler's identity is the hash of its sources: a change of rt/ or overlay/ alone then
# recompiles only the packages that it touches.
COMPILER_ID = $(shell (cat $(filter-out %_test.go internal/exectrace/% internal/simrun/% internal/simulate/% internal/ending/% internal/install/% internal/pool/% internal/progress/% internal/traceview/% internal/pack/% internal/cacheprog/% internal/answers/%,$(sort $(shell find internal -name '*.go' -not -path '*/testdata/*'))) go.sum; \
	GOTOOLCHAIN=$(BUILDER) $(GO) env GOVERSION) | sha256sum | cut -c1-32)
# Packages whose tests Go runs: the compiler, by the Go that it is built with, which all SDKs can be given to; the command, by the
# installed one, and the algorithms of the run-time system.
COMPILER = ./internal/... ./overlay/check
RT = $(sort $(patsubst %/,./%,$(dir $(wildcard rt/*/*_test.go))))
UNIT = ./cmd/... ./release ./conformance/std ./conformance/simstd ./conformance/simrace ./conformance/regress ./conformance/fuzz ./conformance/modules ./conformance/order ./conformance/lines ./conformance/growth ./conformance/suite ./conformance/walk ./bench ./bench/simbugs ./bench/pages $(RT)
SAMPLE ?= 150
STDSAMPLE ?= 10
RUNTIMESAMPLE ?= ^(callers|closure|defer|iface|mcleanup|panic|stack|traceback_system)_test
TIME ?= 10m

.PHONY: help build vet run test test-quick test-newest test-short test-unit test-race test-examples conformance conformance-test conformance-sample conformance-instant conformance-std conformance-std-sample conformance-runtime conformance-runtime-sample conformance-cgo modules modules-part modules-race order order-sample lines lines-sample growth growth-sample fuzz fuzz-short nightly selfhost stress stress-std soak test-gc bench bench-memory bench-code bench-asm bench-waiting bench-feeds bench-servers bench-sqlite bench-cgo bench-race bench-cores bench-build bench-all bench-summary bench-pages bench-plot bench-trace bench-tracing bench-pacing sim-bugs race race-sample sim-race sim-std sim-std-sample sim-systems web test-browser walk site release test-release clean

# bin/loam, which carries the run-time system inside.
build:
	@./setup.sh
	@mkdir -p bin out
	CGO_ENABLED=0 GOTOOLCHAIN=$(BUILDER) $(GO) build -ldflags "-X main.compilerID=$(COMPILER_ID)" -o bin/loam ./cmd/loam

# What targets there are.
help:
	@awk '/^# /{text = text substr($$0, 2)} /^[a-z][a-z-]*:( [a-z].*)?$$/{sub(/:.*/, ""); if (text) {sub(/\. .*|\.$$/, "", text); printf "%-26s%s\n", $$0, text}} \
		/^$$/{text = ""}' Makefile

define feeds
bin/loam build -o bin/feeds-loam ./examples/feeds
CGO_ENABLED=0 $(GO) build -o bin/feeds-go ./examples/feeds
$(GO) run ./examples/feeds/table -loam bin/feeds-loam -gc bin/feeds-go
endef

# The feeds example by gc and by Loam, in one table (docs/feeds.md); ARGS="-rounds 3" is for the
# table. With FILE=x.go: run that program with Loam, ARGS is for the program.
run: build
ifdef FILE
	bin/loam run $(FILE) $(ARGS)
else
	$(feeds) $(ARGS)
endif

# Everything that has to pass before a change is merged.
test: build vet test-unit test-examples test-browser conformance-sample conformance-instant conformance-std-sample conformance-runtime-sample sim-std-sample race-sample order-sample lines-sample growth-sample fuzz-short test-newest

# Samples with the newest release of Go that Loam serves: the toolchain in go.mod.
NEWEST = $(shell sed -n 's/^toolchain go//p' go.mod)
test-newest: build
	$(MAKE) conformance-sample conformance-std-sample fuzz-short GOVERSION=$(NEWEST) SAMPLE=40 STDSAMPLE=4

# All that is too long for every change: each part whole, some eight hours on two cores. What fails does not keep the others
# from running with make -k.
nightly: test test-race conformance order lines growth modules-part sim-std race sim-race sim-systems selfhost test-gc test-release walk site
	$(MAKE) fuzz stress stress-std TIME=1h

# A few minutes: unit tests only, without the slow ones.
test-short: build vet
	GOTOOLCHAIN=$(BUILDER) LOAM=$(CURDIR)/bin/loam $(GO) test -short $(COMPILER)
	LOAM=$(CURDIR)/bin/loam $(GO) test -short $(UNIT)

# The compiler alone, in about a minute: its parts' tests without the slow ones, and some programs.
QUICKLY = ./internal/mid/... ./internal/escape ./internal/inline ./internal/ir ./internal/lower
test-quick: build
	GOTOOLCHAIN=$(BUILDER) LOAM=$(CURDIR)/bin/loam $(GO) test -short $(QUICKLY)
	LOAM=$(CURDIR)/bin/loam $(GO) test -run 'TestPrograms/[a-d]' ./conformance/regress

test-unit: build
	GOTOOLCHAIN=$(BUILDER) LOAM=$(CURDIR)/bin/loam $(GO) test -timeout 4h $(COMPILER)
	LOAM=$(CURDIR)/bin/loam $(GO) test -timeout 4h $(UNIT)

# The run-time system turns integers into pointers for a living.
vet:
	$(GO) vet ./cmd/... ./internal/... ./conformance/... ./bench ./bench/shutdown ./bench/simbugs ./bench/simspeed ./bench/simoff ./release
	$(GO) vet -unsafeptr=false $(RT)

# The examples' own tests, in programs that loam made.
test-examples: build
	bin/loam test ./examples/...

# The run-time system's algorithms under the race detector (needs a C compiler for cgo).
test-race:
	CGO_ENABLED=1 $(GO) test -race $(RT)

# GOROOT/test, std's own tests, those of package runtime and those of cgo, with what share of them passes.
conformance: conformance-test conformance-std conformance-runtime conformance-cgo

# All of GOROOT/test that runs something, against the list of known failures. Only an installed SDK has it, those from the module
# proxy do not.
TESTS = $(shell GOTOOLCHAIN=local $(GO) env GOROOT)/test
conformance-test: build
	$(GO) run ./conformance -kinds all -dir $(TESTS)
	$(GO) run ./conformance -kinds errorcheck -dir $(TESTS)

conformance-sample: build
	$(GO) run ./conformance -sample $(SAMPLE) -dir $(TESTS)

# A sample of them and of random programs by Loam's own backend (-O=instant), and programs that are easy to compile wrongly.
conformance-instant: build
	LOAMOPT=instant $(GO) run ./conformance -sample 40 -dir $(TESTS) -log out/instant.log
	LOAMOPT=instant $(GO) run ./conformance/fuzz -programs 2 -seed 3 -funcs 150
	LOAMOPT=instant LOAM=$(CURDIR)/bin/loam $(GO) test -timeout 20m -run 'TestPrograms/([ir]|bigwords)|TestKeptWaiting/(select|receive)/looping=false' ./conformance/regress
	LOAMOPT=instant LOAM=$(CURDIR)/bin/loam $(GO) test -run 'TestPrograms/(syscalls|channels|segments)|TestExplained' ./rt/schedtest ./rt/simtest
	LOAMOPT=instant LOAM=$(CURDIR)/bin/loam $(GO) test -run 'TestDWARF|TestGDB$$|TestDelve' ./rt/debugtest

# The standard library's own tests, against the list of those that fail. STD="-run ^net/" for some
# packages, STD=-sample=20, STD=-resume to go on where the last run ended.
conformance-std: build
	$(GO) run ./conformance/std $(STD)

# A sample of them, always the same.
conformance-std-sample: build
	$(GO) run ./conformance/std -sample $(STDSAMPLE) -p 2 -log out/std-sample.log -output out/std-sample.out

# The external tests of package runtime, and with them the programs of its testdata, against the list of those that fail.
# RUNTIME="-run ^stack" for some files.
conformance-runtime: build
	$(GO) run ./conformance/std -runtime $(RUNTIME)

# Some of its files.
conformance-runtime-sample: build
	$(GO) run ./conformance/std -runtime -run '$(RUNTIMESAMPLE)' -log out/runtime-sample.log -output out/runtime-sample.out

# The tests of cgo, which need a C compiler, against the list of those that fail. CGO="-run errors" for some.
conformance-cgo: build
	$(GO) run ./conformance/std -cgo $(CGO)

# The own tests of well-known modules with gc and with Loam (needs a module proxy); MODULES=REGEXP for some of them. Rows of modules
# that did not run stay as they are in the table that it makes, docs/bench/modules.md.
MODULES ?=
modules: build
	$(GO) run ./conformance/modules -run '$(MODULES)' -record docs/bench

# A tenth of them, another one each day.
modules-part: build
	$(GO) run ./conformance/modules -part 10

# The tests of all of these modules with -race (needs a C compiler, for gc's), and the table docs/bench/modules-race.md.
modules-race: build
	$(GO) run ./conformance/modules -race -run '$(MODULES)' -record docs/bench

# The order of evaluation: all forms of operands by all contexts, against the list of places that differ. ORDER="-run ^slice" for some.
order: build
	$(GO) run ./conformance/order $(ORDER)

# Some of the places, always the same.
order-sample: build
	$(GO) run ./conformance/order -sample 2000 -out out/order-sample

# The lines that tracebacks name: constructs that panic, by the places where they stand. LINES="-run ^select" for some.
lines: build
	$(GO) run ./conformance/lines $(LINES)

lines-sample: build
	$(GO) run ./conformance/lines -sample 600 -out out/lines-sample
	$(GO) run ./conformance/lines -sample 200 -gcflags=-N -out out/lines-sample

# How a build's work grows with what is built. GROWTH="-run ^switch" for some shapes, GROWTH=-clang for clang's time.
growth: build
	$(GO) run ./conformance/growth $(GROWTH)

# Some of the shapes.
growth-sample: build
	$(GO) run ./conformance/growth -run '^(switch|string switch|and|and condition|nested expression)$$' -dir out/growth-sample

# Random programs through gc and Loam for TIME; programs that differ go to out/fuzz.
# FUZZ="-seed 7 -programs 100" for certain ones.
fuzz: build
	$(GO) run ./conformance/fuzz -time $(TIME) -p $$(nproc) $(FUZZ)

fuzz-short: build
	$(GO) run ./conformance/fuzz -time 30s -seed 1 -funcs 150

# Programs over and over with 1, 2 and 8 processors and a collector that never rests.
stress: build
	$(GO) run ./conformance/stress -time $(TIME)

# The tests of the packages of std that need a scheduler most, RUNS times each under such settings.
STRESSSTD ?= sync,time,context,net,net/http
RUNS ?= 50
stress-std: build
	$(GO) run ./conformance/stress -std $(STRESSSTD) -runs $(RUNS) -time 12h -limit 4m

# An HTTP server and 10,000 clients for TIME: no request may get lost, and the process may not grow.
soak: CONNS ?= 10000
soak: build
	mkdir -p out
	bin/loam build -o out/soak rt/blocktest/testdata/soak.go
	ulimit -n $$(($(CONNS) + 1000)) && SOAK=$(TIME) CONNS=$(CONNS) out/soak

# Collects at every N-th allocation, poisons what it frees, and checks the heap after each collection: some of std's own
# tests, and the programs of rt/heaptest and rt/schedtest.
EVERY ?= 400
GCSTD ?= bufio bytes container/... context encoding/binary encoding/gob encoding/json errors iter maps slices sort \
	strings sync sync/atomic text/template weak
test-gc: build
	LOAMDEBUG=gcevery=$(EVERY),gcpoison=1,gcverify=1 bin/loam test -short -timeout 10m $(GCSTD)
	LOAM=$(CURDIR)/bin/loam $(GO) test ./rt/heaptest ./rt/schedtest

# Loam compiled by Loam, as releases have it, must make the same programs, byte for byte, and pass the same tests. Each package of
# Loam comes out the same however its imports are read.
selfhost: build
	GOTOOLCHAIN=$(BUILDER) bin/loam build -ldflags "-X main.compilerID=$(COMPILER_ID)" -o out/selfhost/loam ./cmd/loam
	rm -rf out/selfhost/cache
	LOAMCACHE=$(CURDIR)/out/selfhost/cache out/selfhost/loam build -o out/selfhost/a ./cmd/rtcheck
	bin/loam build -o out/selfhost/b ./cmd/rtcheck
	cmp out/selfhost/a out/selfhost/b
	LOAM_TEST_DIR=$(CURDIR) LOAM_TEST_PACKAGES=./cmd/loam LOAM_TEST_ONLY=loam/ $(GO) test -timeout 20m -run TestSources ./internal/driver
	$(GO) run ./conformance -kinds all -loam out/selfhost/loam -log out/selfhost/tests.log -dir $(TESTS)
	@echo "ok  	selfhost"

# Benchmarks, gc and Loam in turn: each prints a table, leaves out/bench/NAME.tsv and makes a page of it, docs/bench/NAME.md
# (docs/benchmarks.md). QUICK=1 measures a part once, in a minute or two. ARGS="-rounds 3 -each spawn,switch" chooses. Neither makes a
# page.
measure = $(GO) run ./bench$(if $(filter builds,$(1)),/builds, -program $(1)) $(if $(QUICK),-quick -to out/quick )$(ARGS)
page = $(if $(QUICK)$(ARGS),,$(GO) run ./bench/pages $(1))

# What goroutines cost.
bench: build
	$(call measure,goroutines)
	$(call page,goroutines)

# Allocation together with its collection.
bench-memory: build
	$(call measure,memory)
	$(call page,memory)

# Programs of well-known kinds.
bench-code: build
	$(call measure,code)
	$(call page,code)

# C translated to Go, of a module from the module proxy.
bench-sqlite: build
	$(call measure,sqlite)
	$(call page,sqlite)

# Calls between Go and C, and SQLite as C (needs a C compiler, and a module from the module proxy).
bench-cgo: build
	$(call measure,cgo)
	$(call page,cgo)

# What -race costs, in time and memory (needs a C compiler, for gc's).
bench-race: build
	$(call measure,race)
	$(call page,race)

# What frequent operations cost on many cores, by a model that is given what their instructions do to memory (needs a module proxy);
# ARGS="-lines channel" prints which cache lines cores share.
bench-cores: build
	$(GO) test -C bench/cores .
	$(GO) run -C bench/cores . -loam $(CURDIR)/bin/loam $(if $(ARGS),,-to $(CURDIR)/out/bench) $(ARGS)
	$(call page,cores)

# What upstream writes in assembly, and maps.
bench-asm: build
	$(call measure,asm)
	$(call page,asm)

# Programs that mostly wait.
bench-waiting: build
	$(call measure,waiting)
	$(call page,waiting)

# The feeds example, as a page.
bench-feeds: build
	$(feeds) -to $(if $(QUICK),out/quick -rounds 1,out/bench) $(ARGS)
	$(call page,feeds)

# Servers that people run, of modules from the module proxy.
bench-servers: build
	$(call measure,servers)
	$(call page,servers)

# What builds cost; ARGS=-cold=false for the edits only.
bench-build: build
	$(call measure,builds)
	$(call page,build)

# All that docs/bench has, one after the other.
bench-all: bench bench-memory bench-feeds bench-code bench-asm bench-sqlite bench-waiting bench-servers bench-build

# The figures of README's first picture, and the picture, in out/summary/img.
bench-summary: build
	$(GO) run ./bench -program goroutines -to out/summary/bench -each switch,spawn,pingpong,http
	$(GO) run ./bench -program memory -to out/summary/bench -each alloc32
	$(GO) run ./bench/builds -to out/summary/bench -cold=false http
	$(GO) run ./bench/pages -docs out/summary

# The pages again, of the figures in docs/bench.
bench-pages:
	$(GO) run ./bench/pages

# Lines over x of what make bench has measured, in out/bench (needs a module proxy).
bench-plot:
	$(GO) run -C bench/plot . $(CURDIR)/out/bench/goroutines.tsv

# The page of loam trace, from TypeScript into internal/traceview/assets (needs node and npm).
web:
	cd internal/traceview/web && npm ci --no-audit --no-fund && npm run check && npm run build

# How long loam trace takes to open a million events, and to draw a frame.
bench-trace: build
	cd internal/traceview/browsertest && LOAM=$(CURDIR)/bin/loam $(GO) test -run '^$$' -bench Million -benchtime 3x -timeout 10m .

# What taking a trace costs the feeds, gc and Loam side by side; ARGS="-cpu -rounds 9 each".
bench-tracing: build
	$(GO) run ./bench/tracing $(ARGS)

# loam trace in a real browser.
test-browser: build
	CI=$${CI:-} internal/traceview/browsertest/setup.sh || [ -z "$$CI" ]
	cd internal/traceview/browsertest && LOAM=$(CURDIR)/bin/loam $(GO) test -count=1 -timeout 15m .

# Which of a collection of bugs simulated runs find, and whether their fixed twins are left alone (docs/simulation.md). SIMBUGS=-race
# asks gc's race detector, too.
sim-bugs: build
	$(GO) run ./bench/simbugs $(SIMBUGS)

# The tests of gc's race detector, with -race.
race: build
	$(GO) run ./conformance/simrace -threads -output out/race.out $(RACE)

# Some of them.
race-sample: build
	$(GO) run ./conformance/simrace -threads -output out/race.out -run '^Test(No)?Race(Chan|Select|Mutex|Atomic|Map|Slice|Finalizer|WaitGroup|Timer)'

# The tests of gc's race detector, in simulated runs that look for data races (docs/simulation.md).
sim-race: build
	$(GO) run ./conformance/simrace $(SIMRACE)

# Std's own tests of concurrent packages under many seeds, against the list of what they find (docs/simulation.md). SIMSTD="-seeds 1000
# net/http" for a package; a run of all takes an hour or more.
sim-std: build
	$(GO) run ./conformance/simstd $(SIMSTD)

# Few seeds of the smallest.
sim-std-sample: build
	$(GO) run ./conformance/simstd -seeds 10 -time 1s -output out/simstd-sample.out sync context

# Servers of other people as machines that crash and are separated, and those people's own tests, under many seeds. Their modules come
# through the module proxy. SIMSYSTEMS="-seeds 10000 -time 10m loam.systems/raftkv" for one.
SIMSYSTEMS = -seeds 1000 -time 1m -twice 2 loam.systems/raftkv loam.systems/store loam.systems/broker \
	github.com/hashicorp/raft go.etcd.io/raft/v3 go.etcd.io/raft/v3/rafttest
sim-systems: build
	$(GO) run ./conformance/simstd -dir conformance/systems -known conformance/systems-failures.txt -output out/sim-systems.out $(SIMSYSTEMS)

# Heap against goal over time for the three feeds versions, as plots (docs/memory.md).
bench-pacing: build
	$(GO) run ./bench/pacing $(ARGS)
	$(GO) run -C bench/plot . $(CURDIR)/out/bench/pacing.tsv

# An archive and a Debian package of the version that CHANGELOG.md begins with, in out/release (needs dpkg-deb).
release: build
	$(GO) run ./release -compiler $(COMPILER_ID) -toolchain $(BUILDER) $(ARGS)

# The same twice, with equal bytes, and installed in an empty root, where a program is built.
test-release: build
	LOAM=$(CURDIR)/bin/loam RELEASE="-compiler $(COMPILER_ID) -toolchain $(BUILDER)" $(GO) test -count=1 -v -timeout 1h ./release

# A new user's walk: what README and the guide say, in a copy of the checkout with empty caches. make test does it with the caches
# that there are.
walk: build
	LOAMWALK=whole LOAM=$(CURDIR)/bin/loam $(GO) test -count=1 -timeout 60m -run '^TestWalk$$' -v ./conformance/walk

# The site, from the same documents, into out/site (needs node and npm; without network once site/node_modules is there). A link that
# leads nowhere is an error.
site:
	cd site && { [ -d node_modules ] || npm ci --no-audit --no-fund; } && npm run build

clean:
	rm -rf bin out
