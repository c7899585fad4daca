package preprocess

import (
	"bytes"
	"fmt"
	"strings"
)

// Input is a file to be expanded.
type Input struct {
	Name    string // what marks and errors call it
	Text    []byte
	Defined map[string]string                          // names that have a value from the start
	Header  func(name string) (text []byte, err error) // what include finds
}

// Expand returns the text of a file, expanded. It begins with a mark of the file's name.
func Expand(in Input) ([]byte, error) {
	x := &expander{header: in.Header, macros: map[string]macro{}}
	for name, value := range in.Defined {
		x.macros[name] = macro{body: tokens(value)}
	}
	x.mark(in.Name, 1)
	if err := x.file(in.Name, in.Text, 0); err != nil {
		return nil, err
	}
	return x.out.Bytes(), nil
}

// A macro is what a name stands for.
type macro struct {
	takes  bool // arguments, even if there are none
	params []string
	body   []string
}

type expander struct {
	header func(string) ([]byte, error)
	macros map[string]macro
	out    bytes.Buffer
}

// mark says which line of which file follows.
func (x *expander) mark(name string, line int) { fmt.Fprintf(&x.out, "# %d %q\n", line, name) }

// A branch is a condition whose end has not come.
type branch struct {
	line  int
	live  bool // what follows is taken
	done  bool // one of its parts was taken, or none may be
	final bool // else has come
}

// mostHeaders bounds how deep files include others.
const mostHeaders = 20

// file expands one file.
func (x *expander) file(name string, text []byte, depth int) error {
	if depth > mostHeaders {
		return fmt.Errorf("%s: headers include each other", name)
	}
	f := &reading{x: x, name: name, depth: depth}
	lines := strings.Split(strings.TrimSuffix(string(text), "\n"), "\n")
	for i := 0; i < len(lines); {
		f.line = i + 1
		whole, more := joined(lines[i:])
		i += more
		plain, err := f.plain(whole)
		if err == nil {
			err = f.one(plain)
		}
		if err != nil {
			return fmt.Errorf("%s:%d: %w", name, f.line, err)
		}
		x.out.WriteString(strings.Repeat("\n", more))
	}
	if f.comment {
		return fmt.Errorf("%s:%d: a comment does not end", name, f.line)
	}
	if n := len(f.branches); n > 0 {
		return fmt.Errorf("%s:%d: a condition does not end", name, f.branches[n-1].line)
	}
	return nil
}

// joined is the first of lines with those that a backslash adds to it, and how many these are
// together.
func joined(lines []string) (whole string, n int) {
	for n < len(lines) {
		part, more := strings.CutSuffix(lines[n], "\\")
		whole += part
		n++
		if !more {
			break
		}
	}
	return whole, n
}

// reading is a file that is being expanded.
type reading struct {
	x        *expander
	name     string
	line     int
	depth    int
	comment  bool // one has begun on a line before
	branches []branch
}

// live reports whether text is taken here.
func (f *reading) live() bool { return len(f.branches) == 0 || f.branches[len(f.branches)-1].live }

// one takes a line without comments. The line's end is written by the caller.
func (f *reading) one(line string) error {
	directive, is := strings.CutPrefix(strings.TrimSpace(line), "#")
	switch {
	case is:
		word, rest := cutWord(strings.TrimSpace(directive))
		return f.directive(word, strings.TrimSpace(rest))
	case !f.live():
		return nil
	}
	list, err := f.x.expand(tokens(line), nil)
	if err != nil {
		return err
	}
	f.x.out.WriteString(strings.TrimRight(strings.Join(list, ""), " \t"))
	return nil
}

// cutWord parts a name from what follows it.
func cutWord(s string) (word, rest string) {
	n := 0
	for n < len(s) && inName(s[n]) {
		n++
	}
	return s[:n], s[n:]
}

// plain is a line without its comments.
func (f *reading) plain(line string) (string, error) {
	var s strings.Builder
	for i := 0; i < len(line); {
		rest := line[i:]
		switch {
		case f.comment:
			end := strings.Index(rest, "*/")
			if end < 0 {
				return s.String(), nil
			}
			f.comment = false
			s.WriteByte(' ')
			i += end + len("*/")
		case strings.HasPrefix(rest, "//"):
			return s.String(), nil
		case strings.HasPrefix(rest, "/*"):
			f.comment = true
			i += len("/*")
		case rest[0] == '"':
			n := quoted(rest)
			if n < 0 {
				return "", fmt.Errorf("a string does not end")
			}
			s.WriteString(rest[:n])
			i += n
		default:
			s.WriteByte(rest[0])
			i++
		}
	}
	return s.String(), nil
}

// quoted is the length of the string that s begins with, -1 if it does not end.
func quoted(s string) int {
	for i := 1; i < len(s); i++ {
		switch s[i] {
		case '\\':
			i++
		case '"':
			return i + 1
		}
	}
	return -1
}
