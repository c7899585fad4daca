package syntax

import (
	"go/ast"
	"go/token"
	"go/types"

	"loam/internal/mid"
)

// Check type-checks the files of a package, and returns it as its compilation sees it. Of the
// packages that it imports only types are known.
func Check(conf *types.Config, fset *token.FileSet, path string, files []*ast.File) (*mid.Package, *types.Info, error) {
	info := NewInfo()
	pkg, err := conf.Check(path, fset, files, info)
	if err != nil {
		return nil, nil, err
	}
	sizes := conf.Sizes
	if sizes == nil {
		sizes = types.SizesFor("gc", "amd64")
	}
	u := NewUniverse(fset, sizes)
	u.AddImports(pkg)
	u.Add(pkg, files, info, true)
	return u.View(pkg), info, nil
}

// NewInfo returns an Info with all that a Package needs.
func NewInfo() *types.Info {
	return &types.Info{
		Types:        map[ast.Expr]types.TypeAndValue{},
		Instances:    map[*ast.Ident]types.Instance{},
		Defs:         map[*ast.Ident]types.Object{},
		Uses:         map[*ast.Ident]types.Object{},
		Implicits:    map[ast.Node]types.Object{},
		Selections:   map[*ast.SelectorExpr]*types.Selection{},
		Scopes:       map[ast.Node]*types.Scope{},
		FileVersions: map[*ast.File]string{},
	}
}

// AddImports enters the types of all that pkg imports, at any depth.
func (u *Universe) AddImports(pkg *types.Package) {
	for _, p := range pkg.Imports() {
		if u.byTypes[p] == nil {
			u.Add(p, nil, nil, false)
			u.AddImports(p)
		}
	}
}

// View returns a package of the universe as its compilation sees it.
func (u *Universe) View(pkg *types.Package) *mid.Package {
	return NewPackage(u.byTypes[pkg], Settings{})
}
