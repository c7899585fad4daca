package main

import (
	"fmt"
	"slices"
	"strings"
)

// A grammar's symbols are numbered, the terminals first; 0 is the end of the input.
type grammar struct {
	names     []string
	terminals int
	rules     []rule
}

// A rule is a production. Its action computes v, the value of head, from values vs of the body.
type rule struct {
	head   int
	body   []int
	action string
}

func (g *grammar) symbol(name string) int {
	i := slices.Index(g.names, name)
	if i < 0 {
		i = len(g.names)
		g.names = append(g.names, name)
	}
	return i
}

func (g *grammar) rule(text, action string) {
	head, body, _ := strings.Cut(text, ":")
	r := rule{head: g.symbol(strings.TrimSpace(head)), action: action}
	for _, s := range strings.Fields(body) {
		r.body = append(r.body, g.symbol(s))
	}
	g.rules = append(g.rules, r)
}

// foldings are what binary operators do with constants, and what they are called; over again with
// more levels.
var foldings = []struct{ name, fold string }{
	{"oror", "truth(x.n != 0 || y.n != 0)"}, {"orelse", "x.n | y.n<<1"}, {"orif", "max(x.n, y.n)"},
	{"andand", "truth(x.n != 0 && y.n != 0)"}, {"andthen", "x.n & (y.n + 1)"}, {"andif", "min(x.n, y.n)"},
	{"or", "x.n | y.n"}, {"nor", "^(x.n | y.n)"}, {"xnor", "^(x.n ^ y.n)"},
	{"xor", "x.n ^ y.n"}, {"imp", "^x.n | y.n"}, {"nimp", "x.n &^ y.n"},
	{"eq", "truth(x.n == y.n)"}, {"ne", "truth(x.n != y.n)"}, {"same", "truth(x.n^y.n < 2)"},
	{"lt", "truth(x.n < y.n)"}, {"le", "truth(x.n <= y.n)"}, {"gt", "truth(x.n > y.n)"},
	{"shl", "x.n << uint(y.n&63)"}, {"shr", "x.n >> uint(y.n&63)"}, {"ror", "int64(bits.RotateLeft64(uint64(x.n), int(-y.n)))"},
	{"add", "x.n + y.n"}, {"sub", "x.n - y.n"}, {"avg", "(x.n + y.n) / 2"},
	{"mul", "x.n * y.n"}, {"mac", "x.n*y.n + 1"}, {"sqr", "x.n*x.n + y.n"},
	{"pow", "power(x.n, y.n)"}, {"bit", "x.n >> uint(y.n&63) & 1"}, {"set", "x.n | 1<<uint(y.n&63)"},
}

