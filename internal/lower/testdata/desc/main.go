// Command desc declares one variable of each shape of type that descriptors must
// describe. With gc it prints what reflect says of them; desc_test.go compares that with
// the descriptors that Loam makes.
package main

import (
	"fmt"
	"reflect"
	"strings"
	"unsafe"
)

type (
	Int    int
	str    string
	Point  struct{ X, Y int32 }
	padded struct {
		A int8
		B int64
		_ int32
	}
	Tagged struct {
		Name  string `json:"name,omitempty" xml:"n"`
		inner *Tagged
		Point
		*padded
		fmt.Stringer
		_ [0]func()
	}
	Methods            struct{ p *int }
	ByValue            struct{ a, b, c string }
	Pair[A any, B any] struct {
		First  A
		Second B
	}
	List[T any] struct {
		next *List[T]
		val  T
	}
	Iface interface {
		Exported(a int, b ...string) (x, y error)
		unexported() Int
		fmt.Stringer
	}
	Fn      func(Int, ...*Point) (Iface, bool)
	Rec     []Rec
	RecMap  map[str]RecMap
	Big     [70000]*int
	Aliased = Pair[Int, []str]
	IntA    = Int
	Chans   struct {
		A chan int
		B <-chan int
		C chan<- <-chan int
		D chan (<-chan Int)
	}
	NonCmp struct {
		F func()
		S []int
	}
	Embeds struct {
		IntA
		error
		Pair[int, str]
	}
	direct struct{ p [1]struct{ q *int } }
)

func (m Methods) Value(a int) (int, error)  { return a, nil }
func (m *Methods) Pointer()                 {}
func (m Methods) hidden(x ...float64)       {}
func (m Methods) Alpha() Pair[int, Methods] { panic(0) }

func (b ByValue) String() string      { return b.a }
func (b *ByValue) Set(s string)       { b.a = s }
func (i Int) String() string          { return "" }
func (p Pair[A, B]) Swap() Pair[B, A] { return Pair[B, A]{p.Second, p.First} }
func (l *List[T]) Push(v T) *List[T]  { return &List[T]{l, v} }

func local() (any, any) {
	type L struct{ x int }
	type M = struct{ L }
	return L{}, Pair[L, M]{}
}

func generic[T any](v T) []any {
	type L struct{ x T }
	type N int
	f := func() any {
		type inner struct{ l L }
		return inner{}
	}
	return []any{f(), L{v}, N(3), Pair[L, T]{}, map[N]L{}} // in order of execution
}

func (l *List[T]) local() any {
	type L struct{ x T }
	return L{}
}

// All lists the types, by one value each or a pointer to an interface type.
var All = []any{
	true, int(0), int8(0), int16(0), int32(0), int64(0), uint(0), uint8(0), uint16(0), uint32(0), uint64(0), uintptr(0),
	float32(0), float64(0), complex64(0), complex128(0), "", unsafe.Pointer(nil),
	new(error), new(any), new(Iface), new(interface {
		Foo()
		bar(int) string
	}),
	Int(0), str(""), Point{}, padded{}, Tagged{}, Methods{}, new(Methods), ByValue{}, new(ByValue),
	Pair[int, string]{}, Pair[Point, *List[fmt.Stringer]]{}, Aliased{}, List[Pair[str, any]]{}, new(List[struct{ Int }]),
	Fn(nil), Rec(nil), RecMap(nil), new(Big), new([20000][2]string), Chans{}, NonCmp{}, Embeds{}, direct{},
	[3]Point{}, [0]string{}, [2]string{}, []any{}, []byte{}, [][]*Int{}, (*****int)(nil),
	map[string]int{}, map[int]struct{}{}, map[struct{}]struct{}{}, map[Point]string{}, map[any]any{}, map[float64]bool{},
	map[[20]string]int{}, map[int][200]byte{}, map[[200]byte][130]*int{}, map[Iface]Pair[int, string]{}, map[bool]int8{}, map[int32]*Point{},
	func() {}, func(int, ...string) (error, map[string]Int) { return nil, nil }, func(func(Fn) Fn) {},
	struct{}{}, struct {
		A int `tag:"x"`
		b string
		Int
	}{}, struct{ *Methods }{}, struct{ fmt.Stringer }{}, &struct{ ByValue }{},
	make(chan struct{}), make(<-chan *Int), make(chan<- (chan int)), reflect.ValueOf(0), strings.Builder{}, new(strings.Reader),
	struct{ x, _ int64 }{}, [4]struct {
		a int8
		b int16
	}{}, struct{ f float32 }{},
}

