package lower

import (
	"go/ast"
	"go/token"
	"go/types"
	"path/filepath"
	"strconv"
	"strings"

	"loam/internal/ir"
	"loam/internal/mid"
)

// debugInfo emits the metadata from which clang makes DWARF: line tables and inline trees, the
// run-time system's only source for function names and positions, and in full also types
// and variables for debuggers (debugtypes.go, debugvars.go).
type debugInfo struct {
	m       *layouts
	full    bool
	cu      ir.Meta
	empty   ir.Meta // !DISubroutineType
	files   map[string]ir.Meta
	home    map[ir.Meta]string // subprogram or block -> its file
	types   map[types.Type]ir.Meta
	globals []ir.Meta
	inlined map[*mid.Func]ir.Meta // see inlinedScope
}

func newDebugInfo(m *layouts, name string) *debugInfo {
	d := &debugInfo{m: m, files: map[string]ir.Meta{}, home: map[ir.Meta]string{}, types: map[types.Type]ir.Meta{},
		inlined: map[*mid.Func]ir.Meta{}}
	d.full = m.in.Describe != nil && m.in.Describe(m.pkg.Pkg.Path())
	d.cu = m.out.Reserve()
	d.file(name)
	types := m.out.Tuple("null")
	d.empty = m.out.Node("DISubroutineType", ir.Node("types", types))
	m.out.Named("llvm.dbg.cu", d.cu)
	v := m.out.Tuple(`i32 2, !"Debug Info Version", i32 3`)
	w := m.out.Tuple(`i32 7, !"Dwarf Version", i32 4`)
	m.out.Named("llvm.module.flags", v, w)
	return d
}

// finish writes the unit's own node, when everything that belongs to it is known.
func (d *debugInfo) finish(name string) {
	// gdb looks for the end of a prologue the right way only if the name begins with clang.
	unit := []ir.Field{ir.Word("language", "DW_LANG_Go"), ir.Node("file", d.file(name)), ir.Text("producer", "clang (loam)"),
		ir.Word("isOptimized", strconv.FormatBool(!d.m.in.Flags.NoOptimize)), ir.Number("runtimeVersion", 0),
		ir.Word("splitDebugInlining", "false"), ir.Word("nameTableKind", "None")}
	if d.full {
		unit = append(unit, ir.Word("emissionKind", "FullDebug"))
	} else {
		unit = append(unit, ir.Word("emissionKind", "LineTablesOnly"), ir.Word("debugInfoForProfiling", "true"))
	}
	d.m.out.SetUnit(d.cu, d.full, d.globals, unit...)
}

func (d *debugInfo) file(name string) ir.Meta {
	if f, ok := d.files[name]; ok {
		return f
	}
	dir, base := filepath.Split(name)
	if !filepath.IsAbs(name) {
		// From a //line directive: shown as it stands. The run-time system knows the directory
		// "." to mean that.
		if dir, base = "", name; name == "" {
			base = "??"
		}
	}
	f := d.m.out.Node("DIFile", ir.Text("filename", base), ir.Text("directory", filepath.Clean(dir)))
	d.files[name] = f
	return f
}

// position resolves pos to the user's file name and line, //line directives obeyed. Before Go 1.27
// names in directives are as they were written: go/scanner joins relative ones to the directory of
// the file, which is undone.
func (d *debugInfo) position(pos token.Pos) (file string, line int) {
	p := d.m.fset.Position(pos)
	file = p.Filename
	if on := d.m.fset.PositionFor(pos, false).Filename; on != file && !d.m.in.Go127 {
		if rel, err := filepath.Rel(filepath.Dir(on), file); err == nil && file != "" && !strings.HasPrefix(rel, "../") {
			file = rel
		}
		return file, p.Line
	}
	if d.m.in.PosPath != nil {
		file = d.m.in.PosPath(file)
	}
	return file, p.Line
}

// subprogram makes the scope of a function that is in no source file, or whose variables are not
// described.
func (d *debugInfo) subprogram(name string, pos token.Pos, nullary bool) (ref ir.Meta, line int) {
	ref, line = d.reserveSubprogram(pos)
	d.setSubprogram(ref, subprogram{name: name, profileName: name, line: line, typ: d.empty, nullary: nullary})
	return ref, line
}

