package store

import (
	"bytes"
	"unicode/utf8"
)

// Comments are no part of what a package is compiled from, but for those that speak to a compiler.
// So the names of what the cache has are made of sources whose comments are empty. An edit of a
// comment that adds or removes no line compiles nothing.

// codeOf returns the Go source with empty comments. All else stays in its line and column, and what
// is no valid source does not become one.
func codeOf(src []byte) []byte {
	code := make([]byte, 0, len(src))
	from := 0 // what is not in code yet
	for at := 0; at < len(src); {
		next := bytes.IndexAny(src[at:], "/\"'`")
		if next < 0 {
			break
		}
		at += next
		end := at + 1
		switch c := src[at]; c {
		case '/':
			if end == len(src) || src[end] != '/' && src[end] != '*' {
				break
			}
			end = commentEnd(src, at)
			if comment := src[at:end]; !speaks(comment) {
				code = appendEmpty(append(code, src[from:at]...), comment)
				from = end
			}
		case '`':
			if n := bytes.IndexByte(src[end:], '`'); n >= 0 {
				end += n + 1
			} else {
				end = len(src)
			}
		default:
			end = literalEnd(src, at)
		}
		at = end
	}
	return append(code, src[from:]...)
}

// commentEnd returns where the comment at a place ends; the end of its line is not part of it.
func commentEnd(src []byte, at int) int {
	begin := at + 2
	if src[at+1] == '*' {
		if n := bytes.Index(src[begin:], []byte("*/")); n >= 0 {
			return begin + n + 2
		}
	} else if n := bytes.IndexByte(src[begin:], '\n'); n >= 0 {
		return begin + n
	}
	return len(src)
}

// literalEnd returns where the string or rune at a place ends, which a line does not outlive.
func literalEnd(src []byte, at int) int {
	for i := at + 1; i < len(src); i++ {
		switch src[i] {
		case '\\':
			i++
		case '\n', src[at]:
			return i + 1
		}
	}
	return len(src)
}

// speaks tells of comments that may mean something to a compiler, be it that they are wrong. Those
// that do have no blank at their beginning, and nothing but the first line tells that a block
// without an end is none.
func speaks(comment []byte) bool {
	text := comment[2:]
	if comment[1] == '*' {
		if !bytes.HasSuffix(text, []byte("*/")) || bytes.HasPrefix(text, []byte("line ")) {
			return true
		}
	} else if len(text) > 0 && bytes.IndexByte([]byte(" \t\r/"), text[0]) < 0 {
		return true
	}
	return bytes.IndexByte(text, 0) >= 0 || !utf8.Valid(text) || bytes.Contains(text, []byte("\uFEFF"))
}

// appendEmpty appends the comment without its words.
func appendEmpty(code, comment []byte) []byte {
	code = append(code, comment[:2]...)
	if comment[1] == '/' {
		return code
	}
	words := comment[2 : len(comment)-2]
	for _, c := range words {
		if c != '\n' {
			c = ' '
		}
		code = append(code, c)
	}
	return append(code, "*/"...)
}
