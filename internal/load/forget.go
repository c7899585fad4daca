package load

import (
	"go/ast"
	"go/types"
	"slices"
)

// Forget drops what was only there to compile c, and leaves what the packages that import it need:
// types, code that they may inline, and all of what is generic. In a build of hundreds of packages
// the rest would be most of the memory. A package is then the same to others as one that was
// compiled before (CheckSource's stub). What is known of expressions stays in a universe that has
// little because one package is compiled in it: to sort it out takes longer than all else here.
func (u *Universe) Forget(c *Checked) {
	if c.Files == nil {
		return // forgotten, or made of export data
	}
	var needed []ast.Node
	for _, f := range c.Files {
		for _, d := range f.Decls {
			fd, ok := d.(*ast.FuncDecl)
			switch {
			case !ok || fd.Body == nil:
			case !u.othersNeed(c.of, fd):
				fd.Body = nil
			case !u.Limited():
				ast.Inspect(fd, func(n ast.Node) bool {
					if n != nil {
						needed = append(needed, n)
					}
					return true
				})
			}
		}
	}
	c.Code.Forget()
	if !u.Limited() {
		keepInfo(c.Info, needed)
	}
	c.Info, c.Files, c.Inlinable, c.Lends, c.embeds = nil, nil, "", nil, nil
}

// keepInfo leaves in info what is known of some nodes, those of the functions that others may want.
func keepInfo(info *types.Info, needed []ast.Node) {
	typed := slices.DeleteFunc(slices.Clone(needed), func(n ast.Node) bool { return isObject(info, n) })
	*info = types.Info{
		Types:      only(info.Types, typed),
		Instances:  only(info.Instances, needed),
		Defs:       only(info.Defs, needed),
		Uses:       only(info.Uses, needed),
		Implicits:  only(info.Implicits, needed),
		Selections: only(info.Selections, needed),
		Scopes:     only(info.Scopes, needed),
	}
}

// isObject reports whether n is a name whose type is its variable's or function's, which is all
// that info.Types says of it: info.TypeOf finds that without. Half of all expressions are such
// names.
func isObject(info *types.Info, n ast.Node) bool {
	id, ok := n.(*ast.Ident)
	if !ok {
		return false
	}
	obj := info.ObjectOf(id)
	switch obj.(type) {
	case *types.Var, *types.Func:
		return info.Types[id].Type == obj.Type()
	}
	return false
}

// only is the part of m whose keys are among the nodes.
func only[N interface {
	comparable
	ast.Node
}, V any](m map[N]V, nodes []ast.Node) map[N]V {
	count := 0
	each := func(do func(N, V)) {
		for _, node := range nodes {
			if n, ok := node.(N); ok {
				if v, ok := m[n]; ok {
					do(n, v)
				}
			}
		}
	}
	each(func(N, V) { count++ })
	part := make(map[N]V, count) // one that grows would be twice as large
	each(func(n N, v V) { part[n] = v })
	return part
}
