package lower

import (
	"go/types"
	"sort"
	"strings"

	"loam/internal/ir"
	"loam/internal/mid"
)

// Variables with a //go:embed directive. The driver has matched the patterns and read the
// files (Input.Embeds); here they become initialisers: of a string or byte slice the
// contents of its one file, of an embed.FS the address of a slice of its files, each
//
//	struct { name, data string; hash [16]byte }
//
// sorted by directory and then by name, with an entry (name ending in a slash, no data,
// no hash) for every directory: the layout that package embed declares.

// embedInits adds the initialisers of the package's embed variables to inits.
func (m *data) embedInits(inits map[*mid.Global]ir.Value) {
	names := make([]string, 0, len(m.in.Embeds))
	for n := range m.in.Embeds {
		names = append(names, n)
	}
	sort.Strings(names)
	for _, n := range names {
		g := m.pkg.Global(n)
		if g == nil {
			continue
		}
		files := m.in.Embeds[n]
		t := under(g.Type()).(*types.Pointer).Elem()
		switch {
		case isEmbedFS(t):
			inits[g] = m.embedFS(g, files)
		case len(files) != 1 || strings.HasSuffix(files[0].Name, "/"):
			m.errorf(g.Pos(), "invalid go:embed: multiple files for type %v", t)
		case isString(t):
			inits[g] = ir.Aggregate(llString, m.embedData(files[0].Data, "constant"), ir.Int(ir.I64, len(files[0].Data)))
		case isByteSlice(t):
			n := ir.Int(ir.I64, len(files[0].Data))
			inits[g] = ir.Aggregate(llSlice, m.embedData(files[0].Data, "global"), n, n)
		default:
			m.errorf(g.Pos(), "go:embed cannot apply to var of type %v", t)
		}
	}
}

func isEmbedFS(t types.Type) bool {
	n, ok := types.Unalias(t).(*types.Named)
	return ok && n.Obj().Name() == "FS" && n.Obj().Pkg() != nil && n.Obj().Pkg().Path() == "embed"
}

func isByteSlice(t types.Type) bool {
	s, ok := under(t).(*types.Slice)
	if !ok {
		return false
	}
	b, ok := under(s.Elem()).(*types.Basic)
	return ok && b.Kind() == types.Byte
}

// embedData defines a file's contents; kind is "constant", or "global" if it is writable.
func (m *data) embedData(data []byte, kind string) ir.Value {
	if len(data) == 0 && kind == "global" {
		return m.zeroMem(1) // a slice of no bytes, but not nil
	}
	if kind == "constant" {
		return m.stringData(string(data))
	}
	at := m.newStatic()
	m.out.Define(at, func() ir.Definition {
		d := ir.Definition{Linkage: ir.Internal, Init: ir.BytesConst(string(data)), Align: 1}
		m.noptr(at, &d, noptrData)
		return d
	})
	return at
}

// embedFS defines the list of files of an embed.FS and returns the address of the slice.
func (m *data) embedFS(g *mid.Global, files []EmbedFile) ir.Value {
	files = withDirectories(files)
	sym := m.globalSym(g) + ".files"
	b := &blob{self: m.ref(sym)}
	start := int64(24)
	b.selfPtr(&start)
	b.u64(uint64(len(files)))
	b.u64(uint64(len(files)))
	for _, f := range files {
		b.ptr(m.stringData(f.Name))
		b.u64(uint64(len(f.Name)))
		if strings.HasSuffix(f.Name, "/") {
			b.zero(32)
			continue
		}
		b.ptr(m.embedData(f.Data, "constant"))
		b.u64(uint64(len(f.Data)))
		b.bytes(f.Hash[:])
	}
	m.define(sym, func() ir.Definition {
		return ir.Definition{Linkage: ir.Internal, Const: true, Init: b.contents(), Align: 8}
	})
	return b.self
}

// withDirectories returns the files without duplicates, with all their parent directories,
// in embed's order.
func withDirectories(files []EmbedFile) []EmbedFile {
	have := map[string]bool{}
	var all []EmbedFile
	add := func(f EmbedFile) {
		if !have[f.Name] {
			have[f.Name] = true
			all = append(all, f)
		}
	}
	for _, f := range files {
		add(f)
		name := strings.TrimSuffix(f.Name, "/")
		for i := strings.LastIndexByte(name, '/'); i >= 0; i = strings.LastIndexByte(name[:i], '/') {
			add(EmbedFile{Name: name[:i+1]})
		}
	}
	sort.Slice(all, func(i, j int) bool {
		a, x := splitEmbed(all[i].Name)
		b, y := splitEmbed(all[j].Name)
		return a < b || a == b && x < y
	})
	return all
}

// splitEmbed splits the name of a file or directory into directory and base name.
func splitEmbed(name string) (dir, base string) {
	name = strings.TrimSuffix(name, "/")
	if i := strings.LastIndexByte(name, '/'); i >= 0 {
		return name[:i], name[i+1:]
	}
	return ".", name
}
