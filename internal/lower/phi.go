package lower

import (
	"fmt"
	"strings"

	"loam/internal/ir"
	"loam/internal/mid"
)

// Strings, slices, interfaces, small structs and several results at once are LLVM aggregates.
// LLVM's passes take apart aggregates that are loaded, stored and built, but not a phi of
// aggregates that has more than one use: behind such a phi it knows no length, no constant result
// and no induction variable, up to the choice of instructions. So there are phis of scalars only,
// and the aggregate is put together again behind them.

// edge is one incoming edge of a phi: what flows in, from the end of which block.
type edge struct {
	value string
	from  *ir.Block
}

// leaf is a scalar part of an aggregate type.
type leaf struct {
	path string // indices as extractvalue takes them: "0, 1"
	ll   string
}

// zero is the leaf's zero value.
func (l leaf) zero() string {
	switch l.ll {
	case "ptr":
		return "null"
	case "float", "double":
		return "0.0"
	}
	return "0"
}

// leaves returns the scalar parts of the LLVM type ll in order; that of a scalar has no path.
func leaves(ll string) []leaf {
	var all []leaf
	rest := ll
	var parse func(path string)
	parse = func(path string) {
		at := func(i int) string {
			if path == "" {
				return fmt.Sprint(i)
			}
			return fmt.Sprintf("%s, %d", path, i)
		}
		switch rest[0] {
		case '{':
			rest = rest[1:]
			for i := 0; ; i++ {
				if rest = strings.TrimLeft(rest, " ,"); rest[0] == '}' {
					break
				}
				parse(at(i))
			}
			rest = rest[1:]
		case '[': // small arrays have one element or none
			var n int
			fmt.Sscanf(rest, "[%d x", &n)
			_, rest, _ = strings.Cut(rest, " x ")
			have := len(all)
			parse(at(0))
			if n == 0 {
				all = all[:have]
			}
			rest = rest[1:]
		default:
			end := strings.IndexAny(rest, " ,}]")
			if end < 0 {
				end = len(rest)
			}
			all = append(all, leaf{path, rest[:end]})
			rest = rest[end:]
		}
	}
	parse("")
	return all
}

// phi gives name, of type ll, in block at the value of the edge by which it was entered. All blocks
// that edges come from have their terminators.
func (b *fn) phi(at *ir.Block, name, ll string, edges []edge) {
	parts := leaves(ll)
	if len(parts) == 0 || parts[0].path == "" {
		at.Phi(phiText(name, ll, edges))
		return
	}
	whole := "poison"
	for i, l := range parts {
		in := make([]edge, len(edges))
		for k, e := range edges {
			in[k] = edge{b.leafOf(e, ll, l), e.from}
		}
		part := "%v" + b.Fresh()
		at.Phi(phiText(part, l.ll, in))
		to := name
		if i < len(parts)-1 {
			to = "%v" + b.Fresh()
		}
		at.Head("%s = insertvalue %s %s, %s %s, %s", to, ll, whole, l.ll, part, l.path)
		whole = to
	}
}

func phiText(name, ll string, edges []edge) string {
	var in []string
	for _, e := range edges {
		in = append(in, fmt.Sprintf("[ %s, %%%s ]", e.value, e.from.Label))
	}
	return fmt.Sprintf("%s = phi %s %s", name, ll, strings.Join(in, ", "))
}

// leafOf takes part l out of what flows along e, at the end of the block that e leaves: once, as a
// block that is left twice for the same one gives the same value both times.
func (b *fn) leafOf(e edge, ll string, l leaf) string {
	if e.value == "zeroinitializer" {
		return l.zero()
	}
	key := e.from.Label + " " + e.value + " " + l.path
	if part, ok := b.parts[key]; ok {
		return part
	}
	part := "%v" + b.Fresh()
	e.from.BeforeTerm("%s = extractvalue %s %s, %s", part, ll, e.value, l.path)
	if b.parts == nil {
		b.parts = map[string]string{}
	}
	b.parts[key] = part
	return part
}

// join returns a phi of type ll at the head of the block that is being written.
func (b *fn) join(ll string, edges ...edge) string {
	n := "%v" + b.Fresh()
	b.phi(b.Cur, n, ll, edges)
	return n
}

// leave ends a function with the results vals, which are in no memory. Several such ends of results
// that are aggregates become one: if each returned its own aggregate, LLVM would join those.
func (b *fn) leave(vals []string) {
	if b.Cur.Done {
		return
	}
	if strings.HasPrefix(b.sig.ret, "{") && countReturns(b.f) > 1 {
		b.returns = append(b.returns, returning{vals, b.Cur})
		b.Term("br label %%return")
		return
	}
	b.returnValues(vals)
}

// returning is one of several ends of a function.
type returning struct {
	vals []string
	from *ir.Block
}

// emitReturn writes the common end that leave promised.
func (b *fn) emitReturn() {
	if len(b.returns) == 0 {
		return
	}
	b.Cur = b.NewBlock("return")
	vals := make([]string, len(b.sig.results))
	for i, t := range b.sig.results {
		var edges []edge
		for _, r := range b.returns {
			edges = append(edges, edge{r.vals[i], r.from})
		}
		vals[i] = b.join(b.m.lltype(t), edges...)
	}
	b.returnValues(vals)
}

// returnValues writes the ret instruction. Values without scalars are left out: LLVM's SLP
// vectorizer crashes where empty structs are put into a struct of such.
func (b *fn) returnValues(vals []string) {
	if len(vals) == 1 {
		b.Term("ret %s %s", b.sig.ret, vals[0])
		return
	}
	v := "poison"
	for i, r := range vals {
		if b.m.info(b.sig.results[i]).leaves == 0 {
			continue
		}
		v = b.Op("insertvalue %s %s, %s %s, %d", b.sig.ret, v, b.m.lltype(b.sig.results[i]), r, i)
	}
	b.Term("ret %s %s", b.sig.ret, v)
}

func countReturns(f *mid.Func) int {
	n := 0
	for _, blk := range f.Body() {
		if _, ok := blk.Instrs[len(blk.Instrs)-1].(*mid.Return); ok {
			n++
		}
	}
	return n
}