// parser writes the parser of a small language with the given number of levels of binary operators,
// three a level: tables for SLR(1), and one function with an action for each rule.
func parser(w *source, levels int) {
	g := &grammar{}
	for _, t := range []string{"end", "name", "number", "open", "close", "begin", "done", "semicolon", "comma", "assign", "if", "else", "while", "print", "minus", "not", "compl"} {
		g.symbol(t)
	}
	first := len(g.names)
	for i := range 3 * levels {
		g.symbol(operator(i))
	}
	g.terminals = len(g.names)
	g.rule("program: list", "v = vs[0]")
	g.rule("list: stmt", "v = vs[0]")
	g.rule("list: list stmt", "v = p.node(\"list\", vs[0], vs[1])")
	g.rule("stmt: expr semicolon", "v = vs[0]")
	g.rule("stmt: name assign expr semicolon", "p.vars[vs[0].n&63] = vs[2]\nv = p.node(\"assign\", vs[0], vs[2])")
	g.rule("stmt: print expr semicolon", "p.printed += vs[1].n\nv = p.node(\"print\", vs[1], vs[1])")
	g.rule("stmt: begin list done", "v = vs[1]")
	g.rule("stmt: while open expr close begin list done", "v = p.node(\"while\", vs[2], vs[5])")
	g.rule("stmt: if open expr close begin list done", "v = p.node(\"if\", vs[2], vs[5])")
	g.rule("stmt: if open expr close begin list done else begin list done", "v = p.node(\"if\", vs[2], p.node(\"else\", vs[5], vs[9]))")
	g.rule("expr: level0", "v = vs[0]")
	for l := range levels {
		for k := range 3 {
			i := 3*l + k
			g.rule(fmt.Sprintf("level%d: level%d %s level%d", l, l, operator(i), l+1), binaryAction(operator(i), foldings[i%len(foldings)].fold))
		}
		g.rule(fmt.Sprintf("level%d: level%d", l, l+1), "v = vs[0]")
	}
	top := fmt.Sprintf("level%d", levels)
	for _, u := range [][2]string{{"minus", "-x.n"}, {"not", "truth(x.n == 0)"}, {"compl", "^x.n"}} {
		g.rule(fmt.Sprintf("%s: %s %s", top, u[0], top), fmt.Sprintf(`x := vs[1]
if x.kind == isError {
v = x
} else if x.constant {
v = value{kind: x.kind, constant: true, n: %s}
} else {
v = p.node(%q, x, x)
}`, u[1], u[0]))
	}
	g.rule(top+": name", "v = p.vars[vs[0].n&63]\nif v.kind == isNothing {\nv = value{kind: isInt, n: vs[0].n}\n}")
	g.rule(top+": number", "v = value{kind: isInt, constant: true, n: vs[0].n}")
	g.rule(top+": open expr close", "v = vs[1]")
	g.rule(top+": name open args close", "v = p.node(\"call\", vs[0], vs[2])")
	g.rule("args:", "v = value{}")
	g.rule("args: some", "v = vs[0]")
	g.rule("some: expr", "v = vs[0]")
	g.rule("some: some comma expr", "v = p.node(\"args\", vs[0], vs[2])")

	w.f("import \"math/bits\"\n\nconst (")
	for i, n := range g.names[:g.terminals] {
		w.f("tok%s = %d", strings.ToUpper(n[:1])+n[1:], i)
	}
	w.f("firstOperator = %d\noperators = %d\n)\n", first, 3*levels)
	action, jumps := g.tables()
	w.f("const terminals, nonterminals = %d, %d\n", g.terminals, len(g.names)-g.terminals)
	table(w, "action", "positive: shift to the state before; negative: reduce", action)
	table(w, "jump", "the state after a reduction", jumps)
	var heads, lengths []int
	for _, r := range g.rules {
		heads, lengths = append(heads, r.head-g.terminals), append(lengths, len(r.body))
	}
	table(w, "head", "of each rule", heads)
	table(w, "length", "of each rule's body", lengths)
	w.f("// parse parses tokens, of which the last is tokEnd.")
	w.f("func (p *parsing) parse(tokens []token) (v value, ok bool) {")
	w.f("states := make([]int16, 1, 256)\nvalues := make([]value, 0, 256)\nat := 0\nfor {")
	w.f("do := action[int(states[len(states)-1])*terminals+int(tokens[at].kind)]\nswitch {\ncase do == 0:\nreturn v, false")
	w.f("case do > 0:\nstates = append(states, do-1)\nvalues = append(values, value{kind: isInt, n: tokens[at].n})\nat++\ncontinue\n}")
	w.f("rule := -do - 1\nn := int(length[rule])\nvs := values[len(values)-n:]\nv = value{}\nswitch rule {")
	for i, r := range g.rules {
		var names []string
		for _, s := range r.body {
			names = append(names, g.names[s])
		}
		w.f("case %d: // %s: %s\n%s", i, g.names[r.head], strings.Join(names, " "), r.action)
		if i == 0 {
			w.f("return v, true")
		}
	}
	w.f("}\nvalues = append(values[:len(values)-n], v)\nstates = states[:len(states)-n]")
	w.f("states = append(states, jump[int(states[len(states)-1])*nonterminals+int(head[rule])])\n}\n}\n")
	w.f("func rotate(x, y int64) int64 { return int64(bits.RotateLeft64(uint64(x), int(y))) }")
}

func operator(i int) string {
	name := foldings[i%len(foldings)].name
	if i >= len(foldings) {
		name += fmt.Sprint(i / len(foldings))
	}
	return name
}

