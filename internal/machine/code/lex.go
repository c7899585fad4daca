package code

import (
	"bytes"
	"strconv"
	"strings"
)

// reader is a place in the text, and what was read before it.
type reader struct {
	b     []byte
	at    int
	types map[string]*Type
	m     *Module
	fn
}

func (r *reader) space() {
	for r.b[r.at] == ' ' {
		r.at++
	}
}

// take skips a word or a sign, if it comes next.
func (r *reader) take(word string) bool {
	r.space()
	if len(r.b)-r.at < len(word) || string(r.b[r.at:r.at+len(word)]) != word {
		return false
	}
	if last := word[len(word)-1]; 'a' <= last && last <= 'z' {
		if r.at+len(word) < len(r.b) {
			if c := r.b[r.at+len(word)]; 'a' <= c && c <= 'z' || '0' <= c && c <= '9' || c == '_' {
				return false
			}
		}
	}
	r.at += len(word)
	return true
}

func (r *reader) expect(word string) {
	if !r.take(word) {
		Fail("want %q in %s", word, r.line())
	}
}

// line is the rest of the line, for messages.
func (r *reader) line() string {
	start := bytes.LastIndexByte(r.b[:r.at], '\n') + 1
	end := bytes.IndexByte(r.b[r.at:], '\n')
	if end < 0 {
		end = 0
	}
	text := string(r.b[start : r.at+end])
	if len(text) > 120 {
		text = text[:120]
	}
	return text
}

func (r *reader) skipLine() {
	if n := bytes.IndexByte(r.b[r.at:], '\n'); n >= 0 {
		r.at += n + 1
	} else {
		r.at = len(r.b)
	}
}

// word reads a word of letters, digits, and what they may be joined by.
func (r *reader) word() []byte {
	r.space()
	start := r.at
	for isWord[r.b[r.at]] {
		r.at++
	}
	return r.b[start:r.at]
}

var isWord = func() (set [256]bool) {
	for c := range 256 {
		set[c] = 'a' <= c && c <= 'z' || 'A' <= c && c <= 'Z' || '0' <= c && c <= '9' || c == '_' || c == '.' || c == '$' || c == '-'
	}
	return
}()

// name reads a name behind a sign: with or without quotes.
func (r *reader) name() string {
	if r.b[r.at] != '"' {
		return string(r.word())
	}
	return r.quoted()
}

// quoted reads a string in quotes.
func (r *reader) quoted() string {
	r.at++
	n := bytes.IndexByte(r.b[r.at:], '"')
	text := r.b[r.at : r.at+n]
	r.at += n + 1
	if bytes.IndexByte(text, '\\') < 0 {
		return string(text)
	}
	return string(unescape(text))
}

func unescape(text []byte) []byte {
	out := make([]byte, 0, len(text))
	for i := 0; i < len(text); i++ {
		if c := text[i]; c == '\\' && i+2 < len(text)+0 {
			out = append(out, hexDigit(text[i+1])<<4|hexDigit(text[i+2]))
			i += 2
			continue
		}
		out = append(out, text[i])
	}
	return out
}

func hexDigit(c byte) byte {
	switch {
	case c <= '9':
		return c - '0'
	case c >= 'a':
		return c - 'a' + 10
	}
	return c - 'A' + 10
}

// symbol reads the name of a global behind the sign, and returns its number.
func (r *reader) symbol() int32 {
	r.expect("@")
	if r.b[r.at] == '"' {
		n := bytes.IndexByte(r.b[r.at+1:], '"')
		if s, ok := r.m.byName[string(r.b[r.at+1:r.at+1+n])]; ok {
			r.at += n + 2
			return s
		}
		raw := string(r.b[r.at+1 : r.at+1+n])
		s := r.m.symbolNamed(strings.TrimPrefix(r.quoted(), "\x01"))
		r.m.byName[raw] = s
		return s
	}
	word := r.word()
	if s, ok := r.m.byName[string(word)]; ok {
		return s
	}
	s := r.m.symbolNamed(string(word))
	r.m.byName[string(word)] = s
	return s
}

func (m *Module) symbolNamed(name string) int32 {
	if s, ok := m.byReal[name]; ok {
		return s
	}
	s := int32(len(m.Symbols))
	m.Symbols = append(m.Symbols, Symbol{Name: name, Twice: m.twice[name]})
	m.byReal[name] = s
	return s
}

// metaAtEnd is the node behind "!dbg" at the end of a line that ends there, -1 if there is none.
func (r *reader) metaAtEnd() int32 {
	n := bytes.IndexByte(r.b[r.at:], '\n')
	line := r.b[r.at : r.at+n]
	i := len(line)
	for i > 0 && '0' <= line[i-1] && line[i-1] <= '9' {
		i--
	}
	if i == len(line) || !bytes.HasSuffix(line[:i], []byte("!dbg !")) {
		return -1
	}
	node, _ := strconv.Atoi(string(line[i:]))
	return int32(node)
}
