package reflectcall

import (
	"fmt"
	"math/rand"
	"reflect"
	"testing"
	"unsafe"
)

// descriptor returns the type descriptor that the official toolchain made for t: its layout is the
// one that types.go describes.
func descriptor(t reflect.Type) *Type {
	return (*Type)((*[2]unsafe.Pointer)(unsafe.Pointer(&t))[1])
}

func funcDescriptor(t reflect.Type) *FuncType { return (*FuncType)(unsafe.Pointer(descriptor(t))) }

type named struct {
	A int8
	_ int16
	B string
}

func (named) M() {}

type namedFunc func(named, ...int) (bool, error)

func (namedFunc) M() {}

var sampleTypes = []any{
	false, int8(0), uint16(0), int32(0), uint64(0), uintptr(0), float32(0), float64(0), complex64(0), complex128(0),
	"", []int(nil), map[string]int(nil), (chan int)(nil), (func())(nil), (*int)(nil), unsafe.Pointer(nil),
	struct{}{}, [0]int{}, [0][3]int{}, [1]int{}, [2]int{}, [5]struct{}{}, [1][1]string{}, [1][2]byte{},
	struct{ A, B, C, D int }{}, struct{ A, B, C, D, E int }{}, struct {
		A []int
		B int8
	}{}, struct {
		A []int
		B string
	}{}, struct {
		A any
		B complex64
	}{}, named{}, struct {
		X [0]int64
		Y float32
		Z bool
		_ [1]struct{ V uint16 }
	}{}, struct {
		A struct {
			B int8
			C [0]int64
		}
		D [0][7]int
	}{}, struct{ P [5]struct{} }{},
}

// reference flattens a type through package reflect, written independently of shape.go.
func reference(t reflect.Type, at uintptr) (leaves []Leaf, big bool) {
	word := func(n int) {
		for i := 0; i < n; i++ {
			leaves = append(leaves, Leaf{Offset: at + uintptr(8*i), Size: 8})
		}
	}
	switch t.Kind() {
	case reflect.String, reflect.Interface:
		word(2)
	case reflect.Slice:
		word(3)
	case reflect.Complex64, reflect.Complex128:
		h := t.Size() / 2
		leaves = []Leaf{{Offset: at, Size: uint8(h), Float: true}, {Offset: at + h, Size: uint8(h), Float: true}}
	case reflect.Array:
		if t.Size() == 0 {
			return nil, false
		}
		if t.Len() > 1 {
			return nil, true
		}
		if t.Len() == 1 {
			return reference(t.Elem(), at)
		}
	case reflect.Struct:
		for i := 0; i < t.NumField(); i++ {
			l, b := reference(t.Field(i).Type, at+t.Field(i).Offset)
			leaves, big = append(leaves, l...), big || b
		}
		if n := t.NumField(); n > 0 && t.Size() > 0 && t.Field(n-1).Type.Size() == 0 {
			big = true
		}
	default:
		k := t.Kind()
		leaves = []Leaf{{Offset: at, Size: uint8(t.Size()), Bool: k == reflect.Bool, Float: k == reflect.Float32 || k == reflect.Float64}}
	}
	return leaves, big || len(leaves) > 4
}

func TestShape(t *testing.T) {
	for _, v := range sampleTypes {
		rt := reflect.TypeOf(v)
		want, big := reference(rt, 0)
		got := ShapeOf(descriptor(rt))
		if big {
			want = nil
		}
		if got.Big != big || fmt.Sprint(got.Leaves[:got.N]) != fmt.Sprint(want) || got.Ints+got.Floats != got.N {
			t.Errorf("%v: got %+v, want %v big %v", rt, got, want, big)
		}
	}
}

