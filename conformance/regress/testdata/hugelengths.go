// Lengths, bounds and indices that are constants to the compiler though not to the language: each
// integer type, with values at which a narrower type or a product with a size would wrap.
package main

import "fmt"

type wide struct{ a [1 << 20]byte }

var bytes8 = []byte("abcd")

//go:noinline
func sink(x any) {}

func try(what string, f func() any) {
	defer func() {
		if r := recover(); r != nil {
			fmt.Println(what, "panics:", r)
		}
	}()
	fmt.Println(what, f())
}

func length[T any](s []T) int { return len(s) }

func made[N interface {
	~int8 | ~int16 | ~int32 | ~int64 | ~int | ~uint8 | ~uint16 | ~uint32 | ~uint64 | ~uint | ~uintptr
}](n N) []byte {
	return make([]byte, n)
}

func main() {
	case1()
	case2()
	case3()
	case4()
	case5()
	case6()
	case7()
	case8()
	case9()
	case10()
	case11()
	case12()
	case13()
	case14()
	case15()
	case16()
	case17()
	case18()
	case19()
	case20()
	case21()
	case22()
	case23()
}

func case1() {
	try("int8 -1 make", func() any { n := int8(-1); s := make([]byte, n); return len(s) })
	try("int8 -1 make cap", func() any { n := int8(-1); s := make([]byte, 2, n); return cap(s) >= 2 })
	try("int8 -1 make wide", func() any { n := int8(-1); s := make([]wide, n); return len(s) })
	try("int8 -1 chan", func() any { n := int8(-1); c := make(chan int64, n); return cap(c) })
	try("int8 -1 inlined", func() any { n := int8(-1); return length(made(n)) })
	try("int8 -1 none", func() any { n := int8(-1); s := make([]struct{}, n); return len(s) })
	try("int8 -1 map", func() any { n := int8(-1); m := make(map[int]int, n); m[1] = 2; return len(m) })
	try("int8 -1 index", func() any { n := int8(-1); a := [4]int{1, 2, 3, 4}; return a[n] })
	try("int8 -1 slice index", func() any { n := int8(-1); return bytes8[n] })
	try("int8 -1 pointer index", func() any { n := int8(-1); a := &[4]int{1, 2, 3, 4}; sink(a); return a[n] })
	try("int8 -1 low", func() any { n := int8(-1); return len(bytes8[n:]) })
	try("int8 -1 high", func() any { n := int8(-1); return len(bytes8[:n]) })
	try("int8 -1 max", func() any { n := int8(-1); return cap(bytes8[0:0:n]) })
	try("int8 -1 shift", func() any { n := int8(-1); x := 5; return x << n })
}

func case2() {
	try("int8 5 make", func() any { n := int8(5); s := make([]byte, n); return len(s) })
	try("int8 5 make cap", func() any { n := int8(5); s := make([]byte, 2, n); return cap(s) >= 2 })
	try("int8 5 make wide", func() any { n := int8(5); s := make([]wide, n); return len(s) })
	try("int8 5 chan", func() any { n := int8(5); c := make(chan int64, n); return cap(c) })
	try("int8 5 inlined", func() any { n := int8(5); return length(made(n)) })
	try("int8 5 none", func() any { n := int8(5); s := make([]struct{}, n); return len(s) })
	try("int8 5 map", func() any { n := int8(5); m := make(map[int]int, n); m[1] = 2; return len(m) })
	try("int8 5 index", func() any { n := int8(5); a := [4]int{1, 2, 3, 4}; return a[n] })
	try("int8 5 slice index", func() any { n := int8(5); return bytes8[n] })
	try("int8 5 pointer index", func() any { n := int8(5); a := &[4]int{1, 2, 3, 4}; sink(a); return a[n] })
	try("int8 5 low", func() any { n := int8(5); return len(bytes8[n:]) })
	try("int8 5 high", func() any { n := int8(5); return len(bytes8[:n]) })
	try("int8 5 max", func() any { n := int8(5); return cap(bytes8[0:0:n]) })
}

