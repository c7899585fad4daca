// Package regress holds programs that Loam once compiled wrongly, found by conformance/fuzz and by
// the tests of real modules (conformance/modules), reduced by hand or by the fuzzer. Its test runs
// each with gc and with Loam and compares output and exit status. A program's first comment says
// what was wrong.
package regress