func TestFuncType(t *testing.T) {
	for _, f := range []any{func() {}, namedFunc(nil), func(int, string) (float64, []byte) { return 0, nil }} {
		rt := reflect.TypeOf(f)
		d := funcDescriptor(rt)
		if d.NumIn() != rt.NumIn() || d.NumOut() != rt.NumOut() {
			t.Fatalf("%v: %d in, %d out", rt, d.NumIn(), d.NumOut())
		}
		for i := 0; i < rt.NumIn(); i++ {
			if d.In(i) != descriptor(rt.In(i)) {
				t.Errorf("%v: parameter %d differs", rt, i)
			}
		}
		for i := 0; i < rt.NumOut(); i++ {
			if d.Out(i) != descriptor(rt.Out(i)) {
				t.Errorf("%v: result %d differs", rt, i)
			}
		}
	}
}

func TestSignature(t *testing.T) {
	type five struct{ A, B, C, D, E int }
	for _, c := range []struct {
		f        any
		receiver bool
		want     Signature
	}{
		{func() {}, false, Signature{}},
		{func() {}, true, Signature{RetOffset: 8, FrameSize: 8}},
		{func(int8, int64) int8 { return 0 }, false, Signature{RetOffset: 16, FrameSize: 24, AreaSize: 8}},
		{func() (int, error) { return 0, nil }, false, Signature{FrameSize: 24, AreaSize: 24}},
		{func() ([]int, error) { return nil, nil }, false, Signature{FrameSize: 40, AreaSize: 40, Area: true}},
		{func(a, b, c, d, e, f int) five { return five{} }, false,
			Signature{StackWords: 1, RetOffset: 48, FrameSize: 88, Area: true, AreaSize: 40}},
		{func(a, b, c, d, e, f, g float64, x complex128, y five) {}, true, Signature{StackWords: 1, RetOffset: 120, FrameSize: 120}},
		{func(a, b, c string, d bool) (float32, float64, int) { return 0, 0, 0 }, false,
			Signature{StackWords: 1, RetOffset: 56, FrameSize: 80, AreaSize: 24}},
		{func() (a, b, c float32) { return }, false, Signature{FrameSize: 16, AreaSize: 16, Area: true}},
		{func() [5]struct{} { return [5]struct{}{} }, false, Signature{}},
	} {
		if got := SignatureOf(funcDescriptor(reflect.TypeOf(c.f)), c.receiver); got != c.want {
			t.Errorf("%T (receiver %v): got %+v, want %+v", c.f, c.receiver, got, c.want)
		}
	}
}

// fill sets every byte that belongs to a leaf of the value, and none of the padding.
func fill(r *rand.Rand, t reflect.Type, p unsafe.Pointer) {
	switch t.Kind() {
	case reflect.Struct:
		for i := 0; i < t.NumField(); i++ {
			fill(r, t.Field(i).Type, unsafe.Add(p, t.Field(i).Offset))
		}
	case reflect.Array:
		for i := 0; i < t.Len(); i++ {
			fill(r, t.Elem(), unsafe.Add(p, uintptr(i)*t.Elem().Size()))
		}
	case reflect.Bool:
		*(*bool)(p) = r.Intn(2) == 1
	default:
		for i := range unsafe.Slice((*byte)(p), t.Size()) {
			*(*byte)(unsafe.Add(p, i)) = byte(r.Int())
		}
	}
}

