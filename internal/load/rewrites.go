package load

import "strings"

// Rewrites are the changes to names of files that the flag -trimpath of gc's compiler and assembler
// asks for: the first that fits a name counts.
type Rewrites []rewrite

type rewrite struct{ prefix, to string }

// ParseRewrites reads the flag's value: prefixes separated by semicolons, each with => and what to
// put in its place, or to leave out with the slash behind it.
func ParseRewrites(value string) (list Rewrites) {
	for part := range strings.SplitSeq(value, ";") {
		if prefix, to, _ := strings.Cut(part, "=>"); prefix != "" {
			list = append(list, rewrite{prefix, to})
		}
	}
	return list
}

// apply returns the new name, false if none of the rewrites fits.
func (list Rewrites) apply(name string) (string, bool) {
	for _, r := range list {
		rest, ok := strings.CutPrefix(name, r.prefix)
		if !ok || rest != "" && rest[0] != '/' {
			continue
		}
		if r.to != "" {
			return r.to + rest, true
		}
		if rest = strings.TrimPrefix(rest, "/"); rest == "" {
			rest = "??"
		}
		return rest, true
	}
	return name, false
}
