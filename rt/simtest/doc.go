// Package simtest runs programs that Loam compiled as simulated runs (LOAMSIM, rt/sim).
//
// A run is a function of its seed: so each test runs a program under many seeds, some of them
// twice, and compares hashes and outputs. What a program must never do it may do under no seed;
// what it may do, it has to do under one of them. testdata has the programs, by what of the world
// they use.
//
// What the seed decides, and where it is seen that a seed decides the same each time, and others
// something else. TestDecisions has a line of output for each choice; X/Y is the line Y of
// testdata/X.go.
//
//	who goes on                        order/goroutines, order/lock; TestStrategies, TestSpin
//	where a goroutine is interrupted   points (a line an operation), order/interrupted
//	that no clock decides it           TestStopped
//	all schedules in turn              TestExhaustTriesEachOnce of internal/simrun
//	a select's arm, a map's order      order/select, order/map
//	who is woken first                 decided/wake, order/lock
//	timers that are due together       order/timers
//	what a pool has kept, TryLock      chances/pool, chances/trylock
//
//	the clock, and sleeps              order/clock, decided/wall, decided/ticker
//	deadlines                          decided/context, decided/deadline
//	times of files                     decided/filetime
//	clocks that are wrong              TestWorld of internal/simrun
//
//	random numbers, hash seeds         order/rand
//	what a test draws and may do       TestOwnNumbers of cmd/loam; TestMaybe of rt/sim
//	temporary names                    decided/tempname
//	the process and the machine        chances/process, TestMachineDoesNotMatter (the same always)
//	variables of the environment       TestEnvironment
//
//	addresses                          decided/objects, decided/stack, decided/bypointer
//	addresses of variables             decided/globals (the same always)
//	collections, finalizers, cleanups  chances/collections, chances/finalizers; TestCollections
//	weak pointers                      chances/weak
//
//	how long messages take             decided/datagrams, decided/delay, decided/tcp, decided/unix
//	who is served first                TestNetwork, TestTalkDiffers
//	how long the resolver takes        decided/resolver
//	loss, resets, partitions           TestTalkDiffers, TestFaultsAreDeviations
//	ports, names of hosts              decided/port, TestNames
//	pipes, signals                     decided/pipe, decided/signal
//	files, and disks that fail         TestDiskDiffers, TestDiskFaults
//	what survives a crash              TestCrash; TestWorld of internal/simrun
//	peers without power                TestWorld of internal/simrun
//
//	turns of processes                 TestProcesses of internal/simrun
//
//	what has no model                  TestNoEscape; TestProcessFails of internal/simrun
package simtest
