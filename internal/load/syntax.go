package load

import (
	"bytes"
	"go/ast"
	"go/parser"
	"go/scanner"
	"go/token"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
)

// Syntax errors are told in the words of the SDK's own compiler, which is asked about the files of
// a package that go/parser refuses: people, editors and tests know these words, and the two parsers
// find their way back after a fault in different places. It needs no imports for that.
//
// A few of go/parser's syntax errors are none to gc, which goes on and checks the types. Where
// go/parser then leaves out a statement, the statement is put in another way.

// receivesMore is what go/parser says of a case of a select statement with more than two variables.
// gc leaves it to the types.
const receivesMore = "expected 1 or 2 expressions"

// mildFaults are the faults that go/parser takes for such of syntax and gc does not. Where kept is
// set, go/parser leaves out the statement.
var mildFaults = []struct {
	msg  *regexp.Regexp // go/parser's message, and gc's unless kept tells it
	kept bool
}{
	{regexp.MustCompile(`^expression in (?:go|defer) must be function call$`), true},
	{regexp.MustCompile(`^expected at most 2 expressions$`), true},
	{regexp.MustCompile(`^expression in (?:go|defer) must not be parenthesized$`), false},
	{regexp.MustCompile(`^can only use \.\.\. with final parameter$`), false},
	{regexp.MustCompile(`^invalid use of \.\.\.$`), false},
	{regexp.MustCompile(`^(?:middle|final) index required in 3-index slice$`), false},
	{regexp.MustCompile(`^interface method must have no type parameters$`), false},
	{regexp.MustCompile(`^empty type argument list$`), false},
}

// isMild reports whether a fault is mild, and whether its statement is left out.
func isMild(msg string) (mild, leftOut bool) {
	for _, m := range mildFaults {
		if m.msg.MatchString(msg) {
			return true, m.kept
		}
	}
	return false, false
}

// parseFaulty parses a file again that go/parser has refused, if all its faults are mild or about
// characters and literals, enters the mild ones, and returns the others. Without a file there are
// faults of another kind.
func (u *Universe) parseFaulty(name string, original []byte, errs *Errors) (*ast.File, scanner.ErrorList) {
	src := slices.Clone(original)
	tokens := scanFaulty(src)
	for {
		// go/parser gives up after ten faults unless it is to find all.
		f, err := parser.ParseFile(u.Fset, u.Show(name), src, parser.ParseComments|parser.SkipObjectResolution|parser.AllErrors)
		list, ok := err.(scanner.ErrorList)
		if err != nil && !ok {
			return nil, nil
		}
		ofTokens, others := tokens.split(list)
		leftOut := false
		for _, fault := range others {
			mild, out := isMild(fault.Msg)
			if fault.Msg == receivesMore {
				if !u.keepReceived(f, src) {
					return nil, nil
				}
				continue
			}
			if !mild {
				return nil, nil
			}
			if leftOut = leftOut || out; !out {
				pos := fault.Pos
				if strings.HasSuffix(fault.Msg, "in 3-index slice") {
					pos.Column++ // gc sees the fault behind the colon
				}
				errs.addMild(pos, fault.Msg)
			}
		}
		before := slices.Clone(src)
		if leftOut && !u.keepStatements(f, src, errs) {
			return nil, nil
		}
		if bytes.Equal(src, before) {
			u.forgetFaulty(f, tokens, original)
			return f, append(tokens.changed, ofTokens...)
		}
	}
}

// tooManyVariables is what gc says of a loop with three variables, unless it cannot be ranged over.
const tooManyVariables = "range clause permits at most two iteration variables"

// addMild enters a mild fault, once.
func (e *Errors) addMild(pos token.Position, msg string) {
	if !slices.ContainsFunc(e.List, func(se SourceError) bool { return se.Pos == pos && se.Msg == msg }) {
		e.Add(pos, msg)
		e.mild++
	}
}

