// Package tracer writes execution traces in the format that the installed Go's tools read
// (GOROOT/src/internal/trace/tracev2 describes it).
//
// # The format
//
// A trace is a header and a sequence of generations, each of which can be read without those before
// it. A generation consists of batches of events, each written by one thread, and of tables: the
// stacks and strings that the events name by number, and how its clock relates to others. Events of
// one thread are in order; those of different threads are put in order by the reader, which follows
// the states of goroutines and Ps. Where the order of two threads' events matters, such as waking a
// goroutine and running it, they carry numbers that count the steps of that goroutine or P in the
// generation. Before the first such event of a generation comes its state at that point.
//
// # Who writes
//
// Each thread has a Writer with a buffer of its own: an event takes no lock. What the thread holds
// while it writes protects the buffer: its P, or rt/sched's lock if it has none. A generation ends
// with the world stopped and that lock held; so nobody is in the middle of an event, all Ps but one
// are idle, and the state at the start of the next generation is short to tell. States of
// goroutines that are parked are told lazily, with the world running: State remembers for each
// which generation it was told in, how many steps it made, and what the trace takes its status for.
//
// This package knows bytes, buffers, tables and the clock. rt/sched/trace.go decides which events
// happen, and overlay/runtime/tracer.go serves package runtime/trace: it reads full buffers, ends
// generations, and turns the program counters of stacks into functions and lines.
package tracer
