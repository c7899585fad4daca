package lower

import (
	"fmt"
	"go/types"
	"math"
	"os/exec"
	"strings"
	"testing"
)

// show prints the value of type t at address a as testdata/static does with reflect.
func (im *image) show(m *module, b *strings.Builder, t types.Type, a uint64, depth int) {
	if depth > 12 {
		b.WriteString("...")
		return
	}
	switch u := under(t).(type) {
	case *types.Pointer:
		if p := im.u64(a); p == 0 {
			b.WriteString("nil")
		} else {
			b.WriteByte('&')
			im.show(m, b, u.Elem(), p, depth+1)
		}
	case *types.Interface:
		im.showIface(m, b, u, a, depth)
	case *types.Struct:
		b.WriteByte('{')
		for i, off := range m.fieldOffsets(u) {
			if f := u.Field(i); f.Name() != "_" {
				b.WriteString(f.Name() + ":")
				im.show(m, b, f.Type(), a+uint64(off), depth+1)
				b.WriteByte(' ')
			}
		}
		b.WriteByte('}')
	case *types.Slice:
		if im.u64(a) == 0 {
			b.WriteString("nil")
			return
		}
		fmt.Fprintf(b, "%d/%d", im.u64(a+8), im.u64(a+16))
		im.elements(m, b, u.Elem(), im.u64(a), int64(im.u64(a+8)), depth)
	case *types.Array:
		im.elements(m, b, u.Elem(), a, u.Len(), depth)
	case *types.Signature, *types.Chan:
		fmt.Fprintf(b, "nil:%t", im.u64(a) == 0)
	case *types.Map:
		b.WriteString("map")
	case *types.Basic:
		im.showBasic(m, b, u, a)
	}
}

func (im *image) elements(m *module, b *strings.Builder, elem types.Type, a uint64, n int64, depth int) {
	b.WriteByte('[')
	for i := range n {
		im.show(m, b, elem, a+uint64(i*m.sizes.Sizeof(elem)), depth+1)
		b.WriteByte(' ')
	}
	b.WriteByte(']')
}

// showIface finds the dynamic type by its descriptor's symbol.
func (im *image) showIface(m *module, b *strings.Builder, u *types.Interface, a uint64, depth int) {
	tab := im.u64(a)
	if tab == 0 {
		b.WriteString("nil")
		return
	}
	if u.NumMethods() > 0 {
		tab = im.u64(tab + 8)
	}
	for t := range m.types.canon {
		if im.syms[m.typeSym(t)] == tab {
			b.WriteString("<" + m.typeString(t) + ">")
			at := im.u64(a + 8)
			if isDirectIface(t) {
				at = a + 8
			}
			im.show(m, b, t, at, depth+1)
			return
		}
	}
	fmt.Fprintf(b, "no type at %#x", tab)
}

func (im *image) showBasic(m *module, b *strings.Builder, u *types.Basic, a uint64) {
	size := m.sizes.Sizeof(u)
	var bits uint64
	for i := range min(size, 8) {
		bits |= uint64(im.u8(a+uint64(i))) << (8 * i)
	}
	switch info := u.Info(); {
	case info&types.IsString != 0:
		s := ""
		if n := im.u64(a + 8); n > 0 {
			s = string(im.bytes(im.u64(a), int(n)))
		}
		fmt.Fprintf(b, "%q", s)
	case info&types.IsBoolean != 0:
		fmt.Fprintf(b, "%t", bits == 1)
	case info&types.IsUnsigned != 0:
		fmt.Fprintf(b, "%d", bits)
	case info&types.IsInteger != 0:
		fmt.Fprintf(b, "%d", int64(bits<<(64-8*size))>>(64-8*size))
	case u.Kind() == types.Float32:
		fmt.Fprintf(b, "%v", float64(math.Float32frombits(uint32(bits))))
	case u.Kind() == types.Float64:
		fmt.Fprintf(b, "%v", math.Float64frombits(bits))
	case u.Kind() == types.Complex64:
		fmt.Fprintf(b, "%v", complex(math.Float32frombits(uint32(bits)), math.Float32frombits(uint32(bits>>32))))
	case u.Kind() == types.Complex128:
		fmt.Fprintf(b, "%v", complex(math.Float64frombits(bits), math.Float64frombits(im.u64(a+8))))
	default:
		panic("showBasic: " + u.String())
	}
}

// TestStaticData holds the initial contents of variables against gc's program.
func TestStaticData(t *testing.T) {
	cmd := exec.Command("go", "run", ".")
	cmd.Dir = "testdata/static"
	out, err := cmd.Output()
	if err != nil {
		t.Fatal(err)
	}
	m, _ := testModule(t, "testdata/static")
	m.static, m.skip = m.staticInits()
	m.globals()
	m.packageTypes()
	defineForeignTypes(m)
	im := newImage(t, linked(t, m))
	for line := range strings.Lines(string(out)) {
		name, want, _ := strings.Cut(strings.TrimSuffix(line, "\n"), " ")
		if !strings.HasPrefix(name, "S") {
			continue
		}
		g := m.pkg.Global(name)
		a, ok := im.syms[m.globalSym(g)]
		if !ok {
			t.Errorf("no symbol for %s", name)
			continue
		}
		var b strings.Builder
		im.show(m, &b, under(g.Type()).(*types.Pointer).Elem(), a, 0)
		if b.String() != want {
			t.Errorf("%s\n got %s\nwant %s", name, &b, want)
		}
	}
}
