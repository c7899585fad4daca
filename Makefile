# Loam: see README.md. Everything that is made goes to bin/ and out/.

GO ?= go
# The compiler's identity is the hash of its sources: a change of rt/ or overlay/ alone then
# recompiles only the packages that it touches.
COMPILER_ID = $(shell cat internal/lower/*.go internal/ir/*.go internal/escape/*.go internal/load/*.go internal/build/*.go go.sum | sha256sum | cut -c1-32)

.PHONY: build install run test test-short test-unit test-programs conformance conformance-sample bench check clean

build:
	@mkdir -p bin
	CGO_ENABLED=0 $(GO) build -ldflags "-X main.compilerID=$(COMPILER_ID)" -o bin/loam ./cmd/loam

# make run FILE=examples/x.go ARGS="..."
run: build
	bin/loam run $(FILE) $(ARGS)