// binaryAction checks and folds, and simplifies what has a constant on one side.
func binaryAction(name, fold string) string {
	return fmt.Sprintf(`x, y := vs[0], vs[2]
switch {
case x.kind == isError:
v = x
case y.kind == isError:
v = y
case x.kind == isNothing || y.kind == isNothing:
p.errors++
v = value{kind: isError}
case x.constant && y.constant:
v = value{kind: isInt, constant: true, n: %s}
if v.n > 1<<40 || v.n < -1<<40 {
v.n = rotate(v.n, 24) & (1<<40 - 1)
p.wrapped++
}
case x.constant && x.n == 0:
if p.pure(y) {
y, x := x, y
v = value{kind: isInt, constant: true, n: %s}
} else {
v = p.node(%q, x, y)
}
case y.constant && y.n == 1 && x.depth > 3:
v = x
v.depth--
v.n = rotate(v.n, 3)
case x.depth > y.depth+8:
v = p.node(%q, y, x)
p.swapped++
default:
v = p.node(%q, x, y)
if x.depth == y.depth {
p.even++
}
}`, fold, fold, name, name, name)
}

func table(w *source, name, means string, v []int) {
	w.f("// %s: %s", name, means)
	w.f("var %s = [...]int16{", name)
	for line := range slices.Chunk(v, 32) {
		var b strings.Builder
		for _, n := range line {
			fmt.Fprintf(&b, "%d, ", n)
		}
		w.f("%s", b.String())
	}
	w.f("}\n")
}

// tables makes the tables of SLR(1). The first rule is the start's; no other rule mentions its
// head.
func (g *grammar) tables() (action, jumps []int) {
	type item struct{ rule, dot int }
	closure := func(set []item) []item {
		for i := 0; i < len(set); i++ {
			r := g.rules[set[i].rule]
			if set[i].dot == len(r.body) {
				continue
			}
			for k, other := range g.rules {
				if other.head == r.body[set[i].dot] && !slices.Contains(set, item{k, 0}) {
					set = append(set, item{k, 0})
				}
			}
		}
		slices.SortFunc(set, func(a, b item) int { return (a.rule-b.rule)*64 + a.dot - b.dot })
		return set
	}
	follow := g.follow()
	sets := [][]item{closure([]item{{0, 0}})}
	known := map[string]int{fmt.Sprint(sets[0]): 0}
	for s := 0; s < len(sets); s++ {
		action = append(action, make([]int, g.terminals)...)
		jumps = append(jumps, make([]int, len(g.names)-g.terminals)...)
		actions, gotos := action[s*g.terminals:], jumps[s*(len(g.names)-g.terminals):]
		next := map[int][]item{}
		for _, it := range sets[s] {
			if r := g.rules[it.rule]; it.dot < len(r.body) {
				next[r.body[it.dot]] = append(next[r.body[it.dot]], item{it.rule, it.dot + 1})
				continue
			}
			for t := range follow[g.rules[it.rule].head] {
				if actions[t] != 0 {
					panic("two reductions in a state")
				}
				actions[t] = -it.rule - 1
			}
		}
		for sym := range g.names {
			if next[sym] == nil {
				continue
			}
			set := closure(next[sym])
			key := fmt.Sprint(set)
			to, ok := known[key]
			if !ok {
				to = len(sets)
				known[key] = to
				sets = append(sets, set)
			}
			switch {
			case sym >= g.terminals:
				gotos[sym-g.terminals] = to
			case actions[sym] != 0:
				panic("shift and reduction on " + g.names[sym])
			default:
				actions[sym] = to + 1
			}
		}
	}
	return action, jumps
}

// follow computes which terminals can come after each nonterminal.
func (g *grammar) follow() map[int]map[int]bool {
	empty := map[int]bool{}
	first, follow := map[int]map[int]bool{}, map[int]map[int]bool{}
	for s := range g.names {
		first[s], follow[s] = map[int]bool{}, map[int]bool{}
		if s < g.terminals {
			first[s][s] = true
		}
	}
	follow[g.rules[0].head][0] = true
	for changed := true; changed; {
		changed = false
		add := func(to, from map[int]bool) {
			for t := range from {
				if !to[t] {
					to[t], changed = true, true
				}
			}
		}
		for _, r := range g.rules {
			nothing := true
			for i, s := range r.body {
				if nothing {
					add(first[r.head], first[s])
				}
				nothing = nothing && empty[s]
				rest := true
				for _, after := range r.body[i+1:] {
					if rest {
						add(follow[s], first[after])
					}
					rest = rest && empty[after]
				}
				if rest {
					add(follow[s], follow[r.head])
				}
			}
			if nothing && !empty[r.head] {
				empty[r.head], changed = true, true
			}
		}
	}
	return follow
}
