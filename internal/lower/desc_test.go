package lower

import (
	"bytes"
	"debug/elf"
	"encoding/binary"
	"fmt"
	"go/ast"
	"go/types"
	"go/version"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"golang.org/x/tools/go/packages"

	"loam/internal/ir"
	"loam/internal/mid"
	"loam/internal/mid/syntax"
)

// testModule loads the package in dir and returns an empty module for it.
func testModule(t *testing.T, dir string) (*module, *packages.Package) {
	t.Helper()
	cfg := &packages.Config{Dir: dir, Mode: packages.LoadAllSyntax}
	pkgs, err := packages.Load(cfg, ".")
	if err != nil || packages.PrintErrors(pkgs) > 0 {
		t.Fatal("loading ", dir, ": ", err)
	}
	u := syntax.NewUniverse(pkgs[0].Fset, types.SizesFor("gc", "amd64"))
	packages.Visit(pkgs, nil, func(p *packages.Package) { u.Add(p.Types, p.Syntax, p.TypesInfo, true) })
	m := newTestModule(u.View(pkgs[0].Types), pkgs[0])
	return m, pkgs[0]
}

func newTestModule(pkg *mid.Package, p *packages.Package) *module {
	return newModule(&Input{Pkg: pkg, Info: p.TypesInfo, Files: p.Syntax, Fset: p.Fset, Sizes: types.SizesFor("gc", "amd64"), Maps: gcMaps})
}

// gcMaps is how the Go that has compiled the test describes maps, and placeWords the number of
// words that say where keys and elements are.
var gcMaps, placeWords = func() (MapLayout, int) {
	if version.Compare(runtime.Version(), "go1.27") >= 0 {
		return MapLayout{Strides: true}, 5
	}
	return MapLayout{}, 2
}()

// linked compiles the module, with functions that are only mentioned left external, and
// links it without resolving them.
func linked(t *testing.T, m *module) *elf.File {
	t.Helper()
	m.keepTypelinks()
	for _, f := range m.used.queue {
		m.out.Declare(m.ref(m.funcSym(f)), entry(0, ir.Void))
	}
	m.out.Groups = strings.ReplaceAll(m.out.Groups, `"split-stack"`, "") // there is no __morestack
	m.dbg.finish(m.fileName())
	text := m.out.Text()
	dir := t.TempDir()
	ll, o, exe := filepath.Join(dir, "m.ll"), filepath.Join(dir, "m.o"), filepath.Join(dir, "m")
	if err := os.WriteFile(ll, text, 0o666); err != nil {
		t.Fatal(err)
	}
	if keep := os.Getenv("LOAM_KEEP_LL"); keep != "" {
		os.WriteFile(keep, text, 0o666)
	}
	run(t, "clang-19", "-O0", "-c", "-fno-pic", "-ffunction-sections", "-fdata-sections", "-o", o, ll)
	// The place of all that has no size, which the run-time system has.
	zero, base := filepath.Join(dir, "zero.s"), filepath.Join(dir, "zero.o")
	if err := os.WriteFile(zero, []byte(".bss\n.globl \"internal/rt/heap.zerobase\"\n\"internal/rt/heap.zerobase\": .quad 0\n"), 0o666); err != nil {
		t.Fatal(err)
	}
	run(t, "clang-19", "-c", "-o", base, zero)
	run(t, "ld.lld-19", "-static", "-e", "0", "--unresolved-symbols=ignore-all", "-o", exe, o, base)
	f, err := elf.Open(exe)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { f.Close() })
	return f
}

func run(t *testing.T, name string, args ...string) []byte {
	t.Helper()
	cmd := exec.Command(name, args...)
	cmd.Stderr = new(bytes.Buffer)
	out, err := cmd.Output()
	if err != nil {
		t.Fatalf("%s: %v\n%s", name, err, cmd.Stderr)
	}
	return out
}

// image reads memory of a linked program.
type image struct {
	*elf.File
	syms map[string]uint64
}

func newImage(t *testing.T, f *elf.File) *image {
	syms, err := f.Symbols()
	if err != nil {
		t.Fatal(err)
	}
	im := &image{f, map[string]uint64{}}
	for _, s := range syms {
		im.syms[s.Name] = s.Value
	}
	return im
}

func (im *image) bytes(addr uint64, n int) []byte {
	for _, s := range im.Sections {
		if s.Flags&elf.SHF_ALLOC != 0 && s.Addr <= addr && addr+uint64(n) <= s.Addr+s.Size {
			b := make([]byte, n)
			if s.Type != elf.SHT_NOBITS {
				s.ReadAt(b, int64(addr-s.Addr))
			}
			return b
		}
	}
	panic(fmt.Sprintf("no memory at %#x", addr))
}

