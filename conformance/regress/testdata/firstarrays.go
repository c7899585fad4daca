// Memory of the frame in place of the heap: the first array of a slice that append lets grow, a map
// whose size is not known, bytes of a string that are only read, a converted part of a sum.
package main

import (
	"fmt"
	"runtime"
	"runtime/debug"
	"strings"
	"sync"
	"testing"
)

func sum(list []int) (n int) {
	for _, x := range list {
		n += x
	}
	return n
}

// grow lets a slice grow from nothing, past the memory of the frame.
func grow(n int) int {
	var list []int
	for i := range n {
		list = append(list, i*i)
	}
	return sum(list)
}

// rows has a new slice in each turn, while that of the turn before is still at hand.
func rows(n int) (total int) {
	var before []int
	for i := range n {
		var row []int
		for j := range i % 6 {
			row = append(row, i+j)
		}
		total += sum(before) - 2*sum(row)
		before = row
	}
	return total
}

// two lets two slices grow by one call of append, in turn.
func two(n int) (int, int) {
	var lists [2][]int16
	for i := range n {
		lists[i%2] = append(lists[i%2], int16(i))
	}
	a, b := 0, 0
	for _, x := range lists[0] {
		a = a*3 + int(x)
	}
	for _, x := range lists[1] {
		b = b*3 + int(x)
	}
	return a, b
}

// cut begins again with what has no room, and with what has.
func cut(n int) (total int) {
	var list []byte
	for i := range n {
		switch i % 5 {
		case 3:
			list = list[:0]
		case 4:
			list = list[:0:0]
		}
		list = append(list, byte(i), 'x')
		total = total*7 + len(list) + int(list[0])
	}
	return total
}

// pointers keeps the only references to objects in a slice, while there are collections.
func pointers(n int) (total int) {
	var list []*[4]int
	for i := range n {
		list = append(list, &[4]int{i, i, i, i})
		garbage = make([]byte, 1<<16)
	}
	for i, p := range list {
		if *p != [4]int{i, i, i, i} {
			panic("an object is lost")
		}
		total += p[0]
	}
	return total
}

// zeros sees the room beyond what is appended: it is zero in each turn.
func zeros(n int) (dirty int) {
	for i := range n {
		var list []byte
		list = append(list, byte(i+1))
		for _, c := range list[1:cap(list)] {
			if c != 0 {
				dirty++
			}
		}
		for j := range list[:cap(list)] {
			list[:cap(list)][j] = 0xff
		}
	}
	return dirty
}

// returned leaves the function by way of another slice.
func returned(n int) [][]int {
	var all [][]int
	for i := range n {
		var one []int
		one = append(one, i, i+1)
		all = append(all, one)
	}
	return all
}

// recursive has slices in many frames.
func recursive(n int) int {
	if n == 0 {
		return 0
	}
	var list []int
	list = append(list, n)
	below := recursive(n - 1)
	list = append(list, below)
	return sum(list)
}

// sized makes slices of any size, each zero.
func sized(n int) (total int) {
	for i := range n + 2 {
		list := make([]int, i)
		short := make([]uint16, i/3, n)
		total += sum(list)*100 + len(short) + cap(short)
		for j := range list {
			list[j] = j + 1
		}
		total += sum(list)
		short = append(short, uint16(i))
		total += int(short[len(short)-1])
	}
	return total
}

// hinted makes maps of any size.
func hinted(n int) int {
	m := make(map[int]int, n)
	for i := range 20 {
		m[i%12] += i
	}
	total := len(m)
	for k, v := range m {
		total += k * v
	}
	return total
}

// readBytes only reads.
func readBytes(s string) (n int) {
	for i, c := range []byte(s) {
		n += i * int(c)
	}
	b := []byte(s)
	var copied [4]byte
	copy(copied[:], b)
	return n + len(b) + int(copied[1])
}

// writtenBytes writes: the string must not change.
func writtenBytes(s string) string {
	b := []byte(s)
	for i := range b {
		b[i]++
	}
	return s + string(b)
}

var (
	texts   []string
	garbage []byte
	digits  = [10]byte{'0', '1', '2', '3', '4', '5', '6', '7', '8', '9'}
)

func main() {
	debug.SetGCPercent(5)
	for _, n := range []int{0, 1, 3, 4, 5, 9, 33} {
		fmt.Println(n, grow(n), rows(n), cut(n), pointers(n), zeros(n), returned(n), recursive(n), hinted(n), sized(n))
		fmt.Println(two(n))
	}
	fmt.Println(hinted(-1), readBytes(strings.Repeat("abc", 50)), writtenBytes("abcd"))
	fmt.Println(neverEmpty(digits[:], 2), neverEmpty(digits[:], 6))
	for _, n := range [][2]int{{-1, 0}, {3, 2}, {-1, -1}, {1, -2}, {2, 3}} {
		func() {
			defer func() { fmt.Println(recover()) }()
			list := make([]byte, n[0], n[1])
			fmt.Println(len(list), cap(list), len(make([]byte, n[0])))
		}()
	}
	func() {
		defer func() { fmt.Println(recover()) }()
		neverEmpty(digits[:], 7)
	}()
	var wait sync.WaitGroup
	for range 50 {
		wait.Go(func() {
			for n := range 40 {
				grow(n)
				rows(n)
				pointers(n % 7)
				runtime.Gosched()
			}
		})
	}
	wait.Wait()
	long := strings.Repeat("x", 100)
	small, large := 8, 100
	for name, f := range map[string]func(){
		"grow":    func() { grow(4) },
		"range":   func() { readBytes(long) },
		"make":    func() { sum(make([]int, small-5)) },
		"hint":    func() { m := make(map[int]int, small); m[0] = 1 },
		"sum":     func() { b := []byte("0123456789"); texts = append(texts[:0], "foo"+string(b)) },
		"no hint": func() { m := make(map[int]int, large); m[0] = 1 },
	} {
		n := testing.AllocsPerRun(100, f)
		if most := map[string]float64{"grow": 1, "sum": 1, "no hint": 8}[name]; n > most {
			fmt.Println(name, "allocates", n, "times")
		}
	}
	fmt.Println(bigEndian(0x12, 0x3456789a), bigEndian(0xff, 1))
}

// neverEmpty cuts by a bound and a constant.
func neverEmpty(b []byte, i int) string { return string(b[i:i+4]) + string(b[1:3]) }

// bigEndian stores the bytes of a number that is put together of parts.
func bigEndian(x byte, y uint32) (b [8]byte) {
	v := uint64(x)<<58 | uint64(y)<<16 | uint64(x)
	for range 2 {
		s := b[:]
		s[0], s[1], s[2], s[3] = byte(v>>56), byte(v>>48), byte(v>>40), byte(v>>32)
		s[4], s[5], s[6], s[7] = byte(v>>24), byte(v>>16), byte(v>>8), byte(v)
	}
	return b
}
