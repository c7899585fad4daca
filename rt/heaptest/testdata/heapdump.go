// A heap dump can be read by its documented format (https://go.dev/s/go15heapdump), and has the
// objects, pointers, variables, goroutines, frames, finalizers and cleanups that the program knows
// of.
package main

import (
	"bufio"
	"bytes"
	"encoding/binary"
	"fmt"
	"io"
	"os"
	"runtime"
	"runtime/debug"
	"slices"
	"unsafe"
)

type node struct {
	next *node
	data [5]uint64
}

var global *node

// dump is what was read. Addresses are kept as their complements: in maps with pointers, those of
// dead objects would look like pointers to the verifier of collections.
type dump struct {
	objects    map[uint64][]uint64 // by ^address: offsets of their pointers
	contents   map[uint64]string   // by ^address
	segments   []uint64            // words with pointers in data and bss
	goroutines map[uint64]string
	frames     []string
	types      map[uint64]string
	calls      map[uint64]string // by ^address: the types of a finalizer, or a cleanup
	in         *bufio.Reader
}

func (d *dump) number() uint64 {
	v, err := binary.ReadUvarint(d.in)
	if err != nil {
		panic(err)
	}
	return v
}

func (d *dump) numbers(n int) {
	for range n {
		d.number()
	}
}

func (d *dump) text() string {
	b := make([]byte, d.number())
	if _, err := io.ReadFull(d.in, b); err != nil {
		panic(err)
	}
	return string(b)
}

func (d *dump) fields() (offsets []uint64) {
	for {
		switch kind := d.number(); kind {
		case 0:
			return offsets
		case 1:
			offsets = append(offsets, d.number())
		default:
			panic(fmt.Sprint("field kind ", kind))
		}
	}
}

func word(s string, at uint64) uint64 { return binary.LittleEndian.Uint64([]byte(s[at : at+8])) }

func (d *dump) read() {
	if line, err := d.in.ReadString('\n'); line != "go1.7 heap dump\n" {
		panic(fmt.Sprint(line, err))
	}
	for {
		switch tag := d.number(); tag {
		case 0:
			if _, err := d.in.ReadByte(); err != io.EOF {
				panic("something after the end")
			}
			return
		case 1:
			addr := ^d.number()
			d.contents[addr] = d.text()
			d.objects[addr] = d.fields()
		case 2:
			d.text()
			d.number()
		case 3:
			addr := d.number()
			size := d.number()
			d.types[addr] = fmt.Sprint(d.text(), " ", size)
			d.number()
		case 4:
			d.numbers(2)
			id := d.number()
			d.numbers(5)
			d.goroutines[id] = d.text()
			d.numbers(4)
		case 5:
			d.numbers(3)
			d.text()
			d.numbers(3)
			d.frames = append(d.frames, d.text())
			d.fields()
		case 6:
			d.numbers(4)
			d.text()
			d.text()
			d.number()
		case 7, 11:
			addr := ^d.number()
			d.numbers(2)
			d.calls[addr] = fmt.Sprintf("%q", d.types[d.number()])
			d.calls[addr] += fmt.Sprintf(" %q", d.types[d.number()])
		case 8:
			d.numbers(2)
		case 9:
			d.numbers(3)
		case 10:
			d.numbers(24 + 256 + 1)
		case 12, 13:
			d.number()
			memory := d.text()
			for _, off := range d.fields() {
				d.segments = append(d.segments, word(memory, off))
			}
		case 14:
			d.numbers(7)
		case 15:
			d.numbers(6)
		case 16:
			d.numbers(2)
			for range d.number() {
				d.text()
				d.text()
				d.number()
			}
			d.numbers(2)
		case 17:
			d.numbers(2)
		default:
			panic(fmt.Sprint("tag ", tag))
		}
	}
}

//go:noinline
func waits(c chan bool) { <-c }

func main() {
	global = &node{next: &node{}}
	for i := range global.data {
		global.data[i] = 0x1122334455660000 + uint64(i)
	}
	finalized := &node{}
	runtime.SetFinalizer(finalized, func(*node) {})
	cleaned := &node{}
	runtime.AddCleanup(cleaned, func(int) {}, 1)
	c := make(chan bool)
	go waits(c)
	stacks := make([]byte, 64<<10)
	for !bytes.Contains(stacks[:runtime.Stack(stacks, true)], []byte("[chan receive]:\nmain.waits(")) {
		runtime.Gosched()
	}

	f, err := os.CreateTemp("", "heapdump")
	if err != nil {
		panic(err)
	}
	defer os.Remove(f.Name())
	debug.WriteHeapDump(f.Fd())
	f.Seek(0, 0)
	d := &dump{objects: map[uint64][]uint64{}, contents: map[uint64]string{}, goroutines: map[uint64]string{},
		types: map[uint64]string{}, calls: map[uint64]string{}, in: bufio.NewReader(f)}
	d.read()

	addr := uint64(uintptr(unsafe.Pointer(global)))
	fmt.Println("object", d.objects[^addr], len(d.contents[^addr]) == 48, word(d.contents[^addr], 24) == global.data[2])
	next := uint64(uintptr(unsafe.Pointer(global.next)))
	_, there := d.objects[^next]
	fmt.Println("next", word(d.contents[^addr], 0) == next, there)
	fmt.Println("global", slices.Contains(d.segments, addr))
	types, called := d.calls[^uint64(uintptr(unsafe.Pointer(finalized)))]
	fmt.Println("finalizer", called && (types == `"" ""` || types == `"func(*main.node) 8" "*main.node 8"`))
	if types := d.calls[^uint64(uintptr(unsafe.Pointer(cleaned)))]; types != "" && types != `"" ""` {
		fmt.Println("a cleanup has the types", types)
	}
	waiting := 0
	for _, reason := range d.goroutines {
		if reason == "chan receive" {
			waiting++
		}
	}
	fmt.Println("goroutine", waiting)
	fmt.Println("frames", slices.Contains(d.frames, "main.main"), slices.Contains(d.frames, "main.waits"))
	runtime.KeepAlive(finalized)
	runtime.KeepAlive(cleaned)
	close(c)
}