// isNullary reports whether f takes nothing. Functions from export data have a signature only.
func isNullary(f *mid.Func) bool {
	return f.Signature.Recv() == nil && f.Signature.Params().Len() == 0
}

// subprogram is what is told of a function besides its file.
type subprogram struct {
	name, profileName string
	line              int
	typ               ir.Meta
	params            []ir.Meta // to show even where they have no value
	// without parameters: tracebacks say so by an annotation, which is all that they find without
	// descriptions of variables
	nullary bool
}

// reserveSubprogram makes the scope of a function; setSubprogram must follow.
func (d *debugInfo) reserveSubprogram(pos token.Pos) (ref ir.Meta, line int) {
	file, line := generatedFile, 1
	if pos.IsValid() {
		file, line = d.position(pos)
	}
	ref = d.m.out.Reserve()
	d.home[ref] = file
	return ref, line
}

// setSubprogram fills in a scope that reserveSubprogram made.
func (d *debugInfo) setSubprogram(ref ir.Meta, s subprogram) {
	f := d.file(d.home[ref])
	fields := append(make([]ir.Field, 0, 11), ir.Text("name", s.name))
	if s.profileName != s.name {
		fields = append(fields, ir.Text("linkageName", s.profileName))
	}
	flags := "DISPFlagDefinition"
	if !d.m.in.Flags.NoOptimize {
		flags += " | DISPFlagOptimized"
	}
	fields = append(fields, ir.Node("scope", f), ir.Node("file", f), ir.Number("line", s.line), ir.Node("type", s.typ),
		ir.Number("scopeLine", s.line), ir.Word("spFlags", flags), ir.Node("unit", d.cu))
	if len(s.params) > 0 {
		fields = append(fields, ir.Nodes("retainedNodes", s.params))
	}
	if s.nullary {
		fields = append(fields, ir.Word("annotations", `!{!{!"nullary", i1 true}}`))
	}
	d.m.out.FillDistinct(ref, "DISubprogram", fields...)
}

// place says in f where the function of a subprogram is in the source.
func (d *debugInfo) place(f *ir.FuncDef, scope ir.Meta, line int) {
	f.File, f.Line = d.file(d.home[scope]), line
}

// within returns the scope for code of a subprogram that a //line directive moves to another
// file, and the subprogram itself for code at home.
func (d *debugInfo) within(scope ir.Meta, file string) ir.Meta {
	if home, ok := d.home[scope]; !ok || home == file {
		return scope
	}
	return d.m.out.Node("DILexicalBlockFile", ir.Node("scope", scope), ir.Node("file", d.file(file)), ir.Number("discriminator", 0))
}

// location returns a line within a subprogram, inlined at a place if there is one.
func (d *debugInfo) location(line int, scope, inlinedAt ir.Meta) ir.Meta {
	return d.m.out.Location(line, scope, inlinedAt)
}

// funcPos is where a function is declared.
func funcPos(f *mid.Func) token.Pos {
	if s := f.Syntax(); s != nil {
		return s.Pos()
	}
	return f.Pos()
}

// generatedFile is where code is that no source file has.
const generatedFile = "<autogenerated>"

// inlinedScope returns the subprogram of f for code that was inlined from it.
func (d *debugInfo) inlinedScope(f *mid.Func) ir.Meta {
	ref, ok := d.inlined[f]
	if !ok {
		name := d.m.displayName(f)
		var line int
		ref, line = d.reserveSubprogram(funcPos(f))
		typ, params := d.empty, []ir.Meta(nil)
		if d.describes(f) {
			typ, params = d.signature(f.Signature), d.params(f, ref)
		}
		d.setSubprogram(ref, subprogram{name: name, profileName: d.m.profileName(f, name), line: line, typ: typ,
			params: params, nullary: isNullary(f)})
		d.inlined[f] = ref
		d.m.noteLocalTypes(f)
	}
	return ref
}

// exitPos is the position of f's closing brace, where it ends without a return statement
// (fixedbugs/issue14646.go, issue5856.go).
func exitPos(f *mid.Func) token.Pos {
	switch s := f.Syntax().(type) {
	case *ast.FuncDecl:
		if s.Body != nil {
			return s.Body.Rbrace
		}
	case *ast.FuncLit:
		return s.Body.Rbrace
	}
	return token.NoPos
}
