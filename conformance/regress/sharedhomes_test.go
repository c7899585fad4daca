package regress

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"
)

// sharedHomesHead is what the functions of TestSharedHomes use. What they make has pointers, and
// each kind of value says what it is.
const sharedHomesHead = `package main

import (
	"fmt"
	"hash/fnv"
	"runtime"
	"sync"
	"time"
)

type node struct {
	next *node
	n    int
}

type both struct {
	p *node
	s string
}

var (
	mu    sync.Mutex
	never chan int
	sum   = fnv.New64a()
	sink  [4]any
)

//go:noinline
func makeP(n int) *node { return &node{&node{nil, n + 1}, n} }

//go:noinline
func makeS(n int) string { return fmt.Sprint("s", n) }

//go:noinline
func makeL(n int) []string { return []string{makeS(n), makeS(n + 1), makeS(n + 2)}[:n%3+1] }

//go:noinline
func makeB(n int) both { return both{makeP(n), makeS(n)} }

//go:noinline
func makeA(n int) any {
	switch n % 3 {
	case 0:
		return makeP(n)
	case 1:
		return makeS(n)
	}
	return makeL(n)
}

//go:noinline
func makeF(n int) func() int { p := makeP(n); return func() int { return p.next.n } }

//go:noinline
func makeM(n int) map[string]*node { return map[string]*node{makeS(n): makeP(n)} }

//go:noinline
func use(vs ...any) {
	for _, v := range vs {
		switch v := v.(type) {
		case *node:
			if v == nil {
				fmt.Fprint(sum, "nil ")
			} else {
				fmt.Fprint(sum, v.n, v.next.n, " ")
			}
		case both:
			fmt.Fprint(sum, v.s, " ")
			use(v.p)
		case func() int:
			if v != nil {
				fmt.Fprint(sum, "f", v(), " ")
			}
		case map[string]*node:
			for k, v := range v {
				fmt.Fprint(sum, k, v.n, " ")
			}
		default:
			fmt.Fprint(sum, v, " ")
		}
	}
}

func wait() {
	c := make(chan int)
	go func() { sink[0] = makeL(7); runtime.Gosched(); c <- 1 }()
	<-c
}

var waitFunc = wait

//go:noinline
func fail(v any) { use(v); panic(fmt.Sprintf("failed %T", v)) }
`

// sharedHomesWaits are the ways in which the functions wait.
var sharedHomesWaits = []string{
	"wait()", "waitFunc()", "mu.Lock(); mu.Unlock()", "runtime.Gosched()", "time.Sleep(time.Microsecond)", "runtime.GC()",
	"select { case <-never: case <-time.After(time.Microsecond): }",
	"func() { c := make(chan int, 1); c <- 1; <-c }()",
}

// sharedHomesMaker writes one function.
type sharedHomesMaker struct {
	r     *rand.Rand
	text  strings.Builder
	vars  []string // in scope; the first letter is the kind of value
	made  int
	depth int
}

func (m *sharedHomesMaker) line(format string, args ...any) {
	fmt.Fprintf(&m.text, "%s%s\n", strings.Repeat("\t", m.depth), fmt.Sprintf(format, args...))
}

func (m *sharedHomesMaker) some() string { return m.vars[m.r.IntN(len(m.vars))] }

// kind is a kind of value: P, S, L, B, A, F or M.
func (m *sharedHomesMaker) kind() byte { return "PSLBAFM"[m.r.IntN(7)] }

func (m *sharedHomesMaker) value(kind byte) string {
	return fmt.Sprintf("make%c(n+%d)", kind, m.r.IntN(50))
}

func (m *sharedHomesMaker) statement() {
	switch k := m.r.IntN(20); {
	case k < 6:
		kind := m.kind()
		name := fmt.Sprintf("%c%d", kind, m.made)
		m.made++
		m.line("%s := %s", name, m.value(kind))
		m.line("_ = %s", name)
		m.vars = append(m.vars, name)
	case k < 10:
		m.line("%s", sharedHomesWaits[m.r.IntN(len(sharedHomesWaits))])
	case k < 12:
		m.line("use(%s, %s)", m.some(), m.some())
	case k < 14:
		v := m.some()
		m.line("%s = %s", v, m.value(v[0]))
	case k < 15:
		v := m.some()
		m.line("if n%%%d == 0 {", 2+m.r.IntN(3))
		m.block(2)
		m.line("\t%s = %s", v, m.value(v[0]))
		m.line("} else {")
		m.block(2)
		m.line("}")
	case k < 17:
		m.line("for i := range 1 + n%%3 {")
		m.line("\t_ = i")
		m.block(3)
		m.line("}")
	case k < 18:
		m.line("defer func(v any) { use(v, %s); recover() }(%s)", m.some(), m.some())
	case k < 19:
		m.line("use(len(makeL(n+%d)), len(%s))", m.r.IntN(9), m.value('S'))
	default:
		m.line("if n%%%d == 1 {", 3+m.r.IntN(4))
		m.line("\tfail(%s)", m.some())
		m.line("}")
	}
}

// block writes some statements whose variables end with it.
func (m *sharedHomesMaker) block(n int) {
	m.depth++
	known := len(m.vars)
	for range n {
		if m.depth < 5 {
			m.statement()
		}
	}
	m.vars = m.vars[:known]
	m.depth--
}

// sharedHomesText is a program of so many functions.
func sharedHomesText(seed uint64, funcs int) string {
	m := &sharedHomesMaker{r: rand.New(rand.NewPCG(seed, 0))}
	for i := range funcs {
		m.vars, m.depth = []string{"p", "s", "l", "a"}, 1
		for k, kind := range "PSLA" {
			m.vars[k] = fmt.Sprintf("%c", kind)
		}
		fmt.Fprintf(&m.text, "\nfunc f%d(n int, P *node, S string, L []string, A any) (r any, err error) {\n", i)
		if m.r.IntN(2) == 0 {
			m.line("defer func() { if x := recover(); x != nil { err = fmt.Errorf(\"%%v, %%v\", x, S) } }()")
		}
		for range 12 + m.r.IntN(30) {
			m.statement()
		}
		m.line("use(%s)", strings.Join(m.vars, ", "))
		m.line("return %s, err", m.some())
		m.text.WriteString("}\n")
	}
	m.text.WriteString(`
func run(i, n int, f func(n int, P *node, S string, L []string, A any) (any, error)) {
	sum.Reset()
	defer func() {
		if x := recover(); x != nil {
			fmt.Fprint(sum, "panic ", x)
		}
		fmt.Printf("%d %d %x\n", i, n, sum.Sum64())
	}()
	r, err := f(n, makeP(n), makeS(n), makeL(n), makeA(n))
	use(r, err)
}

func main() {
	for n := range 6 {
`)
	for i := range funcs {
		fmt.Fprintf(&m.text, "\t\trun(%d, n, f%d)\n", i, i)
	}
	m.text.WriteString("\t}\n}\n")
	return sharedHomesHead + m.text.String()
}

// TestSharedHomes holds functions that wait and have many values with pointers against gc: the
// values share memory of the frame where they are not in use together, and what is dead there is
// cleared.
func TestSharedHomes(t *testing.T) {
	const funcs = 150
	for seed := range uint64(2) {
		t.Run(fmt.Sprint(seed), func(t *testing.T) { asGC(t, sharedHomesText(seed, funcs), 6*funcs) })
	}
}
