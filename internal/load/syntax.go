package load

import (
	"fmt"
	"go/token"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"
)

// syntaxMessage puts a message of go/parser or go/scanner into gc's words as far as what it
// says allows: people, editors and tests know those.
func syntaxMessage(msg string) string {
	switch msg {
	case "illegal rune literal":
		return "more than one character in rune literal"
	case "string literal not terminated":
		return "newline in string"
	case "illegal UTF-8 encoding":
		return "invalid UTF-8 encoding"
	case "illegal character NUL":
		return "invalid NUL character"
	case "raw string literal not terminated":
		return "string not terminated"
	case "rune literal not terminated":
		return "newline in rune literal"
	case "comment not terminated", "interface method must have no type parameters":
		return msg
	}
	if msg == "illegal byte order mark" {
		return "invalid BOM in the middle of the file"
	}
	if c, ok := strings.CutPrefix(msg, "illegal character "); ok {
		return illegalCharacter(c)
	}
	if rest, ok := strings.CutPrefix(msg, "missing ',' before newline in "); ok {
		return "syntax error: unexpected newline in " + rest + "; possibly missing comma or " + closing(rest)
	}
	if rest, ok := strings.CutPrefix(msg, "missing ',' in "); ok {
		return "syntax error: unexpected token in " + rest + "; possibly missing comma or " + closing(rest)
	}
	if rest, ok := strings.CutPrefix(msg, "expected "); ok {
		if want, found, ok := strings.Cut(rest, ", found "); ok {
			return "syntax error: " + unexpected(want, found)
		}
	}
	for _, lexical := range []string{"literal", "character", "BOM", "escape", "must separate successive digits", "invalid digit", "has no digits"} {
		if strings.Contains(msg, lexical) {
			return msg
		}
	}
	return "syntax error: " + msg
}

// illegalCharacter is gc's message about a character spelled like U+0040 '@'. Any but ASCII's might
// have been part of an identifier.
func illegalCharacter(c string) string {
	var r rune
	if _, err := fmt.Sscanf(c, "U+%X", &r); err != nil || r < utf8.RuneSelf {
		return "invalid character " + c
	}
	if unicode.IsDigit(r) {
		return "identifier cannot begin with digit " + c
	}
	return "invalid character " + c + " in identifier"
}

// closing is the bracket that ends a list of the given kind.
func closing(list string) string {
	if strings.Contains(list, "composite") {
		return "}"
	}
	if strings.Contains(list, "index") || strings.Contains(list, "type parameter") || strings.Contains(list, "type argument") {
		return "]"
	}
	return ")"
}

func unexpected(want, found string) string {
	what := tokenName(found)
	switch want {
	case "declaration":
		if what == "}" {
			return "unexpected } after top level declaration"
		}
		return "non-declaration statement outside function body"
	case "';'":
		if what == "{" {
			return "unexpected {, expected semicolon or newline"
		}
		return "unexpected " + what + " at end of statement"
	case "operand":
		want = "expression"
	case "statement":
		want = "}"
	case "'IDENT'":
		want = "name"
	default:
		want = strings.Trim(want, "'")
	}
	return "unexpected " + what + ", expected " + want
}

// tokenName is gc's name for a token as go/parser quotes it.
func tokenName(found string) string {
	if len(found) >= 2 && found[0] == '\'' && found[len(found)-1] == '\'' {
		inner := found[1 : len(found)-1]
		switch {
		case inner == "EOF" || inner == "newline":
			return inner
		case token.IsKeyword(inner):
			return "keyword " + inner
		case inner == ",":
			return "comma"
		case inner == ";":
			return "semicolon"
		case token.IsIdentifier(inner):
			return "name " + inner
		}
		if strings.ContainsAny(inner, "'\"`") {
			return "literal " + inner
		}
		return inner
	}
	if found == "newline" {
		return found
	}
	if token.IsIdentifier(found) {
		return "name " + found
	}
	if _, err := strconv.ParseFloat(found, 64); err == nil || strings.ContainsAny(found, "'\"`") {
		return "literal " + found
	}
	return found
}
