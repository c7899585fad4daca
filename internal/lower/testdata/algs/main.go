// Command algs compares and hashes values of many types, converts them to interfaces, makes
// types at run time and reads embedded files. run_test.go compares its output with gc's.
package main

import (
	"embed"
	"errors"
	"fmt"
	"io/fs"
	"math"
	"reflect"
	"sort"
	"strings"
	"time"
	"unicode"
)

//go:embed data one.txt
var files embed.FS

//go:embed one.txt
var one string

//go:embed data/a.txt
var abytes []byte

type S struct {
	a int8
	b int64
	_ int32
	c string
	d float64
	e any
	f [3]int16
}
type M struct {
	x, y int32
	p    *int
}
type Big struct {
	arr [40]int
	s   [3]string
	c   chan int
}
type E struct {
	i fmt.Stringer
	z [0]func()
}
type F struct {
	f float32
	g complex128
}
type A5 [5]any
type Key struct {
	name string
	id   int
	ok   bool
}
type St string

func (s St) String() string { return string(s) }

type P struct{ X *int }
type Emb struct {
	Key
	*M
}

func eq[T comparable](a, b T) bool { return a == b }

func try(name string, f func() any) {
	defer func() {
		if r := recover(); r != nil {
			fmt.Println(name, "panic:", r)
		}
	}()
	fmt.Println(name, f())
}

type I1 interface {
	A()
	B() int
	c()
}
type T1 struct{ v int }

func (T1) A()       {}
func (t T1) B() int { return t.v }
func (t *T1) c()    {}

type T2 struct {
	*T1
	extra string
}
type D1 struct{ p *int }

func (d D1) String() string {
	if d.p == nil {
		return "nil"
	}
	return fmt.Sprint(*d.p)
}

type Fn func() string

func (f Fn) String() string { return f() }

type Mp map[string]int

func (m Mp) String() string { return fmt.Sprint(len(m)) }

type Arr1 [1]*int

func (a Arr1) String() string { return fmt.Sprint(*a[0]) }

func gen[T comparable](v T) (any, any) {
	type L struct{ v T }
	type K struct {
		l L
		s string
	}
	m := map[K]int{{L{v}, "x"}: 1}
	m[K{L{v}, "y"}]++
	m[K{L{v}, "x"}]++
	fmt.Println(len(m), m[K{L{v}, "x"}], m)
	return L{v}, K{L{v}, "z"}
}

