package chunk

import (
	"bytes"
	"strings"
)

// text is a part of the module with the places of the names in it.
type text struct {
	source []byte
	tokens []token
}

// A token is a name: of a symbol (@), of a comdat ($), or a number of metadata (!).
type token struct {
	from, to int32 // without the sign, with the quotes
	kind     byte
}

// name is the token's text, which is compared with others': quotes are taken off those that need
// none.
func (t text) name(k token) string {
	s := string(t.source[k.from:k.to])
	if len(s) > 2 && s[0] == '"' && plain(s[1:len(s)-1]) {
		return s[1 : len(s)-1]
	}
	return s
}

// plain tells whether a name may be written without quotes.
func plain(s string) bool {
	for i := range len(s) {
		if !nameByte(s[i]) {
			return false
		}
	}
	return s[0] < '0' || s[0] > '9'
}

func nameByte(c byte) bool {
	return 'a' <= c && c <= 'z' || 'A' <= c && c <= 'Z' || '0' <= c && c <= '9' || c == '.' || c == '_' || c == '$' || c == '-'
}

// first is the first name of a kind.
func (t text) first(kind byte) string {
	for _, k := range t.tokens {
		if k.kind == kind {
			return t.name(k)
		}
	}
	return ""
}

// scan finds the names. Strings, which may hold anything, are passed over.
func scan(source []byte) text {
	t := text{source: source}
	for i := 0; i < len(source); {
		switch c := source[i]; c {
		case '"':
			i += quoted(source[i:])
		case ';': // a comment
			if n := bytes.IndexByte(source[i:], '\n'); n >= 0 {
				i += n
			} else {
				i = len(source)
			}
		case '%': // a local name, which may be quoted
			i++
			for i < len(source) && nameByte(source[i]) {
				i++
			}
		case '@', '$', '!':
			i++
			from := i
			if i < len(source) && source[i] == '"' && c != '!' {
				i += quoted(source[i:])
			} else {
				for i < len(source) && nameByte(source[i]) {
					i++
				}
			}
			if i > from && (c != '!' || source[from] >= '0' && source[from] <= '9') {
				t.tokens = append(t.tokens, token{int32(from), int32(i), c})
			}
		default:
			i++
		}
	}
	return t
}

// quoted is the length of the string that source begins with. Quotes within are written otherwise.
func quoted(source []byte) int {
	if n := bytes.IndexByte(source[1:], '"'); n >= 0 {
		return n + 2
	}
	return len(source)
}

func cut(s, sep string) (before, after string, found bool) { return strings.Cut(s, sep) }
