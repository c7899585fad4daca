package lower

import (
	"go/types"

	"loam/internal/ir"
	"loam/internal/mid"
)

// describes reports whether the variables of f's package are wanted.
func (d *debugInfo) describes(f *mid.Func) bool {
	if !d.full {
		return false
	}
	pkg := declaredPackage(f)
	return pkg != nil && (pkg == d.m.pkg || d.m.in.Describe(pkg.Pkg.Path()))
}

// declaredPackage is the package in whose sources f is, nil for functions that were made up.
func declaredPackage(f *mid.Func) *mid.Package {
	f = f.Declaration()
	if f.IsWrapper() {
		return nil
	}
	return f.Pkg
}

// outermostScope returns the scope of the declaration that f is in. Looking in a package's scope
// takes time for each of its functions.
func outermostScope(f *mid.Func) *types.Scope {
	f = f.Declaration()
	if declared := f.Object(); declared != nil && declared.Scope() != nil {
		return declared.Scope()
	}
	return f.Pkg.Pkg.Scope() // a literal in an initialiser
}

// block makes a lexical block.
func (d *debugInfo) block(parent ir.Meta, file string, line, column int) ir.Meta {
	ref := d.m.out.Distinct("DILexicalBlock", ir.Node("scope", parent), ir.Node("file", d.file(file)),
		ir.Number("line", line), ir.Number("column", column))
	d.home[ref] = file
	return ref
}

// variable makes the description of a local variable.
func (d *debugInfo) variable(name string, arg int, scope ir.Meta, file string, line int, t types.Type) ir.Meta {
	fields := []ir.Field{ir.Text("name", name)}
	if arg > 0 {
		fields = append(fields, ir.Number("arg", arg))
	}
	fields = append(fields, ir.Node("scope", scope), ir.Node("file", d.file(file)), ir.Number("line", line), ir.Node("type", d.typ(t)))
	return d.m.out.Node("DILocalVariable", fields...)
}

// params describes the parameters of f, which scope is the subprogram of, without their places.
func (d *debugInfo) params(f *mid.Func, scope ir.Meta) (list []ir.Meta) {
	for i, p := range f.Params {
		if x := p.Object(); x != nil && x.Name() != "" && x.Name() != "_" {
			file, line := d.position(x.Pos())
			list = append(list, d.variable(x.Name(), i+1, scope, file, line, p.Type()))
		}
	}
	return list
}

// global returns the description of a package variable, none if it is not wanted.
func (d *debugInfo) global(g *mid.Global, name string) ir.Meta {
	if !d.full || !g.Pos().IsValid() {
		return 0
	}
	file, line := d.position(g.Pos())
	t := under(g.Type()).(*types.Pointer).Elem()
	v := d.m.out.Distinct("DIGlobalVariable", append([]ir.Field{
		ir.Text("name", name), ir.Node("scope", d.cu), ir.Node("file", d.file(file)), ir.Number("line", line),
		ir.Node("type", d.typ(t)), ir.Word("isLocal", "false"), ir.Word("isDefinition", "true"),
	}, d.boxedInData()...)...)
	e := d.m.out.Node("DIGlobalVariableExpression", ir.Node("var", v), ir.Word("expr", "!DIExpression()"))
	d.globals = append(d.globals, e)
	return e
}

// boxed are the types that f makes interfaces of.
func boxed(f *mid.Func) (list []types.Type) {
	seen := map[types.Type]bool{}
	for _, block := range f.DomPreorder() {
		for _, in := range block.Instrs {
			if box, ok := in.(*mid.MakeInterface); ok && !seen[box.X.Type()] {
				seen[box.X.Type()] = true
				list = append(list, box.X.Type())
			}
		}
	}
	return list
}

// boxedInData are types of interfaces in the package's initialised data: parameters of a template
// that its first variable is, because there may be no function. The link takes them out.
func (d *debugInfo) boxedInData() (fields []ir.Field) {
	f := d.m.pkg.Func("init")
	if len(d.globals) > 0 || f == nil || !f.HasBody() {
		return nil
	}
	var list []ir.Meta
	for _, t := range boxed(f) {
		list = append(list, d.m.out.Node("DITemplateTypeParameter", ir.Node("type", d.typ(t))))
	}
	if len(list) == 0 {
		return nil
	}
	return []ir.Field{ir.Nodes("templateParams", list)}
}
