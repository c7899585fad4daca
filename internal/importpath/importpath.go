// Package importpath spells import paths in symbols, as the names of functions and types show them.
//
// A symbol is the path, a dot, and a name. A path may have dots itself, so those of its last
// element are escaped: a reader of a symbol finds the name behind the first dot after the last
// slash. Tracebacks and profiles show the escaped form, as gc's do.
package importpath

import (
	"fmt"
	"net/url"
	"strings"
)

// Prefix returns the part of a symbol that stands for an import path. Dots of the last element
// become %2e, so that the first dot behind the last slash is the one before the name: a/b.v1 is
// a/b%2ev1. So do bytes that are not printable ASCII, quotes and the percent sign itself.
func Prefix(path string) string {
	last := strings.LastIndexByte(path, '/')
	var b strings.Builder
	for i := range len(path) {
		switch c := path[i]; {
		case c == '.' && i > last, c == '%', c == '"', c <= ' ', c >= 0x7f:
			fmt.Fprintf(&b, "%%%02x", c)
		default:
			b.WriteByte(c)
		}
	}
	return b.String()
}

// Path is the reverse of Prefix.
func Path(prefix string) string {
	path, err := url.PathUnescape(prefix)
	if err != nil {
		return prefix
	}
	return path
}
