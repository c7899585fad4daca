// Package heap is the garbage-collected heap: allocator, collector, finalizers,
// weak pointers and their statistics.
//
// # Address space
//
// One range of address space (the arena, up to 1 TB, reserved without memory) holds
// every object. It is cut into 8 KB pages; a flat table has one span pointer per
// page, so that any word is resolved to its object by a subtraction, a shift, one
// load and a multiplication. Memory is committed from the bottom of the arena
// upwards in steps and given back page-wise (madvise); the addresses stay.
//
// # Spans and slots
//
// A span is a run of pages cut into equal slots (package sizeclass), for objects
// with pointers ("scan") or without ("noscan"). Two bitmaps say which slots were
// allocated when the span was last swept, and which the current cycle has marked.
// Allocation bumps a pointer through a run of neighbouring free slots; when the run
// ends, the next run is found from the bitmap and cleared as a whole, while it is
// still cold, by one memset. So the fast path is a load, a compare, an add and a
// store, without atomics, on the run that the P's Cache holds; and free slots hold
// no links that a conservative scan could stumble over. A slot is allocated if its
// bit is set or if it lies below the span's free index.
//
// # Collection
//
// Mark-sweep, non-moving, concurrent: the world stands still only at the start and at the end of
// marking. concurrent.go lists the phases, barrier.go is what the program does while a collection
// marks, and docs/gc-invariants.md says why nothing is missed. cycle.go has the cycle that stops
// the world for all of marking (LOAMGC=concurrent=0). Roots and stacks are scanned conservatively:
// any word that falls into an allocated slot marks it. Objects in scan spans are scanned word by
// word, noscan ones not at all. (Precise pointer maps would need the allocating type.) Sweeping is
// lazy: after a cycle every span is unswept, and is swept when a cache wants a span of its class,
// or in proportion to the allocation since, so that all are swept before the next trigger; sweeping
// swaps the two bitmaps.
//
// # Pointers past the end
//
// An address one past the end of an object does not keep it alive. Go code cannot make
// one: s[len(s):] keeps the base when no capacity is left, in compiled code as under
// gc. In LLVM it is loop strength reduction that may leave nothing but such an address
// (or one before the object) in a loop; the driver switches that pass off, which costs
// nothing measurable on x86-64, where addresses are base plus scaled index anyway.
//
// Two other cures cost more. One more byte for every object doubles small
// ones. Treating a word on a stack that points at the first byte of a slot as a
// reference to the slot before it, too, costs no memory, but then any two objects
// allocated in a row keep each other: weak pointers and finalizers visibly die
// late. LOAMDEBUG=pastend=1 does that, to test whether a crash has to do with it.
//
// # What must hold
//
//   - Every reference is visible: in an object, a root, a stack, or saved registers.
//     References hidden in integers of noscan objects do not count (this is how weak
//     handles work).
//   - While the world is stopped no thread is inside this package, other than the collector (so
//     what it reads of marking and of the marks holds as long as it does not yield): rt code is
//     never preempted, and every path that touches a Cache runs with Thread.Locks > 0 or contains
//     no call.
//   - Locks: central.lock before pages.lock; a span's lock for specials before those of the
//     specials' lists and records, of the queues of calls, and of weak handles to what is outside.
//     Nothing under a lock allocates from the heap or parks.
//   - Who locks a span's specials keeps an object in it alive, or owns the span, or has found it on
//     a list (lockFirst); or else looks again whether it is the span still (settleUnkept). A span
//     that has been settled may be another one at once.
//
// # Integers that look like addresses
//
// They keep garbage alive, because the heap is scanned conservatively. The arena starts at
// 0xc000000000 to make them rare.
package heap