func main() {
	x, y := 1, 2
	s1 := S{1, 2, 3, "abc", 1.5, 7, [3]int16{1, 2, 3}}
	s2 := s1
	fmt.Println(eq(s1, s2))
	s2.c = strings.Clone("abc")
	fmt.Println(eq(s1, s2))
	s2.d = math.NaN()
	fmt.Println(eq(s1, s2), eq(s2, s2))
	s2.d = 1.5
	s2.f[2] = 9
	fmt.Println(eq(s1, s2))
	s2.f[2] = 3
	s2.e = int8(7)
	fmt.Println(eq(s1, s2))
	s2.e = 7
	fmt.Println(eq(s1, s2))
	s2.e = []int{1}
	s1.e = []int{1}
	try("unc", func() any { return s1 == s2 })
	s1.a = 0
	try("unc2", func() any { return s1 == s2 })
	s1.a = 1
	s1.d = 3
	try("unc3", func() any { return s1 == s2 })
	fmt.Println(eq(M{1, 2, &x}, M{1, 2, &x}), eq(M{1, 2, &x}, M{1, 2, &y}), eq(M{1, 3, &x}, M{1, 2, &x}))
	var b1, b2 Big
	fmt.Println(eq(b1, b2))
	b1.arr[39] = 1
	fmt.Println(eq(b1, b2))
	b2.arr[39] = 1
	b2.s[2] = "q"
	fmt.Println(eq(b1, b2))
	b1.s[2] = "q"
	fmt.Println(eq(b1, b2))
	b1.c = make(chan int)
	fmt.Println(eq(b1, b2))
	fmt.Println(eq(F{float32(math.Copysign(0, -1)), complex(0, 1)}, F{0, complex(math.Copysign(0, -1), 1)}), eq(F{1, 2i}, F{1, 3i}))
	a1, a2 := A5{1, "a", 2.5, nil, St("q")}, A5{1, "a", 2.5, nil, St("q")}
	fmt.Println(a1 == a2)
	a2[4] = "q"
	fmt.Println(a1 == a2)
	var i1, i2 fmt.Stringer = St("a"), St("a")
	fmt.Println(i1 == i2, any(i1) == any(St("a")), i1 == St("b"), any(a1) == any(a1), any(s1) == any(1))
	fmt.Println(any(Emb{Key{"a", 1, true}, nil}) == any(Emb{Key{"a", 1, true}, nil}))

	ms := map[S]int{}
	s1.e, s1.d = 7, 1.5
	ms[s1] = 5
	s3 := s1
	s3.c = strings.Clone("abc")
	ms[s3]++
	fmt.Println(len(ms), ms[s1])
	try("hash", func() any { s := s1; s.e = func() {}; return ms[s] })
	mk := map[Key]int{}
	for i := range 1000 {
		mk[Key{fmt.Sprint("k", i%100), i % 10, i%3 == 0}]++
	}
	fmt.Println(len(mk), mk[Key{"k7", 7, true}])
	mf := map[float64]int{}
	mf[0]++
	mf[math.Copysign(0, -1)]++
	mf[math.NaN()]++
	mf[math.NaN()]++
	fmt.Println(len(mf), mf[0])
	mc := map[F]int{}
	mc[F{0, 0}]++
	mc[F{float32(math.Copysign(0, -1)), 0}]++
	fmt.Println(len(mc))
	ma := map[any]int{1: 1, "a": 2, 1.5: 3, Key{"z", 1, false}: 4, [2]string{"p", "q"}: 5, true: 6, int8(1): 7, nil: 8, P{&x}: 9, &x: 10, 'x': 11, 2i: 12, struct{}{}: 13}
	fmt.Println(len(ma), ma[1], ma["a"], ma[1.5], ma[Key{"z", 1, false}], ma[[2]string{"p", "q"}], ma[true], ma[int8(1)], ma[nil], ma[P{&x}], ma[&x], ma['x'], ma[2i], ma[struct{}{}])
	mb := map[Big]string{b1: "b1", b2: "b2"}
	fmt.Println(len(mb), mb[b1], mb[b2])
	mi := map[fmt.Stringer]int{St("a"): 1, D1{&x}: 2, Arr1{&x}: 3}
	fmt.Println(mi[St("a")], mi[D1{&x}], mi[D1{&y}], mi[Arr1{&x}])
	try("hash2", func() any { return mi[Mp{}] })
	mz := map[struct{}]int{{}: 1}
	mz[struct{}{}]++
	fmt.Println(mz)
	m8 := map[[3]uint8]int{{1, 2, 3}: 1}
	fmt.Println(m8[[3]uint8{1, 2, 3}], m8[[3]uint8{1, 2, 4}])
	ml := map[[200]byte][150]int{}
	var lk [200]byte
	lk[199] = 3
	ml[lk] = [150]int{149: 8}
	fmt.Println(ml[lk][149], ml[[200]byte{}][149])

	var i I1 = &T1{5}
	i.A()
	i.c()
	fmt.Println(i.B())
	i = T2{&T1{6}, "e"}
	i.c()
	fmt.Println(i.B())
	i = &T2{&T1{7}, "e"}
	fmt.Println(i.B())
	i = struct{ *T1 }{&T1{8}}
	fmt.Println(i.B())
	for _, s := range []fmt.Stringer{D1{&x}, D1{}, Fn(func() string { return "fn" }), Mp{"a": 1}, Arr1{&y}, &D1{&y}, St("st"), time.Second, struct{ D1 }{D1{&y}}, &struct{ St }{"em"}} {
		fmt.Println(s.String(), reflect.TypeOf(s), reflect.ValueOf(s).MethodByName("String").Call(nil)[0])
	}
	l1, k1 := gen(1)
	l2, k2 := gen("s")
	l3, _ := gen(1)
	l4, _ := gen(Key{"p", 1, true})
	fmt.Println(l1 == l3, l1 == l2, reflect.TypeOf(l1) == reflect.TypeOf(l3), reflect.TypeOf(l1), reflect.TypeOf(l2), reflect.TypeOf(k1), reflect.TypeOf(k2), reflect.TypeOf(l4))

	t := reflect.TypeOf
	fmt.Println(reflect.PointerTo(t(s1)) == t(&s1), reflect.PointerTo(t(0)) == t(new(int)), reflect.SliceOf(t(s1)) == t([]S{}), reflect.SliceOf(t(0)) == t([]int{}),
		reflect.MapOf(t(Key{}), t(0)) == t(mk), reflect.MapOf(t(""), t(0)) == t(map[string]int{}), reflect.ChanOf(reflect.BothDir, t(0)) == t(make(chan int)),
		reflect.ArrayOf(3, t(0)) == t([3]int{}), reflect.FuncOf([]reflect.Type{t(0)}, []reflect.Type{t("")}, false) == t(func(int) string { return "" }), reflect.PointerTo(reflect.PointerTo(t(0))) == t(new(*int)),
		reflect.StructOf([]reflect.StructField{{Name: "A", Type: t(0), Tag: "q"}}) == t(struct {
			A int `q`
		}{}))
	rm := reflect.MakeMap(reflect.MapOf(t(Key{}), t(s1)))
	rm.SetMapIndex(reflect.ValueOf(Key{"a", 1, true}), reflect.ValueOf(s1))
	fmt.Println(rm.Len(), rm.MapIndex(reflect.ValueOf(Key{strings.Clone("a"), 1, true})).Field(3), rm.Type())
	type NM map[Key]S
	nm := rm.Convert(t(NM{})).Interface().(NM)
	fmt.Println(nm[Key{"a", 1, true}].c, len(nm))

	var names []string
	fs.WalkDir(files, ".", func(p string, d fs.DirEntry, err error) error {
		names = append(names, fmt.Sprint(p, d.IsDir(), err))
		return nil
	})
	sort.Strings(names)
	fmt.Println(names, one, string(abytes))
	b, err := files.ReadFile("data/sub/b.txt")
	fmt.Println(string(b), err)
	_, err = files.Open("nope")
	fmt.Println(err, errors.Is(err, fs.ErrNotExist))
	fmt.Println(len(unicode.Scripts), unicode.Is(unicode.Scripts["Greek"], 'α'), unicode.IsUpper('Ä'), len(unicode.Categories))
}
