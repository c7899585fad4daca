package load

import (
	"go/ast"
	"go/types"
)

// Forget drops what was only there to compile c, and leaves what the packages that import it need:
// types, code that they may inline, and all of what is generic. In a build of hundreds of packages
// the rest would be most of the memory. A package is then the same to others as one that was
// compiled before (CheckSource's stub).
func (u *Universe) Forget(c *Checked) {
	if c.Files == nil {
		return // forgotten, or made of export data
	}
	needed := map[ast.Node]bool{}
	for _, f := range c.Files {
		for _, d := range f.Decls {
			fd, ok := d.(*ast.FuncDecl)
			switch {
			case !ok || fd.Body == nil:
			case !u.othersNeed(c.of, fd):
				fd.Body = nil
			default:
				ast.Inspect(fd, func(n ast.Node) bool {
					needed[n] = true
					return true
				})
			}
		}
	}
	c.Code.Forget()
	keepInfo(c.Info, needed)
	c.Info, c.Files, c.Inlinable, c.Lends, c.embeds = nil, nil, "", nil, nil
}

// keepInfo leaves in info what is known of some nodes, those of the functions that others may want.
func keepInfo(info *types.Info, needed map[ast.Node]bool) {
	*info = types.Info{
		Types:      only(info.Types, needed),
		Instances:  only(info.Instances, needed),
		Defs:       only(info.Defs, needed),
		Uses:       only(info.Uses, needed),
		Implicits:  only(info.Implicits, needed),
		Selections: only(info.Selections, needed),
		Scopes:     only(info.Scopes, needed),
	}
}

// only is the part of m whose keys are needed.
func only[N interface {
	comparable
	ast.Node
}, V any](m map[N]V, needed map[ast.Node]bool) map[N]V {
	part := map[N]V{}
	if len(needed) == 0 {
		return part
	}
	for n, v := range m {
		if needed[n] {
			part[n] = v
		}
	}
	return part
}
