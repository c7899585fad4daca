// Package tables is a table-driven parser of a small language with many operators, made by
// bench/code/generate.
package tables

type kind uint8

const (
	isNothing kind = iota
	isInt
	isError
)

// value is what a symbol stands for: a constant, or a node.
type value struct {
	kind     kind
	constant bool
	depth    int32
	n        int64
}

type token struct {
	kind int16
	n    int64
}

type node struct {
	op   string
	x, y int64
}

type parsing struct {
	vars                           [64]value
	nodes                          []node
	printed                        int64
	errors, wrapped, swapped, even int
}

func (p *parsing) node(op string, x, y value) value {
	p.nodes = append(p.nodes, node{op, x.n, y.n})
	return value{kind: isInt, depth: max(x.depth, y.depth) + 1, n: int64(len(p.nodes))}
}

func (p *parsing) pure(v value) bool { return v.depth < 3 }

func truth(b bool) int64 {
	if b {
		return 1
	}
	return 0
}

func power(x, n int64) int64 {
	r := int64(1)
	for n &= 15; n > 0; n-- {
		r *= x
	}
	return r
}

// A writer makes the tokens of a program.
type writer struct {
	tokens []token
	seed   uint32
}

func (w *writer) random(n int) int {
	w.seed = w.seed*1664525 + 1013904223
	return int(w.seed>>8) % n
}

func (w *writer) put(kind int, n int) { w.tokens = append(w.tokens, token{int16(kind), int64(n)}) }

func (w *writer) expr(depth int) {
	switch k := w.random(10); {
	case depth == 0 || k < 2:
		if w.random(2) == 0 {
			w.put(tokName, w.random(64))
		} else {
			w.put(tokNumber, w.random(5))
		}
	case k < 3:
		w.put([]int{tokMinus, tokNot, tokCompl}[w.random(3)], 0)
		w.put(tokNumber, w.random(100))
	case k < 4:
		w.put(tokName, w.random(64))
		w.put(tokOpen, 0)
		w.expr(depth - 1)
		w.put(tokComma, 0)
		w.expr(depth - 1)
		w.put(tokClose, 0)
	case k < 5:
		w.put(tokOpen, 0)
		w.expr(depth - 1)
		w.put(tokClose, 0)
	default:
		w.expr(depth - 1)
		w.put(firstOperator+w.random(operators), 0)
		w.expr(depth - 1)
	}
}

func (w *writer) block(depth int) {
	w.put(tokBegin, 0)
	for range 1 + w.random(4) {
		w.stmt(depth - 1)
	}
	w.put(tokDone, 0)
}

func (w *writer) stmt(depth int) {
	switch k := w.random(6); {
	case k == 0 && depth > 0:
		w.put(tokIf, 0)
		w.put(tokOpen, 0)
		w.expr(2)
		w.put(tokClose, 0)
		w.block(depth)
		if w.random(2) == 0 {
			w.put(tokElse, 0)
			w.block(depth)
		}
	case k == 1 && depth > 0:
		w.put(tokWhile, 0)
		w.put(tokOpen, 0)
		w.expr(2)
		w.put(tokClose, 0)
		w.block(depth)
	case k == 2:
		w.put(tokPrint, 0)
		w.expr(3)
		w.put(tokSemicolon, 0)
	case k == 3:
		w.expr(4)
		w.put(tokSemicolon, 0)
	default:
		w.put(tokName, w.random(64))
		w.put(tokAssign, 0)
		w.expr(4)
		w.put(tokSemicolon, 0)
	}
}

var program = func() []token {
	w := &writer{seed: 1}
	for len(w.tokens) < 20_000 {
		w.stmt(4)
	}
	w.put(tokEnd, 0)
	return w.tokens
}()

// Run parses a program of some 20,000 tokens.
func Run() int {
	p := &parsing{nodes: make([]node, 0, 1<<14)}
	v, ok := p.parse(program)
	if !ok {
		panic("tables: syntax error")
	}
	return int(p.printed) + int(v.n) + p.errors + p.wrapped + p.swapped + p.even + len(p.nodes)
}