func case3() {
	try("int64 -9223372036854775808 make", func() any { n := int64(-9223372036854775808); s := make([]byte, n); return len(s) })
	try("int64 -9223372036854775808 make cap", func() any { n := int64(-9223372036854775808); s := make([]byte, 2, n); return cap(s) >= 2 })
	try("int64 -9223372036854775808 make wide", func() any { n := int64(-9223372036854775808); s := make([]wide, n); return len(s) })
	try("int64 -9223372036854775808 chan", func() any { n := int64(-9223372036854775808); c := make(chan int64, n); return cap(c) })
	try("int64 -9223372036854775808 inlined", func() any { n := int64(-9223372036854775808); return length(made(n)) })
	try("int64 -9223372036854775808 none", func() any { n := int64(-9223372036854775808); s := make([]struct{}, n); return len(s) })
	try("int64 -9223372036854775808 map", func() any { n := int64(-9223372036854775808); m := make(map[int]int, n); m[1] = 2; return len(m) })
	try("int64 -9223372036854775808 index", func() any { n := int64(-9223372036854775808); a := [4]int{1, 2, 3, 4}; return a[n] })
	try("int64 -9223372036854775808 slice index", func() any { n := int64(-9223372036854775808); return bytes8[n] })
	try("int64 -9223372036854775808 pointer index", func() any { n := int64(-9223372036854775808); a := &[4]int{1, 2, 3, 4}; sink(a); return a[n] })
	try("int64 -9223372036854775808 low", func() any { n := int64(-9223372036854775808); return len(bytes8[n:]) })
	try("int64 -9223372036854775808 high", func() any { n := int64(-9223372036854775808); return len(bytes8[:n]) })
	try("int64 -9223372036854775808 max", func() any { n := int64(-9223372036854775808); return cap(bytes8[0:0:n]) })
	try("int64 -9223372036854775808 shift", func() any { n := int64(-9223372036854775808); x := 5; return x << n })
}

func case4() {
	try("int64 -129 make", func() any { n := int64(-129); s := make([]byte, n); return len(s) })
	try("int64 -129 make cap", func() any { n := int64(-129); s := make([]byte, 2, n); return cap(s) >= 2 })
	try("int64 -129 make wide", func() any { n := int64(-129); s := make([]wide, n); return len(s) })
	try("int64 -129 chan", func() any { n := int64(-129); c := make(chan int64, n); return cap(c) })
	try("int64 -129 inlined", func() any { n := int64(-129); return length(made(n)) })
	try("int64 -129 none", func() any { n := int64(-129); s := make([]struct{}, n); return len(s) })
	try("int64 -129 map", func() any { n := int64(-129); m := make(map[int]int, n); m[1] = 2; return len(m) })
	try("int64 -129 index", func() any { n := int64(-129); a := [4]int{1, 2, 3, 4}; return a[n] })
	try("int64 -129 slice index", func() any { n := int64(-129); return bytes8[n] })
	try("int64 -129 pointer index", func() any { n := int64(-129); a := &[4]int{1, 2, 3, 4}; sink(a); return a[n] })
	try("int64 -129 low", func() any { n := int64(-129); return len(bytes8[n:]) })
	try("int64 -129 high", func() any { n := int64(-129); return len(bytes8[:n]) })
	try("int64 -129 max", func() any { n := int64(-129); return cap(bytes8[0:0:n]) })
	try("int64 -129 shift", func() any { n := int64(-129); x := 5; return x << n })
}

func case5() {
	try("int64 -1 make", func() any { n := int64(-1); s := make([]byte, n); return len(s) })
	try("int64 -1 make cap", func() any { n := int64(-1); s := make([]byte, 2, n); return cap(s) >= 2 })
	try("int64 -1 make wide", func() any { n := int64(-1); s := make([]wide, n); return len(s) })
	try("int64 -1 chan", func() any { n := int64(-1); c := make(chan int64, n); return cap(c) })
	try("int64 -1 inlined", func() any { n := int64(-1); return length(made(n)) })
	try("int64 -1 none", func() any { n := int64(-1); s := make([]struct{}, n); return len(s) })
	try("int64 -1 map", func() any { n := int64(-1); m := make(map[int]int, n); m[1] = 2; return len(m) })
	try("int64 -1 index", func() any { n := int64(-1); a := [4]int{1, 2, 3, 4}; return a[n] })
	try("int64 -1 slice index", func() any { n := int64(-1); return bytes8[n] })
	try("int64 -1 pointer index", func() any { n := int64(-1); a := &[4]int{1, 2, 3, 4}; sink(a); return a[n] })
	try("int64 -1 low", func() any { n := int64(-1); return len(bytes8[n:]) })
	try("int64 -1 high", func() any { n := int64(-1); return len(bytes8[:n]) })
	try("int64 -1 string", func() any { n := int64(-1); return len("abcdef"[n:]) })
	try("int64 -1 shift", func() any { n := int64(-1); x := 5; return x << n })
}

func case6() {
	try("int64 5 make", func() any { n := int64(5); s := make([]byte, n); return len(s) })
	try("int64 5 make cap", func() any { n := int64(5); s := make([]byte, 2, n); return cap(s) >= 2 })
	try("int64 5 make wide", func() any { n := int64(5); s := make([]wide, n); return len(s) })
	try("int64 5 chan", func() any { n := int64(5); c := make(chan int64, n); return cap(c) })
	try("int64 5 inlined", func() any { n := int64(5); return length(made(n)) })
	try("int64 5 append", func() any { n := int64(5); return len(append([]byte(nil), make([]byte, n)...)) })
	try("int64 5 none", func() any { n := int64(5); s := make([]struct{}, n); return len(s) })
	try("int64 5 map", func() any { n := int64(5); m := make(map[int]int, n); m[1] = 2; return len(m) })
	try("int64 5 index", func() any { n := int64(5); a := [4]int{1, 2, 3, 4}; return a[n] })
	try("int64 5 slice index", func() any { n := int64(5); return bytes8[n] })
	try("int64 5 pointer index", func() any { n := int64(5); a := &[4]int{1, 2, 3, 4}; sink(a); return a[n] })
	try("int64 5 low", func() any { n := int64(5); return len(bytes8[n:]) })
	try("int64 5 high", func() any { n := int64(5); return len(bytes8[:n]) })
	try("int64 5 string", func() any { n := int64(5); return len("abcdef"[n:]) })
}

