// Package support is what the programs of the table have in common: the types of their operands, and
// how they print an answer.
package support

import (
	"fmt"
	"os"
	"reflect"
	"strings"
)

// One and Pair are structs of one word and of two.
type One struct{ F int }

type Pair struct{ F, G int }

func (v One) Get(n int) int   { return v.F*100 + n }
func (v *One) Ptr(n int) int  { return v.F*100 + n }
func (v Pair) Get(n int) int  { return v.F*100 + n }
func (v *Pair) Ptr(n int) int { return v.F*100 + n }

// Set changes what it is called on.
func (v *Pair) Set(n int) int { v.F = n; return 5 }

// Outer has fields that are promoted through a pointer, Deep through a struct and a pointer.
type Outer struct {
	*Pair
	H int
}

type Deep struct {
	Outer
	I int
}

// Rec is a struct of everything.
type Rec struct {
	N    int
	S    string
	L    []int
	A    [2]int
	M    map[string]int
	P    *Pair
	Any  any
	Next *Rec
}

// Big is a struct that no register holds.
type Big struct{ W [40]int }

// Key is a key for which maps have no fast functions.
type Key struct{ A, B int }

type Getter interface{ Get(int) int }

type Int int

func (v Int) Get(n int) int { return int(v)*100 + n }

type Name string

type Err struct{ S string }

func (e Err) Error() string { return e.S }

type Box[T any] struct{ V T }

func (b Box[T]) Get(int) T { return b.V }

func ID[T any](v T) T { return v }

func SetInt(p *int, n int) int { *p = n; return 5 }

func SetBool(p *bool) int { *p = true; return 5 }

type Flag struct{ F bool }

func (v *Flag) Set() int { v.F = true; return 5 }

// Keep keeps a function.
//
//go:noinline
func Keep(fs ...func() int) []func() int { kept = fs; return fs }

var kept []func() int

func Apply(f func() int) int { return f() }

//go:noinline
func ApplyFar(f func() int) int { return f() }

// ApplyTwice calls f at one place, twice.
func ApplyTwice(f func() int) (n int) {
	for range 2 {
		n = f()
	}
	return n
}

func ApplyKept(f func() int) int { Keep(f); return f() }

func ApplyTo[T any](f func() T) T { return f() }

// Inc has a result beside its effect.
func Inc(p *int) int { *p += 8; return 5 }

// Filled is a channel with values in it.
func Filled(vs ...int) chan int {
	c := make(chan int, 32)
	for _, v := range vs {
		c <- v
	}
	return c
}

func Closed() chan int {
	c := make(chan int, 32)
	close(c)
	return c
}

// Grid is what indices are tried on.
func Grid() [][]int {
	g := make([][]int, 12)
	for i := range g {
		g[i] = make([]int, 12)
		for j := range g[i] {
			g[i][j] = i*100 + j
		}
	}
	return g
}

func Row() []int { return Grid()[3] }

func Fixed() (a [12]int) { copy(a[:], Row()); return }

// Table has all pairs of the numbers that operands are.
func Table() map[int]map[int]int {
	m := map[int]map[int]int{}
	for i := range 12 {
		m[i] = map[int]int{}
		for j := range 12 {
			m[i][j] = i*100 + j
		}
	}
	return m
}

// Done is how a goroutine says that it has ended.
var Done = make(chan bool)

// Case is one place of the table.
type Case struct {
	Number int
	Run    func()
}

// Run prints the number of each case and what it prints, or how it panics.
func Run(cases []Case) {
	for _, c := range cases {
		one(c)
	}
}

func one(c Case) {
	defer func() {
		if e := recover(); e != nil {
			write(" panic: ", fmt.Sprint(e))
		}
		write("\n")
	}()
	write("\n#", fmt.Sprint(c.Number), " ")
	c.Run()
}

func write(s ...string) { os.Stderr.WriteString(strings.Join(s, "")) }

// Called says that a call was made.
func Called() { write(" called") }

// Show prints values: what pointers point to, and what functions return.
func Show(vs ...any) {
	for _, v := range vs {
		write(" ", text(reflect.ValueOf(v)))
	}
}

func text(v reflect.Value) string {
	switch v.Kind() {
	case reflect.Invalid:
		return "nil"
	case reflect.Pointer:
		if v.IsNil() {
			return "nil"
		}
		return "&" + text(v.Elem())
	case reflect.Interface:
		return text(v.Elem())
	case reflect.Chan:
		return fmt.Sprintf("chan(%d)", v.Len())
	case reflect.Func:
		switch t := v.Type(); {
		case v.IsNil() || !v.CanInterface():
			return fmt.Sprintf("func(%t)", v.IsNil())
		case t.NumIn() == 0 && t.NumOut() == 1:
			return "func:" + text(v.Call(nil)[0])
		case t.NumIn() == 1 && t.In(0).Kind() == reflect.Int:
			return "func:" + text(v.Call([]reflect.Value{reflect.ValueOf(1)})[0])
		}
		return "func"
	case reflect.Struct, reflect.Slice, reflect.Array:
		return list(v)
	case reflect.Map:
		return table(v)
	case reflect.String:
		return fmt.Sprintf("%q", v.String())
	case reflect.UnsafePointer:
		return "pointer"
	}
	return fmt.Sprint(v)
}

func list(v reflect.Value) string {
	var parts []string
	if v.Kind() == reflect.Struct {
		for i := range v.NumField() {
			parts = append(parts, text(v.Field(i)))
		}
		return "{" + strings.Join(parts, " ") + "}"
	}
	for i := range v.Len() {
		parts = append(parts, text(v.Index(i)))
	}
	return "[" + strings.Join(parts, " ") + "]"
}

func table(v reflect.Value) string {
	var parts []string
	for it := v.MapRange(); it.Next(); {
		parts = append(parts, text(it.Key())+":"+text(it.Value()))
	}
	// The keys of an answer are few.
	for i := range parts {
		for j := i; j > 0 && parts[j] < parts[j-1]; j-- {
			parts[j], parts[j-1] = parts[j-1], parts[j]
		}
	}
	return "map[" + strings.Join(parts, " ") + "]"
}
