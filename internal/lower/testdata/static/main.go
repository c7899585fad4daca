// Command static has package variables of all kinds of initialisers. Those whose names
// begin with S must be data in Loam's object file, complete before any code runs; D ones
// need code. The program prints them all; constdata_test.go compares the S ones with what
// is in the object file.
package main

import (
	"errors"
	"fmt"
	"reflect"
	"strings"
)

type point struct{ X, Y int32 }

type node struct {
	Name  string
	Left  *node
	Right *node
	Tags  []string
	Val   any
	F     float32
	_     int16
	Flags [3]bool
	C     complex64
}

type stringer interface{ String() string }

func (p point) String() string { return "point" }
func (n *node) String() string { return n.Name }
func double(x int) int         { return 2 * x }
func id[T any](x T) T          { return x }
func dyn(s string) string      { return strings.ToUpper(s) }

type inner struct{ A, B uint8 }
type outer struct {
	inner
	P *inner
	Z [0]int
}

var (
	SInt              = 42
	SNeg     int8     = -3
	SBig     uint64   = 1<<64 - 1
	SFloat            = 3.25
	SF32     float32  = -0.5
	SCplx             = 1 + 2i
	SStr              = "hello"
	SBool             = true
	SRune             = 'é'
	SBytes            = []byte("some bytes\x00\xff")
	SEmpty            = []int{}
	SInts             = []int{1, 2, 3, 10: 7}
	SArr              = [...]string{"a", 5: "f"}
	SPoint            = point{1, -2}
	SPtr              = &point{3, 4}
	STree             = &node{Name: "root", Left: &node{Name: "l", Tags: []string{"x", "y"}, F: 1.5}, Right: SLeaf, Val: point{7, 8}, Flags: [3]bool{true, false, true}, C: 2i}
	SLeaf             = &node{Name: "leaf", Val: &SInt}
	SAny     any      = 5
	SAnyStr  any      = "boxed"
	SAnyPtr  any      = SPtr
	SAnyNil  any      = (*point)(nil)
	SIface   stringer = point{9, 9}
	SIfaceP  stringer = SLeaf
	SNested           = [][]point{{{1, 2}, {3, 4}}, nil, {}}
	SStructs          = []struct {
		N string
		V any
		T []byte
	}{{"one", 1, nil}, {"two", 2.5, []byte("t")}, {"nil", nil, []byte{}}}
	SPtrElem = &SInts[2]
	SField   = &SPoint.Y
	SOuter   = outer{inner{1, 2}, &inner{3, 4}, [0]int{}}
	SCopy    = SPoint
	SCopy2   = *SPtr
	SSlice   = SArr[1:3]
	SFuncs   = []func(int) int{double, id[int], nil}
	SErr     = errors.New("an error")
	SErrs    = []error{SErr, errors.New("other")}
	SBuf     = make([]byte, 5, 10)
	SMat     = [2][2]float64{{1, 2}, {3, 4}}
	SConv    = []any{uint8(1), int64(-1), float32(2), 'x', "s", [2]int{1, 2}, struct{ A, B int }{1, 2}, true, nil, error(nil)}
	SChan    chan int
	SZero    struct {
		A int
		B string
	}
	STable = func() [4]uint16 { return [4]uint16{} } == nil
)

var (
	DCall            = dyn("x")
	DMixed           = []string{"a", dyn("b"), "c"}
	DStruct          = node{Name: "n", Left: &node{Name: dyn("left"), Right: SLeaf}, Tags: []string{"p", dyn("q")}, Flags: [3]bool{true}}
	DMap             = map[string]*point{"a": {1, 2}, "b": SPtr}
	DMap2            = map[point][]int{{1, 2}: {1, 2, 3}}
	DLate            = []int{changed, counter()}
	changed          = 1
	DCounter         = count
	count            = 10
	DCond            = SInt > 10 && dyn("y") == "Y"
	DFn              = func() string { return SStr + dyn("!") }()
	DSelf            = &self{next: selfPtr(), v: 3}
	DLen             = len(SStr) + len(DMixed)
	DIface       any = DMixed[1]
	DMake            = make(map[int]int)
	DTwo, DThree     = two()
	DAdd             = SInt + 1
	DArr             = [3]*int{&SInt, new(int), &DLocal}
	DLocal           = 17
	DAfter           = *DArr[2]
	DTable           = buildTable()
	DClos            = []func() int{func() int { return count }, func() int { return len(DMixed) }}
)

type self struct {
	next *self
	v    int
}

func selfPtr() *self     { return &self{v: 4} }
func counter() int       { count++; changed = 99; return count }
func two() (int, string) { return 2, "three" }
func buildTable() (t [8]uint32) {
	for i := range t {
		t[i] = uint32(i * i)
	}
	return t
}

