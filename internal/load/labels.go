package load

import (
	"fmt"
	"go/ast"
	"go/token"
	"go/types"
	"regexp"
	"slices"
	"strings"
)

// gc finds misplaced branches and labels while it parses, and has words of its own for them. It
// names the place that go/types leaves out, or gives as a line only. So what go/types says is
// looked up in the syntax, and said in gc's words.

// plainWords are the messages that differ by nothing but their words.
var plainWords = map[string]string{
	"break not in for, switch, or select statement": "break is not in a loop, switch, or select",
	"continue not in for statement":                 "continue is not in a loop",
}

// aboutLabel are the messages about a label: the first group is its name.
var aboutLabel = []struct {
	pattern *regexp.Regexp
	words   func(in *labelled, name string) string
}{
	{regexp.MustCompile(`^label (\S+) declared and not used$`), func(_ *labelled, name string) string {
		return "label " + name + " defined and not used"
	}},
	{regexp.MustCompile(`^label (\S+) not declared$`), func(_ *labelled, name string) string {
		return "label " + name + " not defined"
	}},
	{regexp.MustCompile(`^label (\S+) already declared$`), func(in *labelled, name string) string {
		return "label " + name + " already defined at " + in.position(in.label(name).Pos())
	}},
	{regexp.MustCompile(`^invalid (?:break|continue) label (\S+)$`), (*labelled).invalid},
	{regexp.MustCompile(`^goto (\S+) jumps into block$`), func(in *labelled, name string) string {
		start, _ := in.around(in.label(name))
		return "goto " + name + " jumps into block starting at " + in.position(start)
	}},
	{regexp.MustCompile(`^goto (\S+) jumps over variable declaration at line \d+$`), (*labelled).jumpsOver},
}

// branchWords returns what gc says instead of a message of go/types about a branch or a label, and
// whether the message is about one.
func branchWords(fault types.Error, files []*ast.File) (msg string, ok bool) {
	if words := plainWords[fault.Msg]; words != "" {
		return words, true
	}
	if strings.Contains(fault.Msg, "fallthrough") {
		return fault.Msg, true
	}
	for _, about := range aboutLabel {
		m := about.pattern.FindStringSubmatch(fault.Msg)
		if m == nil {
			continue
		}
		if in := findLabelled(fault, files); in != nil {
			return about.words(in, m[1]), true
		}
	}
	return fault.Msg, false
}

// labelled is a function whose labels a message is about.
type labelled struct {
	fset  *token.FileSet
	fault token.Pos
	body  *ast.BlockStmt
}

// findLabelled returns the innermost function around the place of a message.
func findLabelled(fault types.Error, files []*ast.File) (in *labelled) {
	for _, f := range files {
		if fault.Pos < f.FileStart || fault.Pos >= f.FileEnd {
			continue
		}
		ast.Inspect(f, func(n ast.Node) bool {
			var body *ast.BlockStmt
			switch n := n.(type) {
			case *ast.FuncDecl:
				body = n.Body
			case *ast.FuncLit:
				body = n.Body
			}
			if body != nil && body.Pos() <= fault.Pos && fault.Pos < body.End() {
				in = &labelled{fault.Fset, fault.Pos, body}
			}
			return true
		})
	}
	return in
}

// inspect visits what belongs to the function itself, not to one inside it.
func (in *labelled) inspect(visit func(ast.Node)) {
	ast.Inspect(in.body, func(n ast.Node) bool {
		if _, other := n.(*ast.FuncLit); other {
			return false
		}
		visit(n)
		return true
	})
}

// label returns the first statement with the label, which is there.
func (in *labelled) label(name string) (first *ast.LabeledStmt) {
	in.inspect(func(n ast.Node) {
		if s, ok := n.(*ast.LabeledStmt); ok && first == nil && s.Label.Name == name {
			first = s
		}
	})
	return first
}

// around returns where the block that holds a statement begins, and its statements.
func (in *labelled) around(s ast.Stmt) (start token.Pos, list []ast.Stmt) {
	in.inspect(func(n ast.Node) {
		var inner []ast.Stmt
		switch n := n.(type) {
		case *ast.BlockStmt:
			inner = n.List
		case *ast.CaseClause:
			inner = n.Body
		case *ast.CommClause:
			inner = n.Body
		}
		for _, other := range inner {
			if other.Pos() <= s.Pos() && s.Pos() < other.End() {
				start, list = n.Pos(), inner
			}
		}
	})
	return start, list
}

// position is a place as gc writes it into a message. Its file is shortened when it is shown.
func (in *labelled) position(pos token.Pos) string {
	p := in.fset.Position(pos)
	return fmt.Sprintf("%s:%d:%d", p.Filename, p.Line, p.Column)
}

// invalid is about a break or continue whose label stands nowhere, or on a statement that is not
// around it. gc knows the labels that come before.
func (in *labelled) invalid(name string) (msg string) {
	in.inspect(func(n ast.Node) {
		if s, ok := n.(*ast.BranchStmt); ok && s.Label != nil && s.Label.Pos() == in.fault {
			if l := in.label(name); l == nil || l.Pos() > in.fault {
				msg = s.Tok.String() + " label not defined: " + name
			} else {
				msg = "invalid " + s.Tok.String() + " label " + name
			}
		}
	})
	return msg
}

// jumpsOver is about a goto beyond the last variable that is declared before the label in its
// block.
func (in *labelled) jumpsOver(name string) string {
	label := in.label(name)
	_, list := in.around(label)
	for _, s := range slices.Backward(list) {
		if s.Pos() > label.Pos() {
			continue
		}
		if l, ok := s.(*ast.LabeledStmt); ok && l != label {
			s = l.Stmt
		}
		if names, pos := declared(s); names != "" {
			return "goto " + name + " jumps over declaration of " + names + " at " + in.position(pos)
		}
	}
	return "goto " + name + " jumps over a declaration"
}

// declared returns the variables that gc says a statement declares, and where; "" if there are
// none.
func declared(s ast.Stmt) (names string, pos token.Pos) {
	switch s := s.(type) {
	case *ast.DeclStmt:
		if d, ok := s.Decl.(*ast.GenDecl); ok && d.Tok == token.VAR && len(d.Specs) > 0 {
			first := d.Specs[0].(*ast.ValueSpec).Names[0]
			return first.Name, first.Pos()
		}
	case *ast.AssignStmt:
		if s.Tok == token.DEFINE {
			var list []string
			for _, x := range s.Lhs {
				list = append(list, types.ExprString(x))
			}
			return strings.Join(list, ", "), s.TokPos
		}
	}
	return "", token.NoPos
}
