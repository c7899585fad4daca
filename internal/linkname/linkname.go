// Package linkname reads the directives that give a function or variable another symbol's name.
//
// The loader, escape analysis, lowering and the check of overlays each look through comments of
// their own. What makes a comment such a directive, and which verbs there are, is said here alone.
package linkname

import "strings"

// Directives are the verbs: the second is for names that only the standard library may pull.
var Directives = []string{"go:linkname", "go:linknamestd"}

// Extern begins a comment that names a symbol of C: a variable that is linked to it is C's, which
// has its value, perhaps in a shared library.
const Extern = "loam:extern "

// Parse returns the words after the verb of a comment: the local name, and the symbol if there is
// one. ok is false for all other comments.
func Parse(comment string) (words []string, ok bool) {
	text, isLine := strings.CutPrefix(comment, "//")
	verb, rest, _ := strings.Cut(text, " ")
	return strings.Fields(rest), isLine && Is(verb)
}

// Is reports whether a directive's verb is one of Directives.
func Is(verb string) bool { return verb == Directives[0] || verb == Directives[1] }
