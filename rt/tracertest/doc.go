// Package tracertest takes execution traces of programs that Loam compiled, and reads them with the
// readers of others: golang.org/x/exp/trace, which follows the states of all goroutines, Ps and
// threads through a trace and refuses one that does not add up, and go tool trace. The programs are
// those with which upstream tests its own tracer (GOROOT/src/internal/trace/testdata/testprog), the
// three versions of examples/feeds, an HTTP server, and programs of testdata.
//
// What can be known of a run in another way is compared: the figures of collections with those of
// GODEBUG=gctrace=1 and runtime.MemStats, stacks with the lines of the source.
package tracertest
