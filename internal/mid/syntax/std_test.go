package syntax

import (
	"go/types"
	"os"
	"testing"

	"golang.org/x/tools/go/packages"

	"loam/internal/mid"
)

// TestStd makes all functions of some packages, which are verified, and asks for positions: what
// comes from the source has one, so that a panic has a line.
func TestStd(t *testing.T) {
	conf := &packages.Config{Mode: packages.LoadAllSyntax, Env: append(os.Environ(), "CGO_ENABLED=0")}
	pkgs, err := packages.Load(conf, "go/parser", "encoding/json", "text/template", "slices", "sync", "iter", "net/netip")
	if err != nil {
		t.Fatal(err)
	}
	u := NewUniverse(pkgs[0].Fset, types.SizesFor("gc", "amd64"))
	packages.Visit(pkgs, nil, func(p *packages.Package) { u.Add(p.Types, p.Syntax, p.TypesInfo, true) })
	count := 0
	for _, p := range pkgs {
		for _, f := range u.View(p.Types).Functions() {
			for _, b := range f.Body() {
				for _, in := range b.Instrs {
					count++
					if !in.Pos().IsValid() && needsPos(f, in) {
						t.Errorf("%s: %T in b%d has no position\n%s", f, in, b.Index, f.Text())
					}
				}
			}
		}
	}
	if count < 15000 {
		t.Errorf("only %d instructions", count)
	}
}

// needsPos reports whether in of f is something that the source does.
func needsPos(f *mid.Func, in mid.Instr) bool {
	if f.Syntax() == nil || in.Block() == f.Recover() {
		return false
	}
	switch in := in.(type) {
	case *mid.Phi, *mid.Jump:
		return false
	case *mid.Alloc:
		return in.Made != mid.Variable
	case *mid.Store: // of a parameter
		_, param := in.Val.(*mid.Parameter)
		return !param
	}
	return true
}