func case7() {
	try("int64 2305843009213693953 make", func() any { n := int64(2305843009213693953); s := make([]byte, n); return len(s) })
	try("int64 2305843009213693953 make cap", func() any { n := int64(2305843009213693953); s := make([]byte, 2, n); return cap(s) >= 2 })
	try("int64 2305843009213693953 make wide", func() any { n := int64(2305843009213693953); s := make([]wide, n); return len(s) })
	try("int64 2305843009213693953 chan", func() any { n := int64(2305843009213693953); c := make(chan int64, n); return cap(c) })
	try("int64 2305843009213693953 inlined", func() any { n := int64(2305843009213693953); return length(made(n)) })
	try("int64 2305843009213693953 none", func() any { n := int64(2305843009213693953); s := make([]struct{}, n); return len(s) })
	try("int64 2305843009213693953 map", func() any { n := int64(2305843009213693953); m := make(map[int]int, n); m[1] = 2; return len(m) })
	try("int64 2305843009213693953 index", func() any { n := int64(2305843009213693953); a := [4]int{1, 2, 3, 4}; return a[n] })
	try("int64 2305843009213693953 slice index", func() any { n := int64(2305843009213693953); return bytes8[n] })
	try("int64 2305843009213693953 pointer index", func() any { n := int64(2305843009213693953); a := &[4]int{1, 2, 3, 4}; sink(a); return a[n] })
	try("int64 2305843009213693953 low", func() any { n := int64(2305843009213693953); return len(bytes8[n:]) })
	try("int64 2305843009213693953 high", func() any { n := int64(2305843009213693953); return len(bytes8[:n]) })
	try("int64 2305843009213693953 max", func() any { n := int64(2305843009213693953); return cap(bytes8[0:0:n]) })
	try("int64 2305843009213693953 shift", func() any { n := int64(2305843009213693953); x := 5; return x << n })
}

func case8() {
	try("int64 9223372036854775807 make", func() any { n := int64(9223372036854775807); s := make([]byte, n); return len(s) })
	try("int64 9223372036854775807 make cap", func() any { n := int64(9223372036854775807); s := make([]byte, 2, n); return cap(s) >= 2 })
	try("int64 9223372036854775807 make wide", func() any { n := int64(9223372036854775807); s := make([]wide, n); return len(s) })
	try("int64 9223372036854775807 chan", func() any { n := int64(9223372036854775807); c := make(chan int64, n); return cap(c) })
	try("int64 9223372036854775807 inlined", func() any { n := int64(9223372036854775807); return length(made(n)) })
	try("int64 9223372036854775807 none", func() any { n := int64(9223372036854775807); s := make([]struct{}, n); return len(s) })
	try("int64 9223372036854775807 map", func() any { n := int64(9223372036854775807); m := make(map[int]int, n); m[1] = 2; return len(m) })
	try("int64 9223372036854775807 index", func() any { n := int64(9223372036854775807); a := [4]int{1, 2, 3, 4}; return a[n] })
	try("int64 9223372036854775807 slice index", func() any { n := int64(9223372036854775807); return bytes8[n] })
	try("int64 9223372036854775807 pointer index", func() any { n := int64(9223372036854775807); a := &[4]int{1, 2, 3, 4}; sink(a); return a[n] })
	try("int64 9223372036854775807 low", func() any { n := int64(9223372036854775807); return len(bytes8[n:]) })
	try("int64 9223372036854775807 high", func() any { n := int64(9223372036854775807); return len(bytes8[:n]) })
	try("int64 9223372036854775807 max", func() any { n := int64(9223372036854775807); return cap(bytes8[0:0:n]) })
	try("int64 9223372036854775807 shift", func() any { n := int64(9223372036854775807); x := 5; return x << n })
}

