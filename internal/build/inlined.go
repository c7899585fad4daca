package build

import (
	"fmt"
	"go/ast"
	"go/token"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"loam/internal/importpath"
	"loam/internal/load"
	"loam/internal/mid"
	"loam/internal/mid/pass"
)

// What -gcflags=-m says about inlining is what internal/mid/pass did, and what LLVM did after it.
// LLVM keeps a record of that, which knows lines, not columns; those come from the calls of that
// function on that line. Where a line has several and not all of them were inlined, the first ones
// are named.

// inlined runs clang over the package's LLVM text for that record, and returns the messages: first
// the functions that were inlined somewhere in their own package, then the calls.
func (g *Graph) inlined(n *unit, pkg *mid.Package, early *pass.Input, text []byte) ([]string, error) {
	if g.b.DryRun {
		return nil, nil
	}
	name, err := g.b.cache.temp(".ll")
	if err != nil {
		return nil, err
	}
	defer os.Remove(name)
	record := name + ".yaml"
	defer os.Remove(record)
	if err := os.WriteFile(name, text, 0o666); err != nil {
		return nil, err
	}
	args := append(g.b.packageFlags(n), "-foptimization-record-file="+record, "-foptimization-record-passes=inline", "-x", "ir", name, "-o", os.DevNull)
	clang := g.b.lane.Begin(n.pkg.ImportPath, "inlining record")
	defer clang.End()
	if err := g.b.runTool(n, g.b.clang, args, clang); err != nil {
		return nil, err
	}
	data, err := os.ReadFile(record)
	if err != nil {
		return nil, err
	}
	return g.inlineMessages(n, pkg.Functions(), early, inlineRecords(data)), nil
}

// inlineRecord is a call that LLVM inlined.
type inlineRecord struct {
	file   string // base name
	line   int
	callee string // symbol
}

// inlineRecords reads LLVM's YAML, of which it needs a position and a name.
func inlineRecords(data []byte) []inlineRecord {
	var list []inlineRecord
	var at inlineRecord
	passed := false
	for line := range strings.Lines(string(data)) {
		line = strings.TrimSuffix(line, "\n")
		switch key, value, _ := strings.Cut(line, ":"); {
		case strings.HasPrefix(line, "--- "):
			passed, at = line == "--- !Passed", inlineRecord{}
		case key == "DebugLoc":
			file, rest, _ := strings.Cut(value, ", Line: ")
			_, file, _ = strings.Cut(file, "File: ")
			number, _, _ := strings.Cut(rest, ",")
			at.file = filepath.Base(strings.Trim(file, "'\""))
			at.line, _ = strconv.Atoi(number)
		case key == "  - Callee" && passed && at.line > 0:
			at.callee = strings.Trim(strings.TrimSpace(value), "'\"")
			list = append(list, at)
			passed = false
		}
	}
	return list
}

// inlineMessages places the records among the calls of fns.
func (g *Graph) inlineMessages(n *unit, fns []*mid.Func, early *pass.Input, records []inlineRecord) []string {
	type place struct {
		file string
		line int
		name string // the callee's last
	}
	calls := map[place][]token.Pos{}
	declared := map[string]*mid.Func{}
	for _, f := range fns {
		if f.Pos().IsValid() {
			declared[g.gcName(n, f)] = f
		}
		for _, b := range f.Body() {
			for _, in := range b.Instrs {
				call, ok := in.(*mid.Call)
				if !ok || call.Call.StaticCallee() == nil || !call.Pos().IsValid() {
					continue
				}
				p := g.u.Fset.Position(call.Pos())
				at := place{filepath.Base(p.Filename), p.Line, lastName(g.gcName(n, call.Call.StaticCallee()))}
				if !slices.Contains(calls[at], call.Pos()) { // instances of generic functions share theirs
					calls[at] = append(calls[at], call.Pos())
				}
			}
		}
	}
	var can, done []message
	inlined := func(name string, at token.Pos) {
		m := message{at, "inlining call to " + name}
		if !slices.Contains(done, m) { // bodies are inlined with what has been inlined into them
			done = append(done, m)
		}
		if f := declared[name]; f != nil && f.Kind != mid.LoopBody {
			can = append(can, message{declaredAt(f), "can inline " + name})
			delete(declared, name)
		}
	}
	for _, f := range early.Inlinable {
		if f.Kind == mid.Declared && f.Pos().IsValid() {
			name := g.gcName(n, f)
			can = append(can, message{declaredAt(f), "can inline " + name})
			delete(declared, name)
		}
	}
	for _, e := range early.Inlined {
		inlined(g.gcName(n, e.Callee), e.Pos)
	}
	for _, r := range records {
		name := strings.TrimSuffix(r.callee, "·made")
		name = strings.TrimPrefix(name, importpath.Prefix(load.TypePath(n.pkg))+".")
		if i := strings.LastIndexByte(name, '/'); i >= 0 && !strings.ContainsAny(name[:i], "(*[") {
			name = name[i+1:]
		}
		at := place{r.file, r.line, lastName(name)}
		left := calls[at]
		if len(left) == 0 {
			continue // a call in what another package lent, or of a wrapper
		}
		calls[at] = left[1:]
		inlined(name, left[0])
	}
	var list []string
	for _, part := range [][]message{can, done} {
		slices.SortStableFunc(part, func(a, b message) int { return int(a.pos) - int(b.pos) })
		for _, m := range part {
			list = append(list, g.place(m.pos)+": "+m.text)
		}
	}
	return list
}

// declaredAt is where gc's messages say a function is declared: a method at its receiver.
func declaredAt(f *mid.Func) token.Pos {
	if d, ok := f.Syntax().(*ast.FuncDecl); ok && d.Recv != nil {
		return d.Recv.Opening
	}
	return f.Pos()
}

type message struct {
	pos  token.Pos
	text string
}

// gcName is the name of f in messages about package n: without the package's own, and closures by
// number.
func (g *Graph) gcName(n *unit, f *mid.Func) string {
	if p := f.Parent(); p != nil {
		if f.Kind == mid.LoopBody {
			loops := slices.DeleteFunc(slices.Clone(p.AnonFuncs), func(a *mid.Func) bool { return a.Kind != mid.LoopBody })
			return fmt.Sprintf("%s-range%d", g.gcName(n, p), slices.Index(loops, f)+1)
		}
		i := slices.Index(p.AnonFuncs, f)
		return fmt.Sprintf("%s.func%d", g.gcName(n, p), i+1)
	}
	name := f.Name()
	if recv := f.Signature.Recv(); recv != nil {
		t := recv.Type().String()
		t = t[strings.LastIndexByte(t, '.')+1:]
		if strings.HasPrefix(recv.Type().String(), "*") {
			t = "(*" + t + ")"
		}
		name = t + "." + name
	}
	if f.Pkg != nil && f.Pkg.Pkg.Path() != load.TypePath(n.pkg) {
		name = f.Pkg.Pkg.Name() + "." + name
	}
	return name
}

// lastName is the last component of a name, without type arguments.
func lastName(s string) string {
	if i := strings.IndexByte(s, '['); i >= 0 {
		s = s[:i]
	}
	return s[strings.LastIndexByte(s, '.')+1:]
}