// TestRoundTrip packs a random frame for a call and unpacks it as the stub on the other side would,
// for random function types, and the same for results.
func TestRoundTrip(t *testing.T) {
	r := rand.New(rand.NewSource(1))
	pick := func(max int) (ts []reflect.Type) {
		for n := r.Intn(max); n > 0; n-- {
			ts = append(ts, reflect.TypeOf(sampleTypes[r.Intn(len(sampleTypes))]))
		}
		return ts
	}
	for range 3000 {
		in, out := pick(12), pick(4)
		ft := reflect.FuncOf(in, out, false)
		d := funcDescriptor(ft)
		sig := SignatureOf(d, false)
		frame := make([]uint64, sig.FrameSize/8+1)
		base := unsafe.Pointer(&frame[0])
		off := uintptr(0)
		for _, p := range in {
			off = alignUp(off, uintptr(p.Align()))
			fill(r, p, unsafe.Add(base, off))
			off += p.Size()
		}
		var fn uintptr
		c := new(Call)
		c.Prepare(d, false, unsafe.Pointer(&fn), 0)
		stack := make([]uintptr, sig.StackWords+1)
		c.Pack(d, false, base, unsafe.Pointer(&stack[0]))
		if c.ns != sig.StackWords {
			t.Fatalf("%v: %d stack words, said %d", ft, c.ns, sig.StackWords)
		}
		area := make([]uint64, sig.AreaSize/8+1)
		e := &Entry{ints: c.ints, floats: c.floats, stack: unsafe.Pointer(&stack[0])}
		if c.wanted == 1 {
			e.ints[0] = uintptr(unsafe.Pointer(&area[0]))
		}
		// Upper bits of small integers mean nothing.
		if sh := ShapeOf(descriptor(in0(in))); c.wanted == 0 && sh.N > 0 && !sh.Leaves[0].Float && sh.Leaves[0].Size == 1 {
			e.ints[0] |= 0xabcdef00
		}
		back := make([]uint64, len(frame))
		gotArea := e.UnpackArgs(d, unsafe.Pointer(&back[0]))
		if (gotArea != nil) != sig.Area {
			t.Fatalf("%v: area %v", ft, gotArea)
		}
		if fmt.Sprint(back) != fmt.Sprint(frame) {
			t.Fatalf("%v:\n%x\n%x", ft, back, frame)
		}
		// Results.
		off = sig.RetOffset
		for _, p := range out {
			off = alignUp(off, uintptr(p.Align()))
			fill(r, p, unsafe.Add(base, off))
			off += p.Size()
		}
		e.PackResults(d, base, gotArea)
		reader := ResultReader{Results: &e.results}
		clear(back)
		copy(back, frame[:sig.RetOffset/8])
		off = sig.RetOffset
		for _, p := range out {
			off = alignUp(off, uintptr(p.Align()))
			to := unsafe.Add(unsafe.Pointer(&back[0]), off)
			if sig.Area {
				copyBytes(to, unsafe.Add(gotArea, off-sig.RetOffset), p.Size())
			} else {
				reader.Next(descriptor(p), to)
			}
			off += p.Size()
		}
		if fmt.Sprint(back) != fmt.Sprint(frame) {
			t.Fatalf("%v, results:\n%x\n%x", ft, back, frame)
		}
	}
}

// in0 is the first parameter type, or that of an empty struct.
func in0(in []reflect.Type) reflect.Type {
	if len(in) == 0 {
		return reflect.TypeOf(struct{}{})
	}
	return in[0]
}

// TestOffsets holds the assembly's offsets against the structs.
func TestOffsets(t *testing.T) {
	var c Call
	var e Entry
	for _, o := range []struct{ got, want uintptr }{
		{unsafe.Offsetof(c.code), 0}, {unsafe.Offsetof(c.ctx), 8}, {unsafe.Offsetof(c.ints), 0x10}, {unsafe.Offsetof(c.floats), 0x40},
		{unsafe.Offsetof(c.stack), 0x80}, {unsafe.Offsetof(c.words), 0x88}, {unsafe.Offsetof(c.area), 0x90},
		{unsafe.Offsetof(c.wanted), 0x98}, {unsafe.Offsetof(c.after), 0xa0},
		{unsafe.Offsetof(e.ints), 0}, {unsafe.Offsetof(e.floats), 48}, {unsafe.Offsetof(e.stack), 112},
		{unsafe.Offsetof(e.results), 120}, {unsafe.Offsetof(e.results.floats), 24}, {unsafe.Sizeof(e), 160},
	} {
		if o.got != o.want {
			t.Errorf("offset %d, the assembly has %d", o.got, o.want)
		}
	}
}
