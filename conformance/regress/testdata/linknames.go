// Names of the run-time system that modules pull by go:linkname were not there, or did nothing.
package main

import (
	"fmt"
	"runtime"
	"strings"
	"sync"
	"sync/atomic"
	"time"
	"unsafe"
)

//go:linkname gopark runtime.gopark
func gopark(unlock func(g, lock unsafe.Pointer) bool, lock unsafe.Pointer, reason, traceReason uint8, skip int)

//go:linkname goready runtime.goready
func goready(g unsafe.Pointer, skip int)

//go:linkname wakep runtime.wakep
func wakep()

//go:linkname getm runtime.getm
func getm() uintptr

//go:linkname lockedOSThread runtime.lockedOSThread
func lockedOSThread() bool

//go:linkname systemstack runtime.systemstack
func systemstack(fn func())

//go:linkname chanbuf runtime.chanbuf
func chanbuf(c unsafe.Pointer, i uint) unsafe.Pointer

//go:linkname heapObjectsCanMove runtime.heapObjectsCanMove
func heapObjectsCanMove() bool

//go:linkname checkptrBase runtime.checkptrBase
func checkptrBase(p unsafe.Pointer) uintptr

//go:linkname findObject runtime.findObject
func findObject(p, refBase, refOff uintptr) (base uintptr, s unsafe.Pointer, index uintptr)

//go:noescape
//go:linkname atomicwb runtime.atomicwb
func atomicwb(p *unsafe.Pointer, new unsafe.Pointer)

//go:linkname nanotime1 runtime.nanotime1
func nanotime1() int64

//go:linkname usleep runtime.usleep
func usleep(us uint32)

//go:linkname osyield runtime.osyield
func osyield()

//go:linkname entersyscallblock runtime.entersyscallblock
func entersyscallblock()

//go:linkname exitsyscall runtime.exitsyscall
func exitsyscall()

//go:linkname overrideWrite runtime.overrideWrite
var overrideWrite func(fd uintptr, p unsafe.Pointer, n int32) int32

//go:linkname iscgo runtime.iscgo
var iscgo bool

//go:linkname goarm runtime.goarm
var goarm uint8

//go:linkname nowhere runtime.nowhere
var nowhere [3]int

//go:linkname vdsoClockgettimeSym runtime.vdsoClockgettimeSym
var vdsoClockgettimeSym uintptr

type (
	funcInfo struct{ f, module unsafe.Pointer }
	unwinder struct{ f, module, calls unsafe.Pointer }
	frame    struct {
		pc    uintptr
		index int32
	}
	srcFunc struct {
		module    unsafe.Pointer
		name      int32
		startLine int32
		id        uint8
	}
)

//go:linkname findfunc runtime.findfunc
func findfunc(pc uintptr) funcInfo

//go:linkname entry runtime.funcInfo.entry
func entry(f funcInfo) uintptr

//go:linkname funcline1 runtime.funcline1
func funcline1(f funcInfo, pc uintptr, strict bool) (file string, line int32)

//go:linkname newInlineUnwinder runtime.newInlineUnwinder
func newInlineUnwinder(f funcInfo, pc uintptr) (unwinder, frame)

//go:linkname source runtime.(*inlineUnwinder).srcFunc
func source(u *unwinder, at frame) srcFunc

//go:linkname nameOf runtime.srcFunc.name
func nameOf(f srcFunc) string

//go:linkname callers runtime.callers
func callers(skip int, pcs []uintptr) int

// A baton lets one goroutine wait for another.
type baton struct{ g atomic.Pointer[byte] }

func (b *baton) wait() {
	gopark(func(g, lock unsafe.Pointer) bool {
		return (*baton)(lock).g.CompareAndSwap(nil, (*byte)(g))
	}, unsafe.Pointer(b), 13, 0, 1)
}

func (b *baton) pass() {
	var gone byte
	if g := b.g.Swap(&gone); g != nil {
		goready(unsafe.Pointer(g), 1)
	}
}

