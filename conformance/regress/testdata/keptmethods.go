// Methods that are called in all ways but by their names are in the program: through interfaces that
// values are converted to, asserted to and embedded in, of generic types, promoted ones, unexported
// ones, in go and defer statements, as method values and method expressions of interfaces.
package main

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"reflect"
	"sort"
	"sync"
	"time"
)

type wide interface {
	A() string
	B() string
	C() string
	D() string
	E() string
	f() string
}

type other interface {
	B() string
	C() string
	D() string
	E() string
	A() string
	f() string
	G(int) string
}

type value struct{ n int }

func (v value) A() string      { return fmt.Sprint("A", v.n) }
func (v value) B() string      { return fmt.Sprint("B", v.n) }
func (v value) C() string      { return fmt.Sprint("C", v.n) }
func (v value) D() string      { return fmt.Sprint("D", v.n) }
func (v value) E() string      { return fmt.Sprint("E", v.n) }
func (v value) f() string      { return fmt.Sprint("f", v.n) }
func (v value) G(i int) string { return fmt.Sprint("G", v.n, i) }

type pointer struct{ value }

func (p *pointer) E() string { return "pointer " + p.value.E() }

type generic[T any] struct {
	wide
	t T
}

func (g *generic[T]) D() string { return fmt.Sprint("D of ", g.t) }
func (g generic[T]) H(T) string { return fmt.Sprintf("H of %T", g.t) }

type taker[T any] interface{ H(T) string }

func call[T any](x any, t T) string {
	if h, ok := x.(taker[T]); ok {
		return h.H(t)
	}
	return "none"
}

type direct func() string

func (d direct) B() string { return "direct " + d() }

type word struct{ p *int }

func (w word) B() string { return fmt.Sprint("word ", *w.p) }

type failure struct{ inner error }

func (f failure) Error() string        { return "failure" }
func (f failure) Unwrap() error        { return f.inner }
func (f failure) Is(target error) bool { return target == io.EOF }
func (f failure) Format(s fmt.State, verb rune) {
	w, ok := s.Width()
	fmt.Fprintf(s, "formatted %c %d %t", verb, w, ok)
}

type marshaler struct{ s string }

func (m marshaler) MarshalJSON() ([]byte, error) { return json.Marshal("<" + m.s + ">") }
func (m *marshaler) UnmarshalText(b []byte) error {
	m.s = "text " + string(b)
	return nil
}

type keys []int

func (k keys) Len() int           { return len(k) }
func (k keys) Less(i, j int) bool { return k[i] > k[j] }
func (k keys) Swap(i, j int)      { k[i], k[j] = k[j], k[i] }

func main() {
	var w wide = value{1}
	fmt.Println(w.C(), w.f())
	o := w.(other)
	fmt.Println(o.G(7), o.D())
	var ws []wide = []wide{value{2}, &value{3}, &pointer{value{4}}, &pointer{value{5}}, &generic[int]{&pointer{value{6}}, 7}, &generic[string]{value{8}, "s"}}
	for _, w := range ws {
		b := w.B
		e := wide.E
		fmt.Println(b(), e(w), w.D())
		_, isOther := w.(other)
		fmt.Println(isOther, call(w, 1), call(w, "x"))
	}
	var wg sync.WaitGroup
	wg.Add(1)
	go func(s interface{ A() string }) { defer wg.Done(); fmt.Println(s.A()) }(&pointer{value{9}})
	wg.Wait()
	func() {
		var m interface {
			Lock()
			Unlock()
		} = &sync.Mutex{}
		m.Lock()
		defer m.Unlock()
	}()
	n := 3
	for _, x := range []any{direct(func() string { return "d" }), word{&n}, &word{&n}, struct{ word }{word{&n}}, &struct{ wide }{value{11}}, 1} {
		b, ok := x.(interface{ B() string })
		if ok {
			fmt.Println(b.B())
		}
	}
	err := fmt.Errorf("wrapped: %w", failure{errors.ErrUnsupported})
	fmt.Println(errors.Is(err, io.EOF), errors.Is(err, errors.ErrUnsupported), errors.Is(err, fs.ErrExist))
	var f failure
	fmt.Println(errors.As(err, &f), f.Error())
	fmt.Printf("%7v\n", f)
	text, _ := json.Marshal(map[string]any{"m": marshaler{"x"}, "t": time.Unix(0, 0).UTC(), "d": json.Number("12")})
	fmt.Println(string(text))
	var m struct{ M marshaler }
	fmt.Println(json.Unmarshal([]byte(`{"M": "y"}`), &m), m.M.s)
	k := keys{1, 3, 2}
	sort.Stable(k)
	fmt.Println(k)
	var buf bytes.Buffer
	io.Copy(struct{ io.Writer }{&buf}, io.LimitReader(io.MultiReader(bytes.NewReader([]byte("abc")), bytes.NewBufferString("def")), 5))
	fmt.Println(buf.String())
	t := reflect.TypeFor[wide]()
	for _, x := range []any{value{}, pointer{}, generic[int]{}, 1, direct(nil)} {
		r := reflect.TypeOf(x)
		fmt.Println(r, r.NumMethod(), r.Implements(t), reflect.PointerTo(r).NumMethod(), r.Kind(), r.Size(), r.Comparable(), r.String())
	}
	x := reflect.ValueOf(&w).Elem()
	x.Set(reflect.ValueOf(value{12}))
	fmt.Println(w.A(), x.Interface().(other).G(1), x.Elem().Type().ConvertibleTo(t))
}