func case9() {
	try("int -1 make", func() any { n := int(-1); s := make([]byte, n); return len(s) })
	try("int -1 make cap", func() any { n := int(-1); s := make([]byte, 2, n); return cap(s) >= 2 })
	try("int -1 make wide", func() any { n := int(-1); s := make([]wide, n); return len(s) })
	try("int -1 chan", func() any { n := int(-1); c := make(chan int64, n); return cap(c) })
	try("int -1 inlined", func() any { n := int(-1); return length(made(n)) })
	try("int -1 none", func() any { n := int(-1); s := make([]struct{}, n); return len(s) })
	try("int -1 map", func() any { n := int(-1); m := make(map[int]int, n); m[1] = 2; return len(m) })
	try("int -1 index", func() any { n := int(-1); a := [4]int{1, 2, 3, 4}; return a[n] })
	try("int -1 slice index", func() any { n := int(-1); return bytes8[n] })
	try("int -1 pointer index", func() any { n := int(-1); a := &[4]int{1, 2, 3, 4}; sink(a); return a[n] })
	try("int -1 low", func() any { n := int(-1); return len(bytes8[n:]) })
	try("int -1 high", func() any { n := int(-1); return len(bytes8[:n]) })
	try("int -1 max", func() any { n := int(-1); return cap(bytes8[0:0:n]) })
	try("int -1 shift", func() any { n := int(-1); x := 5; return x << n })
}

func case10() {
	try("int 4611686018427387904 make", func() any { n := int(4611686018427387904); s := make([]byte, n); return len(s) })
	try("int 4611686018427387904 make cap", func() any { n := int(4611686018427387904); s := make([]byte, 2, n); return cap(s) >= 2 })
	try("int 4611686018427387904 make wide", func() any { n := int(4611686018427387904); s := make([]wide, n); return len(s) })
	try("int 4611686018427387904 chan", func() any { n := int(4611686018427387904); c := make(chan int64, n); return cap(c) })
	try("int 4611686018427387904 inlined", func() any { n := int(4611686018427387904); return length(made(n)) })
	try("int 4611686018427387904 append", func() any { n := int(4611686018427387904); return len(append([]byte(nil), make([]byte, n)...)) })
	try("int 4611686018427387904 none", func() any { n := int(4611686018427387904); s := make([]struct{}, n); return len(s) })
	try("int 4611686018427387904 map", func() any { n := int(4611686018427387904); m := make(map[int]int, n); m[1] = 2; return len(m) })
	try("int 4611686018427387904 index", func() any { n := int(4611686018427387904); a := [4]int{1, 2, 3, 4}; return a[n] })
	try("int 4611686018427387904 slice index", func() any { n := int(4611686018427387904); return bytes8[n] })
	try("int 4611686018427387904 pointer index", func() any { n := int(4611686018427387904); a := &[4]int{1, 2, 3, 4}; sink(a); return a[n] })
	try("int 4611686018427387904 low", func() any { n := int(4611686018427387904); return len(bytes8[n:]) })
	try("int 4611686018427387904 high", func() any { n := int(4611686018427387904); return len(bytes8[:n]) })
	try("int 4611686018427387904 max", func() any { n := int(4611686018427387904); return cap(bytes8[0:0:n]) })
	try("int 4611686018427387904 shift", func() any { n := int(4611686018427387904); x := 5; return x << n })
}

func case11() {
	try("int 9223372036854775807 make", func() any { n := int(9223372036854775807); s := make([]byte, n); return len(s) })
	try("int 9223372036854775807 make cap", func() any { n := int(9223372036854775807); s := make([]byte, 2, n); return cap(s) >= 2 })
	try("int 9223372036854775807 make wide", func() any { n := int(9223372036854775807); s := make([]wide, n); return len(s) })
	try("int 9223372036854775807 chan", func() any { n := int(9223372036854775807); c := make(chan int64, n); return cap(c) })
	try("int 9223372036854775807 inlined", func() any { n := int(9223372036854775807); return length(made(n)) })
	try("int 9223372036854775807 none", func() any { n := int(9223372036854775807); s := make([]struct{}, n); return len(s) })
	try("int 9223372036854775807 map", func() any { n := int(9223372036854775807); m := make(map[int]int, n); m[1] = 2; return len(m) })
	try("int 9223372036854775807 index", func() any { n := int(9223372036854775807); a := [4]int{1, 2, 3, 4}; return a[n] })
	try("int 9223372036854775807 slice index", func() any { n := int(9223372036854775807); return bytes8[n] })
	try("int 9223372036854775807 pointer index", func() any { n := int(9223372036854775807); a := &[4]int{1, 2, 3, 4}; sink(a); return a[n] })
	try("int 9223372036854775807 low", func() any { n := int(9223372036854775807); return len(bytes8[n:]) })
	try("int 9223372036854775807 high", func() any { n := int(9223372036854775807); return len(bytes8[:n]) })
	try("int 9223372036854775807 string", func() any { n := int(9223372036854775807); return len("abcdef"[n:]) })
	try("int 9223372036854775807 shift", func() any { n := int(9223372036854775807); x := 5; return x << n })
}

