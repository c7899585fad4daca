// Package cpuprof takes the CPU profile.
//
// Each thread that runs Go code has a timer of the kernel that counts the thread's CPU time and
// sends it SIGPROF when a period is over, so a busy thread is sampled as often whatever the others
// do, and an idle one never. The handler walks the frame pointers of the interrupted code and puts
// the return addresses into a [Ring], with the goroutine's labels. A goroutine of runtime/pprof
// empties it ten times a second; overlay/runtime gives it the samples in the form that it expects,
// with frames for inlined calls.
//
// The handler can come at any instruction: in the scheduler, in a collection, between two stacks.
// It reads only memory that its own thread cannot have lost: its system stack and the segments of
// the goroutine it runs, and nothing it reads decides what it writes to. What the innermost
// function is doing, whether it has its frame already, it leaves to the reader, who has time and
// the symbol table: the two words at the stack pointer go along for that.
//
// While the profile is off the only cost is a nil hook that threads look at when they start and
// end.
package cpuprof