func init() {
	a, b := local()
	All = append(All, a, b)
	All = append(All, generic(Int(3))...)
	All = append(All, generic(a)...)
	All = append(All, generic("x")...)
	All = append(All, new(List[str]).local())
}

func main() {
	for _, v := range All {
		dump(reflect.TypeOf(v))
	}
}

// The prefixes of abi.Type and abi.MapType that reflect does not show.
type rawType struct {
	size, ptrBytes uintptr
	hash           uint32
	flags          uint8
	align, field   uint8
	kind           uint8
	equal          unsafe.Pointer
	mask           unsafe.Pointer
	str, ptr       int32
}

type rawMap struct {
	rawType
	key, elem, group *rawType
	hasher           unsafe.Pointer
	groupSize        uintptr
	places           places
	flags            uint32
}

func raw(t reflect.Type) *rawType {
	return (*rawType)((*[2]unsafe.Pointer)(unsafe.Pointer(&t))[1])
}

func mask(r *rawType) string {
	if r.flags&16 != 0 || r.ptrBytes == 0 {
		return "-"
	}
	return fmt.Sprintf("%x", unsafe.Slice((*byte)(r.mask), (r.ptrBytes/8+7)/8))
}

func dump(t reflect.Type) {
	r := raw(t)
	fmt.Printf("type %s\n name=%q pkg=%q kind=%d size=%d align=%d ptr=%d flags=%d eq=%t mask=%s\n", t, t.Name(), t.PkgPath(), t.Kind(), t.Size(), t.Align(),
		r.ptrBytes, r.flags&^2, r.equal != nil, mask(r))
	switch t.Kind() {
	case reflect.Array:
		fmt.Printf(" elem %s len %d\n", t.Elem(), t.Len())
	case reflect.Chan:
		fmt.Printf(" elem %s dir %d\n", t.Elem(), t.ChanDir())
	case reflect.Func:
		for i := range t.NumIn() {
			fmt.Printf(" in %s\n", t.In(i))
		}
		for i := range t.NumOut() {
			fmt.Printf(" out %s\n", t.Out(i))
		}
		fmt.Printf(" variadic %t\n", t.IsVariadic())
	case reflect.Map:
		m := (*rawMap)(unsafe.Pointer(r))
		fmt.Printf(" key %s elem %s group %d places %d flags %d gptr %d gmask %s\n", t.Key(), t.Elem(), m.groupSize, m.places, m.flags, m.group.ptrBytes, mask(m.group))
	case reflect.Pointer, reflect.Slice:
		fmt.Printf(" elem %s\n", t.Elem())
	case reflect.Struct:
		for i := range t.NumField() {
			f := t.Field(i)
			fmt.Printf(" field %q pkg=%q type %s tag %q off %d emb %t\n", f.Name, f.PkgPath, f.Type, f.Tag, f.Offset, f.Anonymous)
		}
	}
	for i := range t.NumMethod() {
		m := t.Method(i)
		typ := m.Type.String()
		if t.Kind() != reflect.Interface { // without the receiver
			typ = "func(" + strings.TrimPrefix(strings.TrimPrefix(typ, "func("+t.String()), ", ")
		}
		fmt.Printf(" method %q pkg=%q type %s\n", m.Name, m.PkgPath, typ)
	}
	if t.Kind() == reflect.Pointer && (t.Elem().Kind() == reflect.Interface || t.Elem().Name() != "" && t.Elem().PkgPath() == "main") {
		dump(t.Elem())
	}
}