func case12() {
	try("uint8 127 make", func() any { n := uint8(127); s := make([]byte, n); return len(s) })
	try("uint8 127 make cap", func() any { n := uint8(127); s := make([]byte, 2, n); return cap(s) >= 2 })
	try("uint8 127 make wide", func() any { n := uint8(127); return n })
	try("uint8 127 chan", func() any { n := uint8(127); c := make(chan int64, n); return cap(c) })
	try("uint8 127 inlined", func() any { n := uint8(127); return length(made(n)) })
	try("uint8 127 append", func() any { n := uint8(127); return len(append([]byte(nil), make([]byte, n)...)) })
	try("uint8 127 none", func() any { n := uint8(127); s := make([]struct{}, n); return len(s) })
	try("uint8 127 map", func() any { n := uint8(127); m := make(map[int]int, n); m[1] = 2; return len(m) })
	try("uint8 127 index", func() any { n := uint8(127); a := [4]int{1, 2, 3, 4}; return a[n] })
	try("uint8 127 slice index", func() any { n := uint8(127); return bytes8[n] })
	try("uint8 127 pointer index", func() any { n := uint8(127); a := &[4]int{1, 2, 3, 4}; sink(a); return a[n] })
	try("uint8 127 low", func() any { n := uint8(127); return len(bytes8[n:]) })
	try("uint8 127 high", func() any { n := uint8(127); return len(bytes8[:n]) })
	try("uint8 127 max", func() any { n := uint8(127); return cap(bytes8[0:0:n]) })
	try("uint8 127 shift", func() any { n := uint8(127); x := 5; return x << n })
}

func case13() {
	try("uint32 3 make", func() any { n := uint32(3); s := make([]byte, n); return len(s) })
	try("uint32 3 make cap", func() any { n := uint32(3); s := make([]byte, 2, n); return cap(s) >= 2 })
	try("uint32 3 make wide", func() any { n := uint32(3); s := make([]wide, n); return len(s) })
	try("uint32 3 chan", func() any { n := uint32(3); c := make(chan int64, n); return cap(c) })
	try("uint32 3 inlined", func() any { n := uint32(3); return length(made(n)) })
	try("uint32 3 none", func() any { n := uint32(3); s := make([]struct{}, n); return len(s) })
	try("uint32 3 map", func() any { n := uint32(3); m := make(map[int]int, n); m[1] = 2; return len(m) })
	try("uint32 3 index", func() any { n := uint32(3); a := [4]int{1, 2, 3, 4}; return a[n] })
	try("uint32 3 slice index", func() any { n := uint32(3); return bytes8[n] })
	try("uint32 3 pointer index", func() any { n := uint32(3); a := &[4]int{1, 2, 3, 4}; sink(a); return a[n] })
	try("uint32 3 low", func() any { n := uint32(3); return len(bytes8[n:]) })
	try("uint32 3 high", func() any { n := uint32(3); return len(bytes8[:n]) })
	try("uint32 3 max", func() any { n := uint32(3); return cap(bytes8[0:0:n]) })
}

func case14() {
	try("uint32 2147483648 none", func() any { n := uint32(2147483648); s := make([]struct{}, n); return len(s) })
	try("uint32 2147483648 index", func() any { n := uint32(2147483648); a := [4]int{1, 2, 3, 4}; return a[n] })
	try("uint32 2147483648 slice index", func() any { n := uint32(2147483648); return bytes8[n] })
	try("uint32 2147483648 pointer index", func() any { n := uint32(2147483648); a := &[4]int{1, 2, 3, 4}; sink(a); return a[n] })
	try("uint32 2147483648 low", func() any { n := uint32(2147483648); return len(bytes8[n:]) })
	try("uint32 2147483648 high", func() any { n := uint32(2147483648); return len(bytes8[:n]) })
	try("uint32 2147483648 string", func() any { n := uint32(2147483648); return len("abcdef"[n:]) })
	try("uint32 2147483648 shift", func() any { n := uint32(2147483648); x := 5; return x << n })
}

func case15() {
	try("uint64 5 make", func() any { n := uint64(5); s := make([]byte, n); return len(s) })
	try("uint64 5 make cap", func() any { n := uint64(5); s := make([]byte, 2, n); return cap(s) >= 2 })
	try("uint64 5 make wide", func() any { n := uint64(5); s := make([]wide, n); return len(s) })
	try("uint64 5 chan", func() any { n := uint64(5); c := make(chan int64, n); return cap(c) })
	try("uint64 5 inlined", func() any { n := uint64(5); return length(made(n)) })
	try("uint64 5 none", func() any { n := uint64(5); s := make([]struct{}, n); return len(s) })
	try("uint64 5 map", func() any { n := uint64(5); m := make(map[int]int, n); m[1] = 2; return len(m) })
	try("uint64 5 index", func() any { n := uint64(5); a := [4]int{1, 2, 3, 4}; return a[n] })
	try("uint64 5 slice index", func() any { n := uint64(5); return bytes8[n] })
	try("uint64 5 pointer index", func() any { n := uint64(5); a := &[4]int{1, 2, 3, 4}; sink(a); return a[n] })
	try("uint64 5 low", func() any { n := uint64(5); return len(bytes8[n:]) })
	try("uint64 5 high", func() any { n := uint64(5); return len(bytes8[:n]) })
	try("uint64 5 string", func() any { n := uint64(5); return len("abcdef"[n:]) })
}

