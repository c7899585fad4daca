// What Callers shows, in a deferred function, of the functions of the run-time system that have
// found the fault: loggers skip a number of frames, or look for names.
package main

import (
	"errors"
	"fmt"
	"reflect"
	"runtime"
	"strings"
	"unsafe"
)

type big struct{ a, b, c int }

var (
	nilS    map[string]int
	nil64   map[int64]int
	nil32   map[int32]int
	nilP    map[*int]int
	nilB    map[big]int
	nilU32  map[uint32]*int
	nilI    map[any]int
	gotI    = map[any]int{}
	arr     [4]int
	sl      = []int{1, 2, 3}
	str     = "abc"
	idx     = 10
	neg     = -1
	zero    = 0
	nilptr  *big
	iface   any = 3
	nilif   any
	errif   error
	uncmp   any = []int{1}
	closed      = func() chan int { c := make(chan int); close(c); return c }()
	closedB     = func() chan int { c := make(chan int, 1); close(c); return c }()
	nilch   chan int
	nilfn   func()
	farr    []float64
	huge    = 1 << 62
	sink    any
	sink2   int
	str0    fmt.Stringer
)

type failure struct {
	name string
	f    func()
}

var all = []failure{
	{"mapassign_faststr", func() { nilS["a"] = 1 }},
	{"mapassign_fast64", func() { nil64[1] = 1 }},
	{"mapassign_fast32", func() { nil32[1] = 1 }},
	{"mapassign_fastptr", func() { nilP[&idx] = 1 }},
	{"mapassign", func() { nilB[big{}] = 1 }},
	{"mapassign_u32ptr", func() { nilU32[3] = &idx }},
	{"mapassign_op", func() { nilS["a"] += 1 }},
	{"mapassign_iface", func() { nilI[1] = 1 }},
	{"mapassign_uncmp", func() { gotI[uncmp] = 1 }},
	{"mapaccess2_uncmp", func() { _, ok := gotI[uncmp]; sink = ok }},
	{"mapdelete_uncmp", func() { delete(gotI, uncmp) }},
	{"maplit_uncmp", func() { sink = map[any]int{uncmp: 1} }},
	{"chansend_closed", func() { closed <- 1 }},
	{"chansend_closedB", func() { closedB <- 1 }},
	{"select_send_closed", func() {
		select {
		case closed <- 1:
		case <-nilch:
		}
	}},
	{"select_send_closed_default", func() {
		select {
		case closed <- 1:
		default:
		}
	}},
	{"close_closed", func() { close(closed) }},
	{"close_nil", func() { close(nilch) }},
	{"index", func() { sink2 = sl[idx] }},
	{"index_neg", func() { sink2 = sl[neg] }},
	{"index_arr", func() { sink2 = arr[idx] }},
	{"index_str", func() { sink = str[idx] }},
	{"slice", func() { sink = sl[idx:] }},
	{"slice2", func() { sink = sl[2:zero] }},
	{"slice_str", func() { sink = str[idx:] }},
	{"slice3", func() { sink = sl[0:1:idx] }},
	{"slice_to_arr", func() { sink = [4]int(sl) }},
	{"slice_to_arrp", func() { sink = (*[4]int)(sl) }},
	{"div", func() { sink2 = 1 / zero }},
	{"mod", func() { sink2 = 1 % zero }},
	{"shift", func() { sink2 = 1 << neg }},
	{"nil_load", func() { sink2 = nilptr.b }},
	{"nil_store", func() { nilptr.b = 1 }},
	{"nil_call", func() { nilfn() }},
	{"nil_iface_call", func() { sink = errif.Error() }},
	{"assert", func() { sink = iface.(string) }},
	{"assert_nil", func() { sink = nilif.(string) }},
	{"assert_i", func() { sink = iface.(error) }},
	{"assert_nil_i", func() { sink = nilif.(error) }},
	{"assert_i2", func() { str0 = iface.(fmt.Stringer) }},
	{"eq_uncmp", func() { sink = uncmp == uncmp }},
	{"eq_uncmp_struct", func() { type t struct{ a any }; a, b := t{uncmp}, t{uncmp}; sink = a == b }},
	{"makeslice_len", func() { sink = make([]int, neg) }},
	{"makeslice_cap", func() { sink = make([]int, 1, zero) }},
	{"makeslice_huge", func() { sink = make([]int, huge) }},
	{"makechan", func() { sink = make(chan int, neg) }},
	{"growslice", func() { s := make([]struct{}, huge); s = append(s, s...); s = append(s, s...); sink = s }},
	{"unsafe_slice", func() { sink = unsafe.Slice(&idx, neg) }},
	{"unsafe_slice_big", func() { sink = unsafe.Slice(&idx, huge) }},
	{"unsafe_slice_nil", func() { var p *int; sink = unsafe.Slice(p, idx) }},
	{"unsafe_string", func() { var b byte; sink = unsafe.String(&b, neg) }},
	{"unsafe_string_nil", func() { var b *byte; sink = unsafe.String(b, idx) }},
	{"eq_struct2", func() {
		type k struct {
			b string
			a any
		}
		a, b := k{"", uncmp}, k{"", uncmp}
		sink = a == b
	}},
	{"switch_type", func() {
		switch iface.(type) {
		case error:
		default:
			panic("d")
		}
	}},
	{"panic", func() { panic("x") }},
	{"panic_err", func() { panic(errors.New("x")) }},
	{"panic_wrap", func() { defer func() { panic("second") }(); panic("first") }},
	{"reflect_setmap", func() { reflect.ValueOf(nilS).SetMapIndex(reflect.ValueOf("a"), reflect.ValueOf(1)) }},
	{"reflect_send", func() { reflect.ValueOf(closed).Send(reflect.ValueOf(1)) }},
	{"range_func", func() {
		for range func(y func() bool) { y(); y() } {
			break
		}
	}},
	{"range_func2", func() {
		var keep func() bool
		for range func(y func() bool) { keep = y; y() } {
		}
		keep()
	}},
	{"range_func_panic", func() {
		for range func(y func() bool) { defer func() { recover() }(); y() } {
			panic("in body")
		}
	}},
	{"defer_nil", func() { defer nilfn() }},
}

// show prints the functions on the stack, as far as the one that is called first.
func show() {
	var pcs [40]uintptr
	frames := runtime.CallersFrames(pcs[:runtime.Callers(3, pcs[:])])
	for {
		f, more := frames.Next()
		if !more || f.Function == "main.run" {
			return
		}
		if strings.HasPrefix(f.Function, "main.init.") {
			fmt.Println(" failing")
			return
		}
		fmt.Print(" ", f.Function)
	}
}

func run(c failure) {
	defer func() {
		fmt.Print(c.name, ":")
		show()
		recover()
	}()
	c.f()
}

func main() {
	for _, c := range all {
		run(c)
	}
}
