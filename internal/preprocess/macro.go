package preprocess

import (
	"fmt"
	"slices"
	"strings"
)

// tokens parts text into names, numbers, strings, blanks and single characters, all of it.
func tokens(s string) (list []string) {
	for len(s) > 0 {
		n := 1
		switch c := s[0]; {
		case c == '"':
			n = max(quoted(s), 1)
		case c == ' ' || c == '\t':
			n = len(s) - len(strings.TrimLeft(s, " \t"))
		case startsName(c) || isDigit(c):
			for n < len(s) && inName(s[n]) {
				n++
			}
		}
		list = append(list, s[:n])
		s = s[n:]
	}
	return list
}

func isDigit(c byte) bool    { return '0' <= c && c <= '9' }
func startsName(c byte) bool { return c == '_' || 'a' <= c|0x20 && c|0x20 <= 'z' }
func inName(c byte) bool     { return startsName(c) || isDigit(c) }

func isBlank(t string) bool { return strings.TrimLeft(t, " \t") == "" }

// expand replaces the macros in list, but for those that are being replaced.
func (x *expander) expand(list, replaced []string) (out []string, err error) {
	for i := 0; i < len(list); i++ {
		t := list[i]
		m, ok := x.macros[t]
		if !ok || slices.Contains(replaced, t) {
			out = append(out, t)
			continue
		}
		var args [][]string
		if m.takes {
			from := i + 1
			for from < len(list) && isBlank(list[from]) {
				from++
			}
			if from == len(list) || list[from] != "(" {
				out = append(out, t)
				continue
			}
			var n int
			if args, n = arguments(list[from:]); n == 0 {
				return nil, fmt.Errorf("the arguments of %s do not end on the line", t)
			}
			if len(m.params) == 0 && len(args) == 1 && len(args[0]) == 0 {
				args = nil
			}
			if len(args) != len(m.params) {
				return nil, fmt.Errorf("%s takes %d arguments, not %d", t, len(m.params), len(args))
			}
			i = from + n - 1
		}
		body, err := x.substitute(m, args, replaced)
		if err != nil {
			return nil, err
		}
		again, err := x.expand(body, append(slices.Clone(replaced), t))
		if err != nil {
			return nil, err
		}
		out = append(out, again...)
	}
	return out, nil
}

// arguments parts what is in the parentheses that list begins with, and returns how many tokens
// they take, 0 if they do not end.
func arguments(list []string) (args [][]string, n int) {
	depth := 0
	var arg []string
	for i, t := range list {
		switch {
		case t == "(":
			if depth++; depth == 1 {
				continue
			}
		case t == ")":
			if depth--; depth == 0 {
				return append(args, trimmed(arg)), i + 1
			}
		case t == "," && depth == 1:
			args = append(args, trimmed(arg))
			arg = nil
			continue
		}
		arg = append(arg, t)
	}
	return nil, 0
}

// trimmed is list without blanks at its ends.
func trimmed(list []string) []string {
	for len(list) > 0 && isBlank(list[0]) {
		list = list[1:]
	}
	for len(list) > 0 && isBlank(list[len(list)-1]) {
		list = list[:len(list)-1]
	}
	return list
}

// substitute puts arguments in the place of parameters, and pastes what ## joins.
func (x *expander) substitute(m macro, args [][]string, replaced []string) (out []string, err error) {
	pastes := false // what comes next is pasted to what is there
	for i := 0; i < len(m.body); i++ {
		if n := pasteAt(m.body[i:]); n > 0 {
			out = trimmed(out)
			pastes = true
			i += n - 1
			continue
		}
		part := m.body[i : i+1]
		if p := slices.Index(m.params, m.body[i]); p >= 0 {
			part = args[p]
			if !pastes && pasteAt(m.body[i+1:]) == 0 {
				if part, err = x.expand(part, replaced); err != nil {
					return nil, err
				}
			}
		}
		if pastes && len(out) > 0 && len(part) > 0 {
			last := len(out) - 1
			out[last] += part[0]
			part = part[1:]
		}
		pastes = false
		out = append(out, part...)
	}
	return out, nil
}

// pasteAt is how many tokens a ## takes that list begins with, blanks around it included, 0
// without.
func pasteAt(list []string) int {
	n := 0
	for n < len(list) && isBlank(list[n]) {
		n++
	}
	if n+1 >= len(list) || list[n] != "#" || list[n+1] != "#" {
		return 0
	}
	n += 2
	for n < len(list) && isBlank(list[n]) {
		n++
	}
	return n
}