func (im *image) u8(a uint64) int     { return int(im.bytes(a, 1)[0]) }
func (im *image) u16(a uint64) int    { return int(binary.LittleEndian.Uint16(im.bytes(a, 2))) }
func (im *image) u32(a uint64) uint64 { return uint64(binary.LittleEndian.Uint32(im.bytes(a, 4))) }
func (im *image) u64(a uint64) uint64 { return binary.LittleEndian.Uint64(im.bytes(a, 8)) }

func (im *image) varint(a uint64) (v, n int) {
	b := im.bytes(a, 4)
	x, k := binary.Uvarint(b)
	return int(x), k
}

// name decodes an abi.Name.
func (im *image) name(a uint64) (s, tag, pkg string, flags int) {
	if a == 0 {
		return
	}
	flags = im.u8(a)
	n, k := im.varint(a + 1)
	a += 1 + uint64(k)
	s = string(im.bytes(a, n))
	a += uint64(n)
	if flags&2 != 0 {
		n, k := im.varint(a)
		tag = string(im.bytes(a+uint64(k), n))
		a += uint64(k + n)
	}
	if flags&4 != 0 {
		pkg, _, _, _ = im.name(im.u32(a))
	}
	return
}

func (im *image) str(typ uint64) string { s, _, _, _ := im.name(im.u32(typ + 40)); return s }

func (im *image) mask(t uint64) string {
	p := im.u64(t + 8)
	if im.u8(t+20)&tflagGCMaskOnDemand != 0 || p == 0 {
		return "-"
	}
	return fmt.Sprintf("%x", im.bytes(im.u64(t+32), int((p/8+7)/8)))
}

var fixedSize = map[int]uint64{kindArray: 72, kindChan: 64, kindFunc: 56, kindInterface: 80,
	kindMap: 96 + 8*uint64(placeWords), kindPointer: 56, kindSlice: 56, kindStruct: 80}

// dump prints what testdata/desc prints with reflect.
func (im *image) dump(w *strings.Builder, t uint64) {
	flags, kind := im.u8(t+20), im.u8(t+23)
	var uncommon uint64
	if flags&tflagUncommon != 0 {
		uncommon = t + 48
		if n := fixedSize[kind]; n != 0 {
			uncommon = t + n
		}
	}
	name, pkg := "", ""
	if flags&tflagNamed != 0 {
		name = im.str(t)
		depth, i := 0, len(name)-1
		for ; i >= 0 && (name[i] != '.' || depth != 0); i-- {
			switch name[i] {
			case ']':
				depth++
			case '[':
				depth--
			}
		}
		name = name[i+1:]
		pkg, _, _, _ = im.name(im.u32(uncommon))
	}
	fmt.Fprintf(w, "type %s\n name=%q pkg=%q kind=%d size=%d align=%d ptr=%d flags=%d eq=%t mask=%s\n", im.str(t), name, pkg, kind,
		im.u64(t), im.u8(t+21), im.u64(t+8), flags, im.u64(t+24) != 0, im.mask(t))
	switch kind {
	case kindArray:
		fmt.Fprintf(w, " elem %s len %d\n", im.str(im.u64(t+48)), im.u64(t+64))
		if s := im.str(im.u64(t + 56)); s != "[]"+im.str(im.u64(t+48)) {
			fmt.Fprintf(w, " wrong slice %s\n", s)
		}
	case kindChan:
		fmt.Fprintf(w, " elem %s dir %d\n", im.str(im.u64(t+48)), im.u64(t+56))
	case kindFunc:
		in, out := im.u16(t+48), im.u16(t+50)
		a := t + 56
		if uncommon != 0 {
			a += 16
		}
		for i := range in {
			fmt.Fprintf(w, " in %s\n", im.str(im.u64(a+uint64(i)*8)))
		}
		for i := range out & 0x7fff {
			fmt.Fprintf(w, " out %s\n", im.str(im.u64(a+uint64(in+i)*8)))
		}
		fmt.Fprintf(w, " variadic %t\n", out&0x8000 != 0)
	case kindInterface:
		tpkg, _, _, _ := im.name(im.u64(t + 48))
		for i := range im.u64(t + 64) {
			a := im.u64(t+56) + i*8
			n, _, p, fl := im.name(im.u32(a))
			if fl&1 == 0 && p == "" {
				p = tpkg
			}
			fmt.Fprintf(w, " method %q pkg=%q type %s\n", n, p, im.str(im.u32(a+4)))
		}
	case kindMap:
		g := im.u64(t + 64)
		var places []uint64
		for i := range uint64(placeWords) {
			places = append(places, im.u64(t+88+8*i))
		}
		fmt.Fprintf(w, " key %s elem %s group %d places {%s} flags %d gptr %d gmask %s\n", im.str(im.u64(t+48)), im.str(im.u64(t+56)),
			im.u64(t+80), strings.Trim(fmt.Sprint(places), "[]"), im.u32(t+88+8*uint64(placeWords)), im.u64(g+8), im.mask(g))
	case kindPointer, kindSlice:
		fmt.Fprintf(w, " elem %s\n", im.str(im.u64(t+48)))
	case kindStruct:
		tpkg, _, _, _ := im.name(im.u64(t + 48))
		for i := range im.u64(t + 64) {
			a := im.u64(t+56) + i*24
			n, tag, _, fl := im.name(im.u64(a))
			p := ""
			if fl&1 == 0 {
				p = tpkg
			}
			fmt.Fprintf(w, " field %q pkg=%q type %s tag %q off %d emb %t\n", n, p, im.str(im.u64(a+8)), tag, im.u64(a+16), fl&8 != 0)
		}
	}
	if uncommon != 0 && kind != kindInterface {
		a := uncommon + im.u32(uncommon+8)
		for i := range im.u16(uncommon + 6) {
			n, _, _, _ := im.name(im.u32(a + uint64(i)*16))
			fmt.Fprintf(w, " method %q pkg=\"\" type %s\n", n, im.str(im.u32(a+uint64(i)*16+4)))
		}
	}
	if kind == kindPointer {
		e := im.u64(t + 48)
		if s := im.str(e); im.u8(e+23) == kindInterface || im.u8(e+20)&tflagNamed != 0 && strings.HasPrefix(s, "main.") {
			im.dump(w, e)
		}
	}
}

