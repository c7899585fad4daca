package load

import (
	"go/ast"
	"go/scanner"
	"go/token"
	"regexp"
	"slices"
	"strings"
	"unicode/utf8"
)

// What is wrong with a character or a literal is no fault of syntax to gc: it says so, goes on with
// what is there, and checks the types. So lexical faults are taken out of a file without moving
// anything in it, and told in gc's words. A literal with a fault has no value, and nothing is said
// of what it is used for.

// lexical matches what gc's scanner says.
var lexical = regexp.MustCompile(`^(?:invalid (?:NUL character|UTF-8 encoding|BOM in the middle of the file|radix point in .+|` +
	`digit .+ in .+ literal|character .+)|identifier cannot begin with digit .+|.+ literal has no digits|` +
	`.+ exponent requires (?:decimal|hexadecimal) mantissa|exponent has no digits|hexadecimal mantissa requires a 'p' exponent|` +
	`'_' must separate successive digits|empty rune literal or unescaped '.*|more than one character in rune literal|` +
	`newline in (?:rune literal|string)|(?:rune literal|string|comment|escape) not terminated|unknown escape.*|` +
	`octal escape value \d+ > 255|escape is invalid Unicode code point .+)$`)

// faultyTokens are the lexical faults of one file.
type faultyTokens struct {
	faults   map[int]bool      // offsets where go/scanner finds fault
	literals map[int]bool      // offsets of literals with a fault
	changed  scanner.ErrorList // what was found fault with in the places that were changed
}

// scanFaulty finds the lexical faults of src, and changes characters that go/scanner does not know:
// gc leaves out those of ASCII and what is no character, and takes others for letters.
func scanFaulty(src []byte) *faultyTokens {
	t := &faultyTokens{faults: map[int]bool{}, literals: map[int]bool{}}
	file := token.NewFileSet().AddFile("", -1, len(src))
	file.SetLinesForContent(src)
	var s scanner.Scanner
	var found scanner.ErrorList
	s.Init(file, slices.Clone(src), func(pos token.Position, msg string) { found.Add(pos, msg) }, scanner.ScanComments)
	for {
		found = nil
		pos, tok, lit := s.Scan()
		if tok == token.EOF {
			return t
		}
		at := file.Offset(pos)
		for _, fault := range found {
			t.faults[fault.Pos.Offset] = true
		}
		switch {
		case tok == token.ILLEGAL:
			with, c := byte(' '), []rune(lit)[0]
			if c >= utf8.RuneSelf && c != utf8.RuneError && c != byteOrderMark {
				with = '_'
			}
			_, size := utf8.DecodeRune(src[at:])
			for i := range size {
				src[at+i] = with
			}
			t.changed = append(t.changed, found...)
		case tok.IsLiteral() && slices.ContainsFunc(found, isOfToken):
			t.literals[at] = true
			if tok != token.STRING && len(lit) > 1 { // gc takes it for a tag, too
				src[at], src[at+len(lit)-1] = '`', '`'
				t.changed = append(t.changed, found...)
			}
		}
	}
}

// isOfToken reports whether a fault is of a literal, and not of a character in it: such a literal
// has a value.
func isOfToken(fault *scanner.Error) bool {
	return fault.Msg != "illegal character NUL" && fault.Msg != "illegal UTF-8 encoding" && fault.Msg != "illegal byte order mark"
}

// byteOrderMark may stand at the beginning of a file only.
const byteOrderMark = '\uFEFF'

// split divides go/parser's faults of a file into those of characters and literals and others.
func (t *faultyTokens) split(list scanner.ErrorList) (ofTokens, others scanner.ErrorList) {
	for _, fault := range list {
		switch {
		case t.faults[fault.Pos.Offset]:
			ofTokens = append(ofTokens, fault)
		case len(t.faults) > 0 && strings.HasSuffix(fault.Msg, "found 'EOF'"): // gc says nothing more
		default:
			others = append(others, fault)
		}
	}
	return ofTokens, others
}

// noValue is a literal that go/types takes for none, and noTag one that it takes for no tag.
const noValue, noTag = "0b", "``"

// forgetFaulty takes the values from the literals with a fault, and gives names what the file has.
func (u *Universe) forgetFaulty(f *ast.File, t *faultyTokens, original []byte) {
	if len(t.faults) == 0 {
		return
	}
	file := u.Fset.File(f.FileStart)
	tags := map[*ast.BasicLit]bool{}
	ast.Inspect(f, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.Field:
			if n.Tag != nil && t.literals[file.Offset(n.Tag.Pos())] {
				n.Tag.Value, tags[n.Tag] = noTag, true
			}
		case *ast.BasicLit:
			if !tags[n] && t.literals[file.Offset(n.Pos())] {
				n.Kind, n.Value = token.INT, noValue
			}
		case *ast.Ident:
			from := file.Offset(n.Pos())
			if to := from + len(n.Name); to <= len(original) {
				n.Name = string(original[from:to])
			}
		}
		return true
	})
}

// isNoValue reports whether a type error is only about a literal that a lexical fault has been
// found in.
func isNoValue(msg string) bool { return msg == "malformed constant: "+noValue }

// lexicalFaults enters what the SDK's compiler says of characters and literals in p's files, or
// what go/scanner has said of them, if there is no compiler.
func (u *Universe) lexicalFaults(p *Package, errs *Errors, scanned scanner.ErrorList) {
	found := false
	for _, se := range u.compilerSays(p, errs) {
		if lexical.MatchString(se.Msg) {
			errs.addMild(se.Pos, se.Msg)
			found = true
		}
	}
	for _, fault := range scanned {
		if !found {
			errs.addMild(fault.Pos, fault.Msg)
		}
	}
}