// keepStatements changes the statements that go/parser has left out of f, without moving anything,
// and enters what gc says of them. It reports whether there were any.
func (u *Universe) keepStatements(f *ast.File, src []byte, errs *Errors) (found bool) {
	file := u.Fset.File(f.FileStart)
	ast.Inspect(f, func(n ast.Node) bool {
		bad, ok := n.(*ast.BadStmt)
		if !ok {
			return true
		}
		from := file.Offset(bad.From)
		at, msg := 0, ""
		switch rest := src[from:]; {
		case bytes.HasPrefix(rest, []byte("defer")):
			at, msg = keepStarted(src, from, "defer"), "expression in defer must be function call"
		case bytes.HasPrefix(rest, []byte("go")):
			at, msg = keepStarted(src, from, "go"), "expression in go must be function call"
		case bytes.HasPrefix(rest, []byte("for")):
			at, msg = keepRange(src, from), tooManyVariables
		}
		if at > 0 {
			found = true
			se := SourceError{Pos: file.Position(file.Pos(at)), Msg: msg}
			if !slices.ContainsFunc(errs.kept, func(k SourceError) bool { return k.Pos == se.Pos }) {
				errs.kept = append(errs.kept, se)
			}
		}
		return true
	})
	return found
}

// keepReceived gives the cases of select statements in f the variables back that go/parser leaves
// out, from the third on. It reports whether all of them are names.
func (u *Universe) keepReceived(f *ast.File, src []byte) (all bool) {
	all = true
	file := u.Fset.File(f.FileStart)
	ast.Inspect(f, func(n ast.Node) bool {
		clause, ok := n.(*ast.CommClause)
		if !ok {
			return true
		}
		assign, ok := clause.Comm.(*ast.AssignStmt)
		if !ok || len(assign.Lhs) != 2 {
			return true
		}
		from, to := file.Offset(assign.Lhs[1].End()), file.Offset(assign.TokPos)
		for at := from; at < to; {
			if strings.IndexByte(", \t\r\n", src[at]) >= 0 {
				at++
				continue
			}
			end := at
			for end < to && strings.IndexByte(", \t\r\n", src[end]) < 0 {
				end++
			}
			name := string(src[at:end])
			all = all && token.IsIdentifier(name)
			assign.Lhs = append(assign.Lhs, &ast.Ident{NamePos: file.Pos(at), Name: name})
			at = end
		}
		return true
	})
	return all
}

// keepStarted puts an assignment to the blank variable in place of the word go or defer at an
// offset of src, and returns where the expression behind it begins.
func keepStarted(src []byte, at int, word string) int {
	copy(src[at:], "_="+"   "[:len(word)-2])
	for at += len(word); at < len(src)-1 && strings.IndexByte(" \t\r\n(", src[at]) >= 0; at++ {
	}
	return at
}

// keepRange takes the variables from the third on away from the loop that begins at an offset of
// src, and returns where the third one was, 0 if there is none.
func keepRange(src []byte, from int) int {
	var s scanner.Scanner
	file := token.NewFileSet().AddFile("", -1, len(src)-from)
	s.Init(file, src[from:], nil, 0)
	depth, comma, third, commas := 0, 0, 0, 0
	for {
		pos, tok, _ := s.Scan()
		at := from + file.Offset(pos)
		if commas == 2 && third == 0 {
			third = at
		}
		switch tok {
		case token.LPAREN, token.LBRACK, token.LBRACE:
			depth++
		case token.RPAREN, token.RBRACK, token.RBRACE:
			depth--
		case token.COMMA:
			if depth == 0 {
				if commas++; commas == 2 {
					comma = at
				}
			}
		case token.DEFINE, token.ASSIGN:
			// A line that would end there ends the statement: then it stays left out.
			if gone := src[comma:at]; third > 0 && !bytes.Contains(gone, []byte("\n")) {
				copy(gone, bytes.Repeat([]byte(" "), len(gone)))
			}
			return third
		case token.EOF, token.RANGE:
			return 0
		}
	}
}

// CompilerOf is the path of gc's compiler in an SDK, "" if it has none.
func CompilerOf(goroot string) string {
	path := filepath.Join(goroot, "pkg", "tool", "linux_amd64", "compile")
	if _, err := os.Stat(path); err != nil {
		return ""
	}
	return path
}

// syntaxErrors enters the faults of syntax of a package, for which go/parser has refused files.
func (u *Universe) syntaxErrors(p *Package, errs *Errors, refused []error) {
	lines := map[string][]int{}
	for _, err := range refused {
		if list, ok := err.(scanner.ErrorList); ok {
			for _, fault := range list {
				lines[fault.Pos.Filename] = append(lines[fault.Pos.Filename], fault.Pos.Line)
			}
		}
	}
	if u.askCompiler(p, errs, lines) {
		return
	}
	for _, err := range refused {
		errs.addSyntax(err)
	}
}

// addSyntax enters why go/parser refuses a file, if gc's compiler has not said anything about it.
func (e *Errors) addSyntax(err error) {
	list, ok := err.(scanner.ErrorList)
	if !ok {
		e.Add(token.Position{}, err.Error())
		return
	}
	for _, fault := range list {
		e.Add(fault.Pos, "syntax error: "+fault.Msg)
	}
}