func park() {
	const n = 2000
	var sum atomic.Int64
	var wg sync.WaitGroup
	for i := range n {
		b := new(baton)
		wg.Go(func() { b.wait(); sum.Add(int64(i)) })
		wg.Go(func() { runtime.Gosched(); b.pass() })
	}
	wakep()
	wg.Wait()
	fmt.Println("parked", sum.Load())
}

//go:noinline
func where() (file string, line int32, names [3]string) {
	var pcs [4]uintptr
	callers(0, pcs[:]) // the next line is line
	pc := pcs[0]
	f := findfunc(pc)
	file, line = funcline1(f, pc-1, false)
	u, at := newInlineUnwinder(f, pc-1)
	names[0] = nameOf(source(&u, at))
	names[1] = (*runtime.Func)(f.f).Name()
	names[2] = readName(f)
	if entry(f) > pc || pc-entry(f) > 1<<20 || runtime.FuncForPC(entry(f)).Name() != names[1] {
		names[1] = "wrong entry"
	}
	return file, line, names
}

// readName finds a function's name as loggers do: it is where a table, the module's second field, has the offset in the function's
// second word.
func readName(f funcInfo) string {
	off := *(*int32)(unsafe.Add(f.f, 4))
	table := *(*[]byte)(unsafe.Add(f.module, 8))
	text := string(table[off:min(int(off)+100, len(table))])
	name, _, _ := strings.Cut(text, "\x00")
	return name
}

//go:noinline
func store(slot *uintptr, p unsafe.Pointer) {
	atomic.LoadPointer(&p) // for gc, which takes p to the heap therefore
	atomicwb((*unsafe.Pointer)(unsafe.Pointer(slot)), p)
	atomic.StoreUintptr(slot, uintptr(p))
}

var global, other = new(int), new(int)

var lines []string

func memory() {
	c := make(chan int, 4)
	c <- 5
	c <- 6
	p := *(*unsafe.Pointer)(unsafe.Pointer(&c))
	fmt.Println(*(*int)(chanbuf(p, 0)), *(*int)(chanbuf(p, 1)), heapObjectsCanMove())
	obj := new([64]int)
	global = &obj[10]
	other = &obj[63]
	runtime.KeepAlive(obj)
	at := uintptr(unsafe.Pointer(obj))
	base, s, _ := findObject(at+100, 0, 0)
	none, t, _ := findObject(1<<40, 0, 0)
	var local [4]int
	fmt.Println(base == at, s != nil, none, t, checkptrBase(unsafe.Pointer(other)) == at, checkptrBase(unsafe.Pointer(&global)) == checkptrBase(unsafe.Pointer(&lines)),
		checkptrBase(unsafe.Pointer(&local)) == uintptr(unsafe.Pointer(&local)), checkptrBase(nil))
	// Pointers that are only where the compiler sees a number.
	var slots [100]uintptr
	for i := range slots {
		box := new(int)
		*box = i
		store(&slots[i], unsafe.Pointer(box))
	}
	different := true
	for i := range slots[1:] {
		different = different && slots[i] != slots[i+1]
	}
	fmt.Println(different)
}

func main() {
	park()
	memory()
	file, line, names := where()
	fmt.Println(file[strings.LastIndexByte(file, '/')+1:], line, names)

	runtime.LockOSThread()
	locked := lockedOSThread()
	runtime.UnlockOSThread()
	x := 1
	systemstack(func() { x = 2 })
	start := nanotime1()
	usleep(200)
	osyield()
	took := time.Duration(nanotime1() - start)
	entersyscallblock()
	exitsyscall()
	fmt.Println(locked, lockedOSThread(), x, took >= 200*time.Microsecond, getm() != 0)
	fmt.Println(iscgo, goarm, nowhere, vdsoClockgettimeSym != 0)

	var text []byte
	overrideWrite = func(fd uintptr, p unsafe.Pointer, n int32) int32 {
		text = append(text, unsafe.Slice((*byte)(p), n)...)
		return n
	}
	println("caught", 1.5)
	overrideWrite = nil
	fmt.Printf("%s", text)
}