func case16() {
	try("uint64 4294967299 none", func() any { n := uint64(4294967299); s := make([]struct{}, n); return len(s) })
	try("uint64 4294967299 index", func() any { n := uint64(4294967299); a := [4]int{1, 2, 3, 4}; return a[n] })
	try("uint64 4294967299 slice index", func() any { n := uint64(4294967299); return bytes8[n] })
	try("uint64 4294967299 pointer index", func() any { n := uint64(4294967299); a := &[4]int{1, 2, 3, 4}; sink(a); return a[n] })
	try("uint64 4294967299 low", func() any { n := uint64(4294967299); return len(bytes8[n:]) })
	try("uint64 4294967299 high", func() any { n := uint64(4294967299); return len(bytes8[:n]) })
	try("uint64 4294967299 string", func() any { n := uint64(4294967299); return len("abcdef"[n:]) })
	try("uint64 4294967299 shift", func() any { n := uint64(4294967299); x := 5; return x << n })
}

func case17() {
	try("uint64 2305843009213693953 make", func() any { n := uint64(2305843009213693953); s := make([]byte, n); return len(s) })
	try("uint64 2305843009213693953 make cap", func() any { n := uint64(2305843009213693953); s := make([]byte, 2, n); return cap(s) >= 2 })
	try("uint64 2305843009213693953 make wide", func() any { n := uint64(2305843009213693953); s := make([]wide, n); return len(s) })
	try("uint64 2305843009213693953 chan", func() any { n := uint64(2305843009213693953); c := make(chan int64, n); return cap(c) })
	try("uint64 2305843009213693953 inlined", func() any { n := uint64(2305843009213693953); return length(made(n)) })
	try("uint64 2305843009213693953 none", func() any { n := uint64(2305843009213693953); s := make([]struct{}, n); return len(s) })
	try("uint64 2305843009213693953 map", func() any { n := uint64(2305843009213693953); m := make(map[int]int, n); m[1] = 2; return len(m) })
	try("uint64 2305843009213693953 index", func() any { n := uint64(2305843009213693953); a := [4]int{1, 2, 3, 4}; return a[n] })
	try("uint64 2305843009213693953 slice index", func() any { n := uint64(2305843009213693953); return bytes8[n] })
	try("uint64 2305843009213693953 pointer index", func() any { n := uint64(2305843009213693953); a := &[4]int{1, 2, 3, 4}; sink(a); return a[n] })
	try("uint64 2305843009213693953 low", func() any { n := uint64(2305843009213693953); return len(bytes8[n:]) })
	try("uint64 2305843009213693953 high", func() any { n := uint64(2305843009213693953); return len(bytes8[:n]) })
	try("uint64 2305843009213693953 max", func() any { n := uint64(2305843009213693953); return cap(bytes8[0:0:n]) })
	try("uint64 2305843009213693953 shift", func() any { n := uint64(2305843009213693953); x := 5; return x << n })
}

func case18() {
	try("uint64 9223372036854775807 make", func() any { n := uint64(9223372036854775807); s := make([]byte, n); return len(s) })
	try("uint64 9223372036854775807 make cap", func() any { n := uint64(9223372036854775807); s := make([]byte, 2, n); return cap(s) >= 2 })
	try("uint64 9223372036854775807 make wide", func() any { n := uint64(9223372036854775807); s := make([]wide, n); return len(s) })
	try("uint64 9223372036854775807 chan", func() any { n := uint64(9223372036854775807); c := make(chan int64, n); return cap(c) })
	try("uint64 9223372036854775807 inlined", func() any { n := uint64(9223372036854775807); return length(made(n)) })
	try("uint64 9223372036854775807 append", func() any { n := uint64(9223372036854775807); return len(append([]byte(nil), make([]byte, n)...)) })
	try("uint64 9223372036854775807 none", func() any { n := uint64(9223372036854775807); s := make([]struct{}, n); return len(s) })
	try("uint64 9223372036854775807 map", func() any { n := uint64(9223372036854775807); m := make(map[int]int, n); m[1] = 2; return len(m) })
	try("uint64 9223372036854775807 index", func() any { n := uint64(9223372036854775807); a := [4]int{1, 2, 3, 4}; return a[n] })
	try("uint64 9223372036854775807 slice index", func() any { n := uint64(9223372036854775807); return bytes8[n] })
	try("uint64 9223372036854775807 pointer index", func() any { n := uint64(9223372036854775807); a := &[4]int{1, 2, 3, 4}; sink(a); return a[n] })
	try("uint64 9223372036854775807 low", func() any { n := uint64(9223372036854775807); return len(bytes8[n:]) })
	try("uint64 9223372036854775807 high", func() any { n := uint64(9223372036854775807); return len(bytes8[:n]) })
	try("uint64 9223372036854775807 max", func() any { n := uint64(9223372036854775807); return cap(bytes8[0:0:n]) })
	try("uint64 9223372036854775807 shift", func() any { n := uint64(9223372036854775807); x := 5; return x << n })
}

