// A type switch of many types: types that share a place in the table by which it is entered, nil,
// types that are not in it, interfaces with methods, values used in the bodies and after them.
package main

import (
	"fmt"
	"io"
	"reflect"
	"strings"
	"time"
)

type (
	T0 int
	T1 string
	T2 []int
	T3 map[string]int
	T4 struct{ a, b string }
	T5 *int
	T6 func() int
	T7 [3]int
	T8 float32
	T9 complex128
	TA chan int
	TB struct{}
	G[T any] struct{ v T }
)

func (T0) String() string  { return "t0" }
func (T1) String() string  { return "t1" }
func (*T2) String() string { return "t2" }
func (T4) String() string  { return "t4" }
func (T7) String() string  { return "t7" }
func (T8) String() string  { return "t8" }
func (T9) String() string  { return "t9" }
func (TB) String() string  { return "tb" }

func name(x any) (s string) {
	n := 0
	switch v := x.(type) {
	case T0:
		s, n = "T0", int(v)
	case T1:
		s, n = "T1", len(v)
	case T2, T3:
		s = fmt.Sprintf("T2 or T3 %v", v)
	case T4:
		s = v.a + v.b
	case T5:
		s, n = "T5", *v
	case T6:
		s, n = "T6", v()
	case T7:
		s, n = "T7", v[2]
	case T8:
		s = fmt.Sprint(v)
	case T9:
		s = fmt.Sprint(real(v))
	case TA:
		s, n = "TA", cap(v)
	case G[int]:
		s, n = "G", v.v
	case G[string]:
		s, n = "Gs", len(v.v)
	case struct{ X int }:
		s, n = "anonymous", v.X
	case int, string, bool:
		s = fmt.Sprint("basic ", v)
	default:
		s = fmt.Sprintf("other %T", v)
	}
	return fmt.Sprint(s, n)
}

func method(x fmt.Stringer) string {
	switch v := x.(type) {
	case T0:
		return "0" + v.String()
	case T1:
		return "1" + v.String()
	case *T2:
		return "2" + v.String()
	case T4:
		return "4" + v.String()
	case T7:
		return "7" + v.String()
	case T8:
		return "8" + v.String()
	case T9:
		return "9" + v.String()
	case TB:
		return "b" + v.String()
	case time.Duration:
		return "d" + v.String()
	case nil:
		return "nil"
	case interface{ Unix() int64 }:
		return fmt.Sprint("unix ", v.Unix())
	}
	return "none"
}

// mixed has tests of interfaces and of nil between, and a variable that each way sets.
func mixed(x any) (n int, s string) {
	var last any
	for range 2 {
		switch v := x.(type) {
		case error:
			s += v.Error()
		case T0:
			n++
		case T1:
			n += 2
		case T2:
			n += 3
		case T3:
			n += v["x"]
		case T4:
			s += v.a
		case T5:
			n += 5
		case T7:
			n += v[0]
			last = v
		case T8:
			n += 7
		case TB:
			n += 8
		case nil:
			n += 100
		case io.Reader:
			b := make([]byte, 2)
			k, _ := v.Read(b)
			s += string(b[:k])
		}
		if last == nil {
			last = n
		}
	}
	return n, fmt.Sprint(s, last)
}

func main() {
	i := 5
	values := []any{
		T0(1), T1("abc"), T2{1}, T3{"x": 9}, T4{"p", "q"}, T5(&i), T6(func() int { return 6 }), T7{1, 2, 3}, T8(1.5),
		T9(2i + 3), make(TA, 4), TB{}, G[int]{7}, G[string]{"s"}, G[bool]{true}, struct{ X int }{8},
		struct{ Y int }{8}, 1, "s", true, 1.5, nil, io.EOF, strings.NewReader("text"), &i, []int{1},
		reflect.ValueOf(T0(4)).Interface(), reflect.New(reflect.TypeFor[T7]()).Elem().Interface(),
		reflect.Zero(reflect.StructOf([]reflect.StructField{{Name: "X", Type: reflect.TypeFor[int]()}})).Interface(),
	}
	for _, x := range values {
		fmt.Println(name(x))
		fmt.Println(mixed(x))
	}
	for _, x := range []fmt.Stringer{T0(1), T1("x"), new(T2), T4{}, T7{}, T8(1), T9(1), TB{}, time.Second, nil, time.Unix(3, 0), new(strings.Builder)} {
		fmt.Println(method(x))
	}
}
