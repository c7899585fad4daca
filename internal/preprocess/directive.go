package preprocess

import (
	"bytes"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
)

// directive does what a line says that begins with #.
func (f *reading) directive(word, rest string) error {
	switch word {
	case "ifdef", "ifndef", "if":
		return f.begin(word, rest)
	case "elif", "else", "endif":
		return f.turn(word, rest)
	}
	if !f.live() {
		return nil
	}
	switch word {
	case "":
		if rest == "" {
			return nil
		}
	case "include":
		return f.include(rest)
	case "define":
		return f.x.define(rest)
	case "undef":
		delete(f.x.macros, rest)
		return nil
	}
	return fmt.Errorf("unknown directive #%s %s", word, rest)
}

// begin begins a condition.
func (f *reading) begin(word, rest string) error {
	b := branch{line: f.line, done: !f.live()}
	if !b.done {
		var err error
		switch word {
		case "if":
			b.live, err = f.x.holds(rest)
		default:
			_, b.live = f.x.macros[rest]
			b.live = b.live == (word == "ifdef")
		}
		if err != nil {
			return err
		}
		b.done = b.live
	}
	f.branches = append(f.branches, b)
	return nil
}

// turn goes to the next part of a condition, or ends it.
func (f *reading) turn(word, rest string) error {
	if len(f.branches) == 0 {
		return fmt.Errorf("#%s without a condition", word)
	}
	b := &f.branches[len(f.branches)-1]
	if word == "endif" {
		f.branches = f.branches[:len(f.branches)-1]
		return nil
	}
	if b.final {
		return fmt.Errorf("#%s behind #else", word)
	}
	b.live = !b.done
	b.final = word == "else"
	if b.live && word == "elif" {
		var err error
		if b.live, err = f.x.holds(rest); err != nil {
			return err
		}
	}
	b.done = b.done || b.live
	return nil
}

// include expands a header. One that only defines macros leaves no trace.
func (f *reading) include(rest string) error {
	if len(rest) < 2 || quoted(rest) != len(rest) {
		return fmt.Errorf("#include wants a name in quotes, not %s", rest)
	}
	name := rest[1 : len(rest)-1]
	text, err := f.x.header(name)
	if err != nil {
		return err
	}
	outer := f.x.out
	f.x.out = bytes.Buffer{}
	err = f.x.file(name, text, f.depth+1)
	inner := f.x.out.Bytes()
	f.x.out = outer
	if err != nil {
		return err
	}
	if len(bytes.TrimSpace(inner)) > 0 {
		f.x.mark(name, 1)
		f.x.out.Write(inner)
		f.x.mark(f.name, f.line)
	}
	return nil
}

// define takes a macro's definition.
func (x *expander) define(rest string) error {
	name, rest := cutWord(rest)
	if name == "" {
		return errors.New("#define wants a name")
	}
	var m macro
	if list, takes := strings.CutPrefix(rest, "("); takes {
		params, body, ok := strings.Cut(list, ")")
		if !ok {
			return fmt.Errorf("the parameters of %s do not end", name)
		}
		m.takes = true
		if strings.TrimSpace(params) != "" {
			for p := range strings.SplitSeq(params, ",") {
				m.params = append(m.params, strings.TrimSpace(p))
			}
		}
		rest = body
	}
	m.body = tokens(strings.TrimSpace(rest))
	x.macros[name] = m
	return nil
}

// holds reports whether a condition does.
func (x *expander) holds(text string) (bool, error) {
	c := &condition{x: x}
	for _, t := range tokens(text) {
		if strings.TrimSpace(t) != "" {
			c.list = append(c.list, t)
		}
	}
	v, err := c.or()
	if err == nil && len(c.list) > 0 {
		err = fmt.Errorf("%s is not expected in a condition", c.list[0])
	}
	return v, err
}

// condition is what is left of one.
type condition struct {
	x    *expander
	list []string
}

// take takes words if they come next.
func (c *condition) take(words ...string) bool {
	if len(c.list) < len(words) || !slices.Equal(c.list[:len(words)], words) {
		return false
	}
	c.list = c.list[len(words):]
	return true
}

func (c *condition) or() (bool, error) {
	v, err := c.and()
	for err == nil && c.take("|", "|") {
		var w bool
		w, err = c.and()
		v = v || w
	}
	return v, err
}

func (c *condition) and() (bool, error) {
	v, err := c.unary()
	for err == nil && c.take("&", "&") {
		var w bool
		w, err = c.unary()
		v = v && w
	}
	return v, err
}

func (c *condition) unary() (bool, error) {
	switch {
	case c.take("!"):
		v, err := c.unary()
		return !v, err
	case c.take("("):
		v, err := c.or()
		if err == nil && !c.take(")") {
			err = errors.New("a parenthesis is missing in a condition")
		}
		return v, err
	case c.take("defined"):
		enclosed := c.take("(")
		if len(c.list) == 0 {
			return false, errors.New("defined wants a name")
		}
		_, v := c.x.macros[c.list[0]]
		c.list = c.list[1:]
		if enclosed && !c.take(")") {
			return false, errors.New("a parenthesis is missing behind defined")
		}
		return v, nil
	case len(c.list) == 0:
		return false, errors.New("a condition is missing")
	}
	word := c.list[0]
	c.list = c.list[1:]
	if m, ok := c.x.macros[word]; ok && len(m.body) == 1 {
		word = m.body[0]
	} else if startsName(word[0]) {
		word = "0" // as an unknown name is
	}
	n, err := strconv.ParseInt(word, 0, 64)
	if err != nil {
		return false, fmt.Errorf("%s is not expected in a condition", word)
	}
	return n != 0, nil
}