// TestDescriptors holds the descriptors of the types in testdata/desc against reflect's
// view of the same types in the official toolchain's program.
func TestDescriptors(t *testing.T) {
	cmd := exec.Command("go", "run", ".")
	cmd.Dir = "testdata/desc"
	want, err := cmd.Output()
	if err != nil {
		t.Fatal(err)
	}
	m, p := testModule(t, "testdata/desc")
	for _, f := range m.pkg.Functions() {
		m.noteLocalTypes(f)
	}
	m.packageTypes()
	var syms []string
	add := func(typ types.Type) { syms = append(syms, m.typeSym(typ)); m.typeDesc(typ) }
	for _, f := range p.Syntax {
		ast.Inspect(f, func(n ast.Node) bool {
			v, ok := n.(*ast.ValueSpec)
			if !ok || v.Names[0].Name != "All" {
				return true
			}
			for _, e := range v.Values[0].(*ast.CompositeLit).Elts {
				add(types.Default(p.TypesInfo.TypeOf(e)))
			}
			return false
		})
	}
	var walk func(f *mid.Func)
	walk = func(f *mid.Func) { // in order of execution
		for _, b := range f.Body() {
			for _, i := range b.Instrs {
				switch i := i.(type) {
				case *mid.MakeInterface:
					add(i.X.Type())
				case *mid.Call:
					if c := i.Call.StaticCallee(); c != nil && (c.Parent() != nil || c.Object() != nil && c.Object().Pkg() == m.pkg.Pkg) {
						walk(c)
					}
				}
			}
		}
	}
	walk(m.pkg.Func("init#1"))
	defineForeignTypes(m)
	f := linked(t, m)
	im := newImage(t, f)
	var got strings.Builder
	for _, s := range syms {
		a, ok := im.syms[s]
		if !ok {
			t.Errorf("no symbol %s", s)
			continue
		}
		if a == 0 {
			fmt.Fprintf(&got, "external %s\n", s)
			continue
		}
		im.dump(&got, a)
	}
	// go run compiles it under that name
	compareLines(t, strings.ReplaceAll(got.String(), p.PkgPath, "main"), string(want))
}

// defineForeignTypes defines the descriptors of types of other packages too.
func defineForeignTypes(m *module) {
	for more := true; more; {
		more = false
		for typ := range maps.Clone(m.types.canon) {
			if sym := m.typeSym(typ); definingPackage(typ) != nil && !m.out.Defined(sym) {
				m.emitDesc(&desc{typ: typ, name: m.typeName(typ), str: m.typeString(typ), linkonce: true})
				more = true
			}
		}
	}
}

func compareLines(t *testing.T, got, want string) {
	t.Helper()
	g, w := strings.Split(got, "\n"), strings.Split(want, "\n")
	bad := 0
	for i := 0; i < len(g) && i < len(w); i++ {
		if g[i] != w[i] {
			t.Errorf("line %d:\n got %s\nwant %s", i+1, g[i], w[i])
			if bad++; bad > 10 {
				t.Fatal("too many differences")
			}
		}
	}
	if len(g) != len(w) {
		t.Errorf("%d lines, want %d", len(g), len(w))
	}
}
