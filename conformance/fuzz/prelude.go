package main

// prelude is the fixed part of every generated program: the checksum, the fuel, and small
// helpers that keep values within bounds.
const prelude = `
var (
	hash   uint64
	fuel   int
	collections int
	traced bool // FUZZTRACE=1: print each step
	mu     sync.Mutex
)

// step takes a unit of fuel; a program without fuel panics at every step from then on.
func step() {
	fuel--
	if fuel < 0 {
		panic("out of fuel")
	}
}

// collect has the collector look at the frames of all that called it.
func collect() {
	if collections < 1000 {
		collections++
		runtime.GC()
	}
}

func mix(x uint64) {
	if traced {
		println("  mix", x)
	}
	hash = (hash ^ x) * 0x9E3779B97F4A7C15
	hash ^= hash >> 29
}

func mixs(s string) {
	if traced {
		println("  mix", s)
	}
	h := uint64(14695981039346656037)
	for i := 0; i < len(s); i++ {
		h = (h ^ uint64(s[i])) * 1099511628211
	}
	hash = (hash ^ h) * 0x9E3779B97F4A7C15
	hash ^= hash >> 29
}

func mixb(b bool) {
	if b {
		mix(1)
	} else {
		mix(2)
	}
}

// fbits is the representation of a float, with one NaN.
func fbits(f float64) uint64 {
	if f != f {
		return 0x7FF8000000000001
	}
	return math.Float64bits(f)
}

func mixf(f float64) { mix(fbits(f)) }

func mixc(c complex128) { mix(fbits(real(c))); mix(fbits(imag(c))) }

// mixv is for values without addresses in them.
func mixv(format string, v any) { mixs(strings.ReplaceAll(strings.ReplaceAll(fmt.Sprintf(format, v), "-NaN", "NaN"), "+NaN", "NaN")) }

// mixi looks behind an interface by its methods.
func mixi(v any) {
	switch v := v.(type) {
	case nil:
		mix(3)
	case I1:
		mixs(v.N("i"))
	case I0:
		mix(uint64(v.M(7)))
	default:
		mixs(fmt.Sprintf("%T", v))
	}
}

// hashv is the checksum of one value, to be added up where the order is open.
func hashv(v any) uint64 {
	old := hash
	hash = 1
	mixv("%v", v)
	h := hash
	hash = old
	return h
}

// lim and lims cut what is stored.
func lim[S ~string](s S) S {
	if len(s) > 64 {
		return s[:64]
	}
	return s
}

func lims[S ~[]E, E any](s S) S {
	if len(s) > 40 {
		return s[:40]
	}
	return s
}

func limm[M ~map[K]V, K comparable, V any](m M) M {
	if len(m) > 40 {
		return nil
	}
	return m
}

func id[T any](x T) T { return x }

//go:noinline
func opaque[T any](x T) T { return x }

func b2i(b bool) int {
	if b {
		return 1
	}
	return 0
}

// t logs the order of calls.
func t[T any](n uint64, x T) T { mix(n); return x }

// recovered mixes what a panic carried.
func recovered(r any) {
	switch r := r.(type) {
	case nil:
		mix(4)
	case runtime.Error:
		mixs("runtime error " + r.Error())
	case error:
		mixs("error " + r.Error())
	default:
		mixv("%v", r)
	}
}

func deferred[T any](n uint64, x T) { mix(n); mixs(fmt.Sprintf("%T", x)) }

func upto(n int) iter.Seq[int] {
	return func(yield func(int) bool) {
		defer mix(5)
		for i := range n {
			if !yield(i) {
				mix(6)
				return
			}
		}
	}
}

func each[S ~[]E, E any](s S) iter.Seq2[int, E] {
	return func(yield func(int, E) bool) {
		for i, e := range s {
			if !yield(i, e) {
				return
			}
		}
	}
}

// sum adds up variadic arguments.
func sum[T ~int | ~int8 | ~int16 | ~int32 | ~int64 | ~uint | ~uint8 | ~uint16 | ~uint32 | ~uint64 | ~uintptr](xs ...T) T {
	var s T
	for _, x := range xs {
		s += x
	}
	return s
}

type integer interface {
	~int | ~int8 | ~int16 | ~int32 | ~int64 | ~uint | ~uint8 | ~uint16 | ~uint32 | ~uint64 | ~uintptr
}

type myErr struct{ n int }

func (e myErr) Error() string { return "myErr " + strconv.Itoa(e.n) }

func run(name string, f func()) {
	if len(os.Args) > 1 && !slices.Contains(os.Args[1:], name) {
		return
	}
	hash, fuel = 1, 1500
	end := call(f)
	fmt.Printf("%s %016x %s\n", name, hash, end)
}

// try runs f and mixes the panic that ends it.
func try(f func()) {
	defer func() { recovered(recover()) }()
	f()
}

func call(f func()) (end string) {
	defer func() {
		if r := recover(); r != nil {
			end = "panic: " + strings.ReplaceAll(fmt.Sprint(r), "\n", " ")
		}
	}()
	f()
	return "ok"
}

var _ = []any{bits.Len, slices.Max[[]int], maps.Clone[map[int]int], atomic.AddInt32, iter.Pull[int], errors.New, unsafe.Pointer(nil)}
`

const imports = `import (
	"cmp"
	"errors"
	"fmt"
	"iter"
	"maps"
	"math"
	"math/bits"
	"os"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"unsafe"
)
`
