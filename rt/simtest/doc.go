// Package simtest runs programs that Loam compiled as simulated runs (LOAMSIM, rt/sim).
//
// A run is a function of its seed: so each test runs a program under many seeds, some of them
// twice, and compares hashes and outputs. What a program must never do it may do under no seed;
// what it may do, it has to do under one of them. testdata has the programs, by what of the world
// they use.
package simtest
