// Package cgotest runs programs with C (testdata, a directory each), and compares what they print
// with what they print when gc has compiled them. C is compiled by clang for both.
package cgotest