func case19() {
	try("uint64 9223372036854775808 make", func() any { n := uint64(9223372036854775808); s := make([]byte, n); return len(s) })
	try("uint64 9223372036854775808 make cap", func() any { n := uint64(9223372036854775808); s := make([]byte, 2, n); return cap(s) >= 2 })
	try("uint64 9223372036854775808 make wide", func() any { n := uint64(9223372036854775808); s := make([]wide, n); return len(s) })
	try("uint64 9223372036854775808 chan", func() any { n := uint64(9223372036854775808); c := make(chan int64, n); return cap(c) })
	try("uint64 9223372036854775808 inlined", func() any { n := uint64(9223372036854775808); return length(made(n)) })
	try("uint64 9223372036854775808 none", func() any { n := uint64(9223372036854775808); s := make([]struct{}, n); return len(s) })
	try("uint64 9223372036854775808 map", func() any { n := uint64(9223372036854775808); m := make(map[int]int, n); m[1] = 2; return len(m) })
	try("uint64 9223372036854775808 index", func() any { n := uint64(9223372036854775808); a := [4]int{1, 2, 3, 4}; return a[n] })
	try("uint64 9223372036854775808 slice index", func() any { n := uint64(9223372036854775808); return bytes8[n] })
	try("uint64 9223372036854775808 pointer index", func() any { n := uint64(9223372036854775808); a := &[4]int{1, 2, 3, 4}; sink(a); return a[n] })
	try("uint64 9223372036854775808 low", func() any { n := uint64(9223372036854775808); return len(bytes8[n:]) })
	try("uint64 9223372036854775808 high", func() any { n := uint64(9223372036854775808); return len(bytes8[:n]) })
	try("uint64 9223372036854775808 string", func() any { n := uint64(9223372036854775808); return len("abcdef"[n:]) })
	try("uint64 9223372036854775808 shift", func() any { n := uint64(9223372036854775808); x := 5; return x << n })
}

func case20() {
	try("uint64 9223372036854775813 make", func() any { n := uint64(9223372036854775813); s := make([]byte, n); return len(s) })
	try("uint64 9223372036854775813 make cap", func() any { n := uint64(9223372036854775813); s := make([]byte, 2, n); return cap(s) >= 2 })
	try("uint64 9223372036854775813 make wide", func() any { n := uint64(9223372036854775813); s := make([]wide, n); return len(s) })
	try("uint64 9223372036854775813 chan", func() any { n := uint64(9223372036854775813); c := make(chan int64, n); return cap(c) })
	try("uint64 9223372036854775813 inlined", func() any { n := uint64(9223372036854775813); return length(made(n)) })
	try("uint64 9223372036854775813 none", func() any { n := uint64(9223372036854775813); s := make([]struct{}, n); return len(s) })
	try("uint64 9223372036854775813 map", func() any { n := uint64(9223372036854775813); m := make(map[int]int, n); m[1] = 2; return len(m) })
	try("uint64 9223372036854775813 index", func() any { n := uint64(9223372036854775813); a := [4]int{1, 2, 3, 4}; return a[n] })
	try("uint64 9223372036854775813 slice index", func() any { n := uint64(9223372036854775813); return bytes8[n] })
	try("uint64 9223372036854775813 pointer index", func() any { n := uint64(9223372036854775813); a := &[4]int{1, 2, 3, 4}; sink(a); return a[n] })
	try("uint64 9223372036854775813 low", func() any { n := uint64(9223372036854775813); return len(bytes8[n:]) })
	try("uint64 9223372036854775813 high", func() any { n := uint64(9223372036854775813); return len(bytes8[:n]) })
	try("uint64 9223372036854775813 max", func() any { n := uint64(9223372036854775813); return cap(bytes8[0:0:n]) })
	try("uint64 9223372036854775813 shift", func() any { n := uint64(9223372036854775813); x := 5; return x << n })
}