// show prints a value with everything it refers to.
func show(b *strings.Builder, v reflect.Value, depth int) {
	if depth > 12 {
		b.WriteString("...")
		return
	}
	switch v.Kind() {
	case reflect.Pointer:
		if v.IsNil() {
			b.WriteString("nil")
			return
		}
		b.WriteByte('&')
		show(b, v.Elem(), depth+1)
	case reflect.Interface:
		if v.IsNil() {
			b.WriteString("nil")
			return
		}
		e := v.Elem()
		b.WriteString("<" + e.Type().String() + ">")
		show(b, e, depth+1)
	case reflect.Struct:
		b.WriteByte('{')
		for i := range v.NumField() {
			if v.Type().Field(i).Name == "_" {
				continue
			}
			b.WriteString(v.Type().Field(i).Name + ":")
			show(b, v.Field(i), depth+1)
			b.WriteByte(' ')
		}
		b.WriteByte('}')
	case reflect.Array, reflect.Slice:
		if v.Kind() == reflect.Slice {
			if v.IsNil() {
				b.WriteString("nil")
				return
			}
			fmt.Fprintf(b, "%d/%d", v.Len(), v.Cap())
		}
		b.WriteByte('[')
		for i := range v.Len() {
			show(b, v.Index(i), depth+1)
			b.WriteByte(' ')
		}
		b.WriteByte(']')
	case reflect.String:
		fmt.Fprintf(b, "%q", v.String())
	case reflect.Int, reflect.Int8, reflect.Int16, reflect.Int32, reflect.Int64:
		fmt.Fprintf(b, "%d", v.Int())
	case reflect.Uint, reflect.Uint8, reflect.Uint16, reflect.Uint32, reflect.Uint64, reflect.Uintptr:
		fmt.Fprintf(b, "%d", v.Uint())
	case reflect.Float32, reflect.Float64:
		fmt.Fprintf(b, "%v", v.Float())
	case reflect.Complex64, reflect.Complex128:
		fmt.Fprintf(b, "%v", v.Complex())
	case reflect.Bool:
		fmt.Fprintf(b, "%t", v.Bool())
	case reflect.Func, reflect.Chan:
		fmt.Fprintf(b, "nil:%t", v.IsNil())
	case reflect.Map:
		b.WriteString("map:")
		fmt.Fprint(b, v.Len())
	}
}

func print(name string, p any) {
	var b strings.Builder
	show(&b, reflect.ValueOf(p).Elem(), 0)
	fmt.Println(name, b.String())
}

func main() {
	print("SAny", &SAny)
	print("SAnyNil", &SAnyNil)
	print("SAnyPtr", &SAnyPtr)
	print("SAnyStr", &SAnyStr)
	print("SArr", &SArr)
	print("SBig", &SBig)
	print("SBool", &SBool)
	print("SBuf", &SBuf)
	print("SBytes", &SBytes)
	print("SChan", &SChan)
	print("SConv", &SConv)
	print("SCopy", &SCopy)
	print("SCopy2", &SCopy2)
	print("SCplx", &SCplx)
	print("SEmpty", &SEmpty)
	print("SErr", &SErr)
	print("SErrs", &SErrs)
	print("SF32", &SF32)
	print("SField", &SField)
	print("SFloat", &SFloat)
	print("SFuncs", &SFuncs)
	print("SIface", &SIface)
	print("SIfaceP", &SIfaceP)
	print("SInt", &SInt)
	print("SInts", &SInts)
	print("SLeaf", &SLeaf)
	print("SMat", &SMat)
	print("SNeg", &SNeg)
	print("SNested", &SNested)
	print("SOuter", &SOuter)
	print("SPoint", &SPoint)
	print("SPtr", &SPtr)
	print("SPtrElem", &SPtrElem)
	print("SRune", &SRune)
	print("SSlice", &SSlice)
	print("SStr", &SStr)
	print("SStructs", &SStructs)
	print("STable", &STable)
	print("STree", &STree)
	print("SZero", &SZero)
	print("DAdd", &DAdd)
	print("DAfter", &DAfter)
	print("DArr", &DArr)
	print("DCall", &DCall)
	print("DCond", &DCond)
	print("DCounter", &DCounter)
	print("DFn", &DFn)
	print("DIface", &DIface)
	print("DLate", &DLate)
	print("DLen", &DLen)
	print("DLocal", &DLocal)
	print("DMake", &DMake)
	print("DMap", &DMap)
	print("DMap2", &DMap2)
	print("DMixed", &DMixed)
	print("DSelf", &DSelf)
	print("DStruct", &DStruct)
	print("DTable", &DTable)
	print("DTwo", &DTwo)
	print("DThree", &DThree)
	print("changed", &changed)
	print("count", &count)
	fmt.Println(SFuncs[0](3), SFuncs[1](4), SIface.String(), SIfaceP.String(), SErr, DClos[0](), DClos[1](), *DMap["a"], DMap["b"] == SPtr, DMap2[point{1, 2}], SErr == SErrs[0], SPtr == SAnyPtr)
	SInts[0]++
	SBytes[1] = 'X'
	SBuf = append(SBuf, 1, 2, 3)
	*SPtrElem = 100
	fmt.Println(SInts, string(SBytes), SBuf, SErrs[0] == SErrs[1])
}
