// Package regress holds programs that are easy to compile or to run wrongly. conformance/fuzz and
// the tests of real modules (conformance/modules) have found them, and they were reduced by hand or
// by the fuzzer. Its test runs each with gc and with Loam, and compares output and exit status. A
// program's first comment says what can go wrong. One whose build constraint is a release of Go is
// built with that release or a newer one.
//
// Files *.txtar are modules of several packages, in the format of golang.org/x/tools/txtar; the go
// line of go.mod says the release. Files in testdata/errors do not compile, and Loam has to say so
// in gc's words.
package regress
