package ir

import "strings"

// Name spells a symbol as the name of a global or comdat, without what tells of which. LLVM takes
// names that begin with llvm., as those of a package of this path, for its own, unless a byte says
// that they are to be taken as they are. The linker takes what is behind an @, as in a tag of a
// struct, for a version, and symbols that differ behind two of them for one; so another byte stands
// for it.
func Name(sym string) string {
	sym = strings.ReplaceAll(sym, "@", "\x02")
	if strings.HasPrefix(sym, "llvm.") {
		return `"\01` + Escape(sym) + `"`
	}
	return `"` + Escape(sym) + `"`
}

// Escape spells arbitrary bytes inside an LLVM string or quoted name.
func Escape(s string) string {
	clean := true
	for i := 0; i < len(s); i++ {
		if c := s[i]; c < 0x20 || c >= 0x7f || c == '"' || c == '\\' {
			clean = false
			break
		}
	}
	if clean {
		return s
	}
	var b strings.Builder
	const hex = "0123456789ABCDEF"
	for i := 0; i < len(s); i++ {
		if c := s[i]; c < 0x20 || c >= 0x7f || c == '"' || c == '\\' {
			b.WriteByte('\\')
			b.WriteByte(hex[c>>4])
			b.WriteByte(hex[c&15])
		} else {
			b.WriteByte(c)
		}
	}
	return b.String()
}
