// Package regress holds programs that Loam once compiled wrongly, found by conformance/fuzz and by
// the tests of real modules (conformance/modules), reduced by hand or by the fuzzer. Its test runs
// each with gc and with Loam and compares output and exit status. A program's first comment says
// what was wrong. One whose build constraint is a release of Go is built with that release or a
// newer one.
//
// Files *.txtar are modules of several packages, in the format of golang.org/x/tools/txtar; the go
// line of go.mod says the release. Files in testdata/errors do not compile, and Loam has to say so
// in gc's words.
package regress
