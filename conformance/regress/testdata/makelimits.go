// What make says of a length that is beyond the capacity: of numbers of all kinds, in the frame and
// in the heap.
package main

import "fmt"

func try(n string, f func() int) {
	defer func() {
		if r := recover(); r != nil {
			fmt.Println(n, r)
		}
	}()
	fmt.Println(n, f())
}

var sink []byte

func main() {
	u, u8, i, h, n8, u32 := uint64(1<<63+5), uint8(200), int64(-1), int64(1)<<60, int8(-1), uint32(1<<31)
	try("u stack", func() int { return len(make([]byte, u, 3)) })
	try("u heap", func() int { sink = make([]byte, u, 3); return len(sink) })
	try("u8 stack", func() int { return len(make([]byte, u8, 3)) })
	try("u8 heap", func() int { sink = make([]byte, u8, 3); return len(sink) })
	try("i stack", func() int { return len(make([]byte, i, 3)) })
	try("i heap", func() int { sink = make([]byte, i, 3); return len(sink) })
	try("h stack", func() int { return len(make([]byte, h, 3)) })
	try("h heap", func() int { sink = make([]byte, h, 3); return len(sink) })
	try("n8 stack", func() int { return len(make([]byte, n8, 3)) })
	try("n8 heap", func() int { sink = make([]byte, n8, 3); return len(sink) })
	try("u32 stack", func() int { return len(make([]byte, u32, 3)) })
	try("u32 heap", func() int { sink = make([]byte, u32, 3); return len(sink) })
	try("u stack nocap", func() int { return len(make([]byte, u)) })
	try("h stack nocap", func() int { return len(make([]byte, h)) })
	try("u big", func() int { return len(make([]byte, u, 100000)) })
	try("h big", func() int { return len(make([]byte, h, 100000)) })
	try("zero", func() int { return len(make([]struct{}, u, 3)) })
	try("zero h", func() int { return len(make([]struct{}, h, 3)) })
	try("h64", func() int { return len(make([][64]int, h>>13, 3)) })
	try("h64 heap", func() int { s := make([][64]int, h>>13, 3); fmt.Sprint(s); return len(s) })
	variable()
}

var (
	words                          []int32
	two, nine, none, below, beyond = 2, 9, 0, -1, 1 << 60
)

// variable tries capacities that only the program knows: gc keeps what is short in the frame.
func variable() {
	for _, n := range []int{-1, 0, 3, 10, 1 << 47, 1 << 62} {
		for _, c := range []int{two, nine, none, below, beyond} {
			at := fmt.Sprint(n, c)
			try("stack "+at, func() int { return len(make([]int32, n, c)) })
			if c <= 10 || n != 1<<47 {
				try("heap "+at, func() int { words = make([]int32, n, c); return len(words) })
			}
			try("unsigned "+at, func() int { return len(make([]int32, uint64(n), uint8(c))) })
			try("int8 "+at, func() int { return len(make([]int32, int8(n), uint64(c))) })
			try("no size "+at, func() int { return len(make([]struct{}, n, c)) })
			try("large "+at, func() int { return len(make([][40]byte, n, c)) })
			try("uintptr "+at, func() int { return len(make([]string, uintptr(n), c)) })
		}
	}
}
