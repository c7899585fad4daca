// Package support is what the programs of the table have in common.
package support

import (
	"errors"
	"fmt"
	"os"
	"runtime/debug"
	"strings"
)

type One struct{ F int }

type Pair struct{ F, G int }

func (v One) Get(n int) int   { return v.F + n }
func (v Pair) Get(n int) int  { return v.F + n }
func (v *Pair) Ptr(n int) int { return v.G + n }

//go:noinline
func (v Pair) Far(n int) int { return v.F + n }

//go:noinline
func (v *Pair) FarPtr(n int) int {
	n++
	return v.G + n
}

type Outer struct {
	H int
	*Pair
}

type Rec struct {
	N    int
	L    []int
	P    *Pair
	Next *Rec
	M    map[string]int
	I    interface{ Get(int) int }
	Fn   func(int) int
}

type Big struct{ W [400]int }

func (v Big) Get(n int) int { return v.W[n] }

//go:noinline
func (v Big) Far(n int) int { return v.W[n] }

type Other Big

type Refs struct{ W [40]*int }

var Global Big

type BigOuter struct {
	N int
	*Big
}

type Bigs struct {
	A Big
	N int
	B Big
	P *Bigs
	C Big
}

type (
	Four struct{ A, B, C, D int }
	Five struct{ A, B, C, D, E int }
)

type Mixed struct {
	P *int
	N int
}

type Words struct {
	B byte
	F float64
	T string
	C bool
	A any
	N func()
	M Mixed
}

type Fault struct{ Code int }

func (f Fault) Error() string { return fmt.Sprint("fault ", f.Code) }

// What the cases begin with comes from calls that no compiler looks through.

//go:noinline
func Int(n int) int { return n }

//go:noinline
func Bool(b bool) bool { return b }

//go:noinline
func Text(s string) string { return s }

//go:noinline
func Ints(n int) []int { return make([]int, n) }

//go:noinline
func Any(v any) any { return v }

//go:noinline
func Nil[T any]() *T { return nil }

//go:noinline
func Fresh[T any]() *T { return new(T) }

//go:noinline
func Two(n int) (int, int) { return n, n }

//go:noinline
func Zero[T any]() (v T) { return }

//go:noinline
func Use[T any](vs ...T) int { return len(vs) }

//go:noinline
func Use3(a, b, c any) int { return 3 }

//go:noinline
func Yes(v any) bool { return true }

//go:noinline
func List(v any) []int { return []int{1, 2} }

// Small functions are inlined.

func Deref(p *int) int { return *p }

func At(s []int, i int) int {
	if i < 0 {
		return 0
	}
	return s[i]
}

func Check(ok bool) int {
	if !ok {
		panic("check")
	}
	return 1
}

func Must[T any](v T, err error) T {
	if err != nil {
		panic(err)
	}
	return v
}

//go:noinline
func Fail() (int, error) { return 0, errors.New("failed") }

//go:noinline
func Throw(n int) int {
	if n > 0 {
		panic(Fault{n})
	}
	return n
}

// Chain is for calls in a row.
type Chain struct{ N int }

//go:noinline
func (c *Chain) Add(v any) *Chain { return c }

func (c *Chain) Small(n int) *Chain { c.N += n; return c }

type Case struct {
	Number int
	Run    func()
	// Own is a case that ends its process.
	Own bool
}

// Run runs the case that the arguments name, or all that end no process.
func Run(cases []Case) {
	for _, c := range cases {
		if len(os.Args) > 1 {
			if os.Args[1] == fmt.Sprint(c.Number) {
				c.Run()
				select {}
			}
		} else if !c.Own {
			one(c)
		}
	}
}

func one(c Case) {
	defer func() {
		e := recover()
		fmt.Printf("\n#%d %s\n%s", c.Number, strings.ReplaceAll(fmt.Sprint(e), "\n", " "), Stack)
	}()
	Stack = nil
	defer func() { Stack = debug.Stack() }()
	c.Run()
}

var Stack []byte