// compilerSays returns the faults that the SDK's compiler finds in p's files, without knowing the
// imports.
func (u *Universe) compilerSays(p *Package, errs *Errors) []SourceError {
	if u.Compiler == "" {
		return nil
	}
	// The compiler removes its output where it finds faults: it must be a file of ours.
	temp, err := os.MkdirTemp("", "loam-syntax-")
	if err != nil {
		return nil
	}
	defer os.RemoveAll(temp)
	args := []string{"-p", "p", "-e", "-o", filepath.Join(temp, "p.a")}
	if errs.Lang != "" {
		args = append(args, "-lang="+errs.Lang)
	}
	out, err := exec.Command(u.Compiler, append(args, p.GoFiles...)...).CombinedOutput()
	if err == nil {
		return nil
	}
	var all []SourceError
	for line := range strings.Lines(string(out)) {
		if se, ok := u.faultOf(p, strings.TrimSuffix(line, "\n")); ok {
			all = append(all, se)
		}
	}
	return all
}

// askCompiler enters what the SDK's compiler says about the syntax of p's files, and reports
// whether it finds fault with it. The lines are those where go/parser does, nil if it does not.
func (u *Universe) askCompiler(p *Package, errs *Errors, lines map[string][]int) bool {
	all := u.compilerSays(p, errs)
	syntax := slices.ContainsFunc(all, func(se SourceError) bool { return strings.HasPrefix(se.Msg, "syntax error") })
	if !syntax { // it has gone on to types, without knowing the imports
		all = slices.DeleteFunc(all, func(se SourceError) bool {
			mild, _ := isMild(se.Msg)
			return mild || !slices.Contains(lines[se.Pos.Filename], se.Pos.Line)
		})
	}
	if len(all) == 0 {
		return false
	}
	errs.List, errs.kept, errs.mild, errs.branches = all, nil, 0, 0
	return true
}

var compilerLine = regexp.MustCompile(`^(.+?):(\d+)(?::(\d+))?: (.+)$`)

// faultOf is a line of the compiler's as a fault.
func (u *Universe) faultOf(p *Package, line string) (se SourceError, ok bool) {
	m := compilerLine.FindStringSubmatch(line)
	if m == nil || strings.HasPrefix(line, "\t") {
		return se, false
	}
	name := m[1]
	if slices.Contains(p.GoFiles, name) {
		name = u.Show(name)
	}
	se = SourceError{Pos: token.Position{Filename: name}, Msg: m[4]}
	se.Pos.Line, _ = strconv.Atoi(m[2])
	se.Pos.Column, _ = strconv.Atoi(m[3])
	return se, true
}

// dropRangeFault drops the mild fault of a loop of which a type error says that it cannot be as it
// is: gc stops there.
func (e *Errors) dropRangeFault(pos token.Position, msg string) {
	if strings.HasPrefix(msg, "range over ") || strings.HasPrefix(msg, "cannot range over ") {
		e.kept = slices.DeleteFunc(e.kept, func(se SourceError) bool {
			return se.Msg == tooManyVariables && se.Pos.Filename == pos.Filename && se.Pos.Line == pos.Line
		})
	}
}

// isLeftOver reports whether a type error is only about what a kept statement has become.
func (e *Errors) isLeftOver(pos token.Position, msg string) bool {
	return (strings.HasSuffix(msg, "must be called") || strings.HasSuffix(msg, "is not an expression")) &&
		slices.ContainsFunc(e.kept, func(se SourceError) bool {
			return se.Pos.Filename == pos.Filename && se.Pos.Line == pos.Line && se.Pos.Column == pos.Column
		})
}

// placeKept enters the faults of kept statements where gc finds them: among those of types.
func (e *Errors) placeKept(fset *token.FileSet, files []*ast.File) {
	if len(e.kept) == 0 {
		return
	}
	found := newFinding(fset, files)
	turns := make([][]int, len(e.List))
	for i := range e.List {
		turns[i] = found.turn(e.List[i])
	}
	for _, kept := range e.kept {
		at, turn := e.mild+e.branches, found.turn(kept)
		for i := at; i < len(turns); i++ {
			if slices.Compare(turn, turns[i]) >= 0 {
				at = i + 1
			}
		}
		e.List = slices.Insert(e.List, at, kept)
		turns = slices.Insert(turns, at, turn)
	}
	e.kept = nil
}
