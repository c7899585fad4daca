package driver

import (
	"debug/elf"
	"errors"
	"fmt"
	"go/types"
	"slices"
	"strings"

	"loam/internal/importpath"
	"loam/internal/load"
)

// stringVars returns the package-level variables of type string, which -ldflags=-X may set.
func stringVars(p *types.Package) (names []string) {
	for _, name := range p.Scope().Names() {
		if v, ok := p.Scope().Lookup(name).(*types.Var); ok && types.Unalias(v.Type()) == types.Typ[types.String] {
			names = append(names, name)
		}
	}
	return names
}

// checkLinkVars refuses -ldflags=-X of what is in the program but no string variable: the two words
// of a string would overwrite other variables, or stand for code. What is not there at all is
// ignored, as gc's linker does.
func (g *Graph) checkLinkVars(main *unit, units []*unit) error {
	var faults []error
	for _, symbol := range sortedKeys(g.b.Linking.LinkVars) {
		dot := strings.LastIndexByte(symbol, '.')
		for _, n := range units {
			if importpath.Prefix(load.TypePath(n.pkg)) != symbol[:dot] || slices.Contains(n.rec.Strings, symbol[dot+1:]) {
				continue
			}
			defined, err := g.defines(n, symbol)
			if err != nil {
				return err
			}
			if defined {
				faults = append(faults, fmt.Errorf("%s: cannot set with -X: not a var of type string", symbol))
			}
		}
	}
	if faults == nil {
		return nil
	}
	return &load.Diagnostic{Text: fmt.Sprintf("# %s\n%v", main.pkg.ImportPath, errors.Join(faults...))}
}

// defines reports whether the package has that symbol.
func (g *Graph) defines(n *unit, symbol string) (bool, error) {
	facts, err := g.facts(n)
	if err != nil || facts.Defines(symbol) {
		return err == nil, err
	}
	for _, key := range n.rec.Objects[n.rec.Chunks:] {
		name, err := g.b.cache.File(key, "o")
		if err != nil {
			return false, err
		}
		f, err := elf.Open(name)
		if err != nil {
			return false, err
		}
		symbols, err := f.Symbols()
		f.Close()
		if err != nil && !errors.Is(err, elf.ErrNoSymbols) {
			return false, err
		}
		if slices.ContainsFunc(symbols, func(s elf.Symbol) bool { return s.Name == symbol && s.Section != elf.SHN_UNDEF }) {
			return true, nil
		}
	}
	return false, nil
}
