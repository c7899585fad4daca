package policy

// A thief has patience. What a goroutine needs is in the caches of the CPU that queued it: to
// fetch some lines from there costs as much as ten goroutines that do little, and those that take
// a lock, or count a WaitGroup down, on two CPUs hold each other up. Work that its own P comes to
// at once is better left there; work that waits is not made much later by a few microseconds, as
// it takes more than that to wake a thread.

// QueuePatience is how long goroutines that wait in a running P's queue are left to that P. With
// half of it ten goroutines that send to one take 1.3 times as long on two CPUs, and without it
// four times.
const QueuePatience = 9_000

// FrontPatience is how long a thief leaves a running P's next goroutine to that P, as a goroutine
// that wakes another often does a little more and parks: the shortest sleep that there is. It takes
// 50 µs and some (the kernel's slack for timers); where that is set to nothing, two switches of a
// thread.
const FrontPatience = 1

// declineMost is how often a P in a row leaves what it has seen, before it steals all the same:
// where the same goroutines come around again and again the lines are fetched once, and two Ps do
// twice as much. It takes a millisecond or some.
const declineMost = 50

// Steals reports whether a thief takes of a queue in which it saw some goroutines wait before its
// patience was over. Since then the queue's P has taken so many from it; this is the thief's turn
// number declined, from 1, in a row without having stolen.
func Steals(saw, taken, declined uint32) bool { return taken < saw || declined > declineMost }
