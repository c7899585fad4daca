package simrun

import (
	"cmp"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"slices"
	"strconv"
	"strings"
)

// Place is something that the program says of itself by package testing/sim, by its name.
type Place struct {
	Kind string // always, unreachable, sometimes, reachable or fault
	Name string
}

// Count is how often it was so, and how often it was not.
type Count struct {
	Yes, No uint64
	Runs    uint64 // in which it was so at least once
}

// Never reports whether something that is to happen in some runs did in none.
func (p Place) Never(c Count) bool {
	return (p.Kind == "sometimes" || p.Kind == "reachable") && c.Runs == 0
}

// Describe says how often it was so in so many runs.
func (p Place) Describe(c Count, runs uint64) string {
	what := fmt.Sprintf("sim.%s %q: ", strings.ToUpper(p.Kind[:1])+p.Kind[1:], p.Name)
	switch {
	case p.Kind == "fault":
		return fmt.Sprintf("sim.Maybe %q: %d of %d times, in %d of %d runs", p.Name, c.Yes, c.Yes+c.No, c.Runs, runs)
	case p.Kind == "always":
		return what + fmt.Sprintf("held %d times", c.Yes)
	case c.Yes+c.No == 0:
		return what + fmt.Sprintf("no run came there, of %d", runs)
	case c.Runs == 0:
		return what + fmt.Sprintf("never in %d runs, which came there %d times", runs, c.No)
	}
	return what + fmt.Sprintf("in %d of %d runs", c.Runs, runs)
}

// parsePlace reads a line of a run's report: kind, how often yes, how often no, name.
func parsePlace(line string) (p Place, c Count, err error) {
	parts := strings.SplitN(strings.TrimSuffix(line, "\n"), " ", 4)
	if len(parts) == 4 {
		p = Place{parts[0], parts[3]}
		if c.Yes, err = strconv.ParseUint(parts[1], 10, 64); err == nil {
			c.No, err = strconv.ParseUint(parts[2], 10, 64)
		}
		if err == nil {
			c.Runs = min(c.Yes, 1)
			return p, c, nil
		}
	}
	return p, c, fmt.Errorf("the report of a run cannot be read: %q", line)
}

// Places are those of many runs.
type Places map[Place]Count

// Add adds what other runs found.
func (all Places) Add(more Places) {
	for p, c := range more {
		sum := all[p]
		sum.Yes += c.Yes
		sum.No += c.No
		sum.Runs += c.Runs
		all[p] = sum
	}
}

// Sorted are the places by kind and name.
func (all Places) Sorted() (places []Place) {
	for p := range all {
		places = append(places, p)
	}
	slices.SortFunc(places, func(a, b Place) int { return cmp.Or(cmp.Compare(a.Kind, b.Kind), cmp.Compare(a.Name, b.Name)) })
	return places
}

// Expected finds what is to happen in some runs in the source of a package: calls of Sometimes and
// Reachable with a literal for the name.
func Expected(files []string) (places []Place, err error) {
	for _, name := range files {
		fset := token.NewFileSet()
		f, err := parser.ParseFile(fset, name, nil, parser.SkipObjectResolution)
		if err != nil {
			return nil, err
		}
		local := ""
		for _, spec := range f.Imports {
			if spec.Path.Value == `"testing/sim"` {
				local = "sim"
				if spec.Name != nil {
					local = spec.Name.Name
				}
			}
		}
		if local == "" {
			continue
		}
		ast.Inspect(f, func(n ast.Node) bool {
			if call, ok := n.(*ast.CallExpr); ok {
				if p, ok := expected(call, local); ok && !slices.Contains(places, p) {
					places = append(places, p)
				}
			}
			return true
		})
	}
	return places, nil
}

func expected(call *ast.CallExpr, local string) (Place, bool) {
	sel, ok := call.Fun.(*ast.SelectorExpr)
	if !ok || len(call.Args) == 0 {
		return Place{}, false
	}
	x, ok := sel.X.(*ast.Ident)
	lit, isLit := call.Args[len(call.Args)-1].(*ast.BasicLit)
	if !ok || x.Name != local || !isLit || lit.Kind != token.STRING || sel.Sel.Name != "Sometimes" && sel.Sel.Name != "Reachable" {
		return Place{}, false
	}
	name, err := strconv.Unquote(lit.Value)
	return Place{strings.ToLower(sel.Sel.Name), strings.ReplaceAll(name, "\n", " ")}, err == nil
}