func case21() {
	try("uint64 18446744073709551615 make", func() any { n := uint64(18446744073709551615); s := make([]byte, n); return len(s) })
	try("uint64 18446744073709551615 make cap", func() any { n := uint64(18446744073709551615); s := make([]byte, 2, n); return cap(s) >= 2 })
	try("uint64 18446744073709551615 make wide", func() any { n := uint64(18446744073709551615); s := make([]wide, n); return len(s) })
	try("uint64 18446744073709551615 chan", func() any { n := uint64(18446744073709551615); c := make(chan int64, n); return cap(c) })
	try("uint64 18446744073709551615 inlined", func() any { n := uint64(18446744073709551615); return length(made(n)) })
	try("uint64 18446744073709551615 append", func() any { n := uint64(18446744073709551615); return len(append([]byte(nil), make([]byte, n)...)) })
	try("uint64 18446744073709551615 none", func() any { n := uint64(18446744073709551615); s := make([]struct{}, n); return len(s) })
	try("uint64 18446744073709551615 map", func() any { n := uint64(18446744073709551615); m := make(map[int]int, n); m[1] = 2; return len(m) })
	try("uint64 18446744073709551615 index", func() any { n := uint64(18446744073709551615); a := [4]int{1, 2, 3, 4}; return a[n] })
	try("uint64 18446744073709551615 slice index", func() any { n := uint64(18446744073709551615); return bytes8[n] })
	try("uint64 18446744073709551615 pointer index", func() any { n := uint64(18446744073709551615); a := &[4]int{1, 2, 3, 4}; sink(a); return a[n] })
	try("uint64 18446744073709551615 low", func() any { n := uint64(18446744073709551615); return len(bytes8[n:]) })
	try("uint64 18446744073709551615 high", func() any { n := uint64(18446744073709551615); return len(bytes8[:n]) })
	try("uint64 18446744073709551615 string", func() any { n := uint64(18446744073709551615); return len("abcdef"[n:]) })
	try("uint64 18446744073709551615 shift", func() any { n := uint64(18446744073709551615); x := 5; return x << n })
}

func case22() {
	try("uint 9223372036854775813 make", func() any { n := uint(9223372036854775813); s := make([]byte, n); return len(s) })
	try("uint 9223372036854775813 make cap", func() any { n := uint(9223372036854775813); s := make([]byte, 2, n); return cap(s) >= 2 })
	try("uint 9223372036854775813 make wide", func() any { n := uint(9223372036854775813); s := make([]wide, n); return len(s) })
	try("uint 9223372036854775813 chan", func() any { n := uint(9223372036854775813); c := make(chan int64, n); return cap(c) })
	try("uint 9223372036854775813 inlined", func() any { n := uint(9223372036854775813); return length(made(n)) })
	try("uint 9223372036854775813 none", func() any { n := uint(9223372036854775813); s := make([]struct{}, n); return len(s) })
	try("uint 9223372036854775813 map", func() any { n := uint(9223372036854775813); m := make(map[int]int, n); m[1] = 2; return len(m) })
	try("uint 9223372036854775813 index", func() any { n := uint(9223372036854775813); a := [4]int{1, 2, 3, 4}; return a[n] })
	try("uint 9223372036854775813 slice index", func() any { n := uint(9223372036854775813); return bytes8[n] })
	try("uint 9223372036854775813 pointer index", func() any { n := uint(9223372036854775813); a := &[4]int{1, 2, 3, 4}; sink(a); return a[n] })
	try("uint 9223372036854775813 low", func() any { n := uint(9223372036854775813); return len(bytes8[n:]) })
	try("uint 9223372036854775813 high", func() any { n := uint(9223372036854775813); return len(bytes8[:n]) })
	try("uint 9223372036854775813 max", func() any { n := uint(9223372036854775813); return cap(bytes8[0:0:n]) })
	try("uint 9223372036854775813 shift", func() any { n := uint(9223372036854775813); x := 5; return x << n })
}

func case23() {
	try("uintptr 18446744073709551615 make", func() any { n := uintptr(18446744073709551615); s := make([]byte, n); return len(s) })
	try("uintptr 18446744073709551615 make cap", func() any { n := uintptr(18446744073709551615); s := make([]byte, 2, n); return cap(s) >= 2 })
	try("uintptr 18446744073709551615 make wide", func() any { n := uintptr(18446744073709551615); s := make([]wide, n); return len(s) })
	try("uintptr 18446744073709551615 chan", func() any { n := uintptr(18446744073709551615); c := make(chan int64, n); return cap(c) })
	try("uintptr 18446744073709551615 inlined", func() any { n := uintptr(18446744073709551615); return length(made(n)) })
	try("uintptr 18446744073709551615 none", func() any { n := uintptr(18446744073709551615); s := make([]struct{}, n); return len(s) })
	try("uintptr 18446744073709551615 map", func() any { n := uintptr(18446744073709551615); m := make(map[int]int, n); m[1] = 2; return len(m) })
	try("uintptr 18446744073709551615 index", func() any { n := uintptr(18446744073709551615); a := [4]int{1, 2, 3, 4}; return a[n] })
	try("uintptr 18446744073709551615 slice index", func() any { n := uintptr(18446744073709551615); return bytes8[n] })
	try("uintptr 18446744073709551615 pointer index", func() any { n := uintptr(18446744073709551615); a := &[4]int{1, 2, 3, 4}; sink(a); return a[n] })
	try("uintptr 18446744073709551615 low", func() any { n := uintptr(18446744073709551615); return len(bytes8[n:]) })
	try("uintptr 18446744073709551615 high", func() any { n := uintptr(18446744073709551615); return len(bytes8[:n]) })
	try("uintptr 18446744073709551615 string", func() any { n := uintptr(18446744073709551615); return len("abcdef"[n:]) })
	try("uintptr 18446744073709551615 shift", func() any { n := uintptr(18446744073709551615); x := 5; return x << n })
}
