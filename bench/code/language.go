package main

import (
	"errors"
	"fmt"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"
)

// What language tools do: split source into words, parse, walk trees, run byte code.

type kind byte

const (
	end kind = iota
	name
	numeral
	quoted
	operator
)

type word struct {
	kind kind
	text string
}

type scanner struct {
	src string
	pos int
}

func (s *scanner) rune() rune {
	if s.pos >= len(s.src) {
		return -1
	}
	r, _ := utf8.DecodeRuneInString(s.src[s.pos:])
	return r
}

func (s *scanner) skip(while func(rune) bool) {
	for s.pos < len(s.src) {
		r, n := utf8.DecodeRuneInString(s.src[s.pos:])
		if !while(r) {
			return
		}
		s.pos += n
	}
}

func isLetter(r rune) bool { return r == '_' || unicode.IsLetter(r) }

func (s *scanner) next() word {
	s.skip(unicode.IsSpace)
	start := s.pos
	switch r := s.rune(); {
	case r < 0:
		return word{}
	case isLetter(r):
		s.skip(func(r rune) bool { return isLetter(r) || unicode.IsDigit(r) })
		return word{name, s.src[start:s.pos]}
	case unicode.IsDigit(r):
		s.skip(func(r rune) bool { return unicode.IsDigit(r) || r == '.' })
		return word{numeral, s.src[start:s.pos]}
	case r == '"':
		s.pos++
		s.skip(func(r rune) bool { return r != '"' })
		s.pos = min(s.pos+1, len(s.src))
		return word{quoted, s.src[start:s.pos]}
	default:
		s.pos += utf8.RuneLen(r)
		return word{operator, s.src[start:s.pos]}
	}
}

var program = strings.Repeat("total = (price - 3.5) * größe + rate / 4 * (a + b * 2); say \"done\";\n", 300)

func tokenize() {
	s := scanner{src: program}
	for w := s.next(); w.kind != end; w = s.next() {
		sink += int(w.kind) + len(w.text)
	}
}

// An operand is a node of a tree that interprets itself.
type operand interface {
	value(env map[string]float64) (float64, error)
}

type constant float64
type variable string
type operation struct {
	op          byte
	left, right operand
}

var errUnknown = errors.New("unknown variable")

func (c constant) value(map[string]float64) (float64, error) { return float64(c), nil }

func (v variable) value(env map[string]float64) (float64, error) {
	x, ok := env[string(v)]
	if !ok {
		return 0, fmt.Errorf("%w: %s", errUnknown, string(v))
	}
	return x, nil
}

func (b *operation) value(env map[string]float64) (float64, error) {
	l, err := b.left.value(env)
	if err != nil {
		return 0, err
	}
	r, err := b.right.value(env)
	if err != nil {
		return 0, err
	}
	switch b.op {
	case '+':
		return l + r, nil
	case '-':
		return l - r, nil
	case '*':
		return l * r, nil
	default:
		return l / r, nil
	}
}

// A parser makes expressions by recursive descent.
type parser struct {
	scanner
	at word
}

func (p *parser) advance() { p.at = p.next() }

func (p *parser) level(ops string, term func() (operand, error)) (operand, error) {
	left, err := term()
	for err == nil && p.at.kind == operator && strings.Contains(ops, p.at.text) {
		op := p.at.text[0]
		p.advance()
		var right operand
		right, err = term()
		left = &operation{op, left, right}
	}
	return left, err
}

func (p *parser) sum() (operand, error)     { return p.level("+-", p.product) }
func (p *parser) product() (operand, error) { return p.level("*/", p.atom) }

func (p *parser) atom() (operand, error) {
	w := p.at
	p.advance()
	switch {
	case w.kind == numeral:
		x, err := strconv.ParseFloat(w.text, 64)
		return constant(x), err
	case w.kind == name:
		return variable(w.text), nil
	case w.text == "(":
		e, err := p.sum()
		if err == nil && p.at.text != ")" {
			err = fmt.Errorf("want ), found %q", p.at.text)
		}
		p.advance()
		return e, err
	}
	return nil, fmt.Errorf("unexpected %q", w.text)
}

const formula = "(price - 3.5) * size + rate / 4 * (a + b * 2) - (c - (d - (e - 1)))"

func parse() {
	for range 200 {
		p := parser{scanner: scanner{src: formula}}
		p.advance()
		must(p.sum())
	}
	sink++
}

var parsed = func() operand {
	p := parser{scanner: scanner{src: formula}}
	p.advance()
	return must(p.sum())
}()

func treeWalk() {
	env := map[string]float64{"price": 10, "size": 3, "rate": 8, "a": 1, "b": 2, "c": 3, "d": 4, "e": 5}
	for range 5_000 {
		sinkF += must(parsed.value(env))
	}
}

// A machine runs byte code over a stack.
type opcode byte

const (
	opPush opcode = iota
	opLoad
	opStore
	opAdd
	opSub
	opMul
	opLess
	opJump
	opJumpZero
	opDup
	opDrop
	opHalt
)

type instruction struct {
	op  opcode
	arg int
}

type machine struct {
	code  []instruction
	stack []int
	vars  [8]int
}

func (m *machine) run() {
	pc := 0
	stack := m.stack[:0]
	for {
		in := m.code[pc]
		pc++
		top := len(stack) - 1
		switch in.op {
		case opPush:
			stack = append(stack, in.arg)
		case opLoad:
			stack = append(stack, m.vars[in.arg])
		case opStore:
			m.vars[in.arg] = stack[top]
			stack = stack[:top]
		case opAdd:
			stack[top-1] += stack[top]
			stack = stack[:top]
		case opSub:
			stack[top-1] -= stack[top]
			stack = stack[:top]
		case opMul:
			stack[top-1] *= stack[top]
			stack = stack[:top]
		case opLess:
			less := 0
			if stack[top-1] < stack[top] {
				less = 1
			}
			stack = append(stack[:top-1], less)
		case opJump:
			pc = in.arg
		case opJumpZero:
			if stack[top] == 0 {
				pc = in.arg
			}
			stack = stack[:top]
		case opDup:
			stack = append(stack, stack[top])
		case opDrop:
			stack = stack[:top]
		case opHalt:
			m.stack = stack
			return
		}
	}
}

// byteCode adds up i*i-3 for i below a limit.
func byteCode() {
	m := machine{stack: make([]int, 0, 16), code: []instruction{
		{opPush, 0}, {opStore, 0}, {opPush, 0}, {opStore, 1},
		{opLoad, 0}, {opPush, 100_000}, {opLess, 0}, {opJumpZero, 20},
		{opLoad, 1}, {opLoad, 0}, {opDup, 0}, {opMul, 0}, {opPush, 3}, {opSub, 0}, {opAdd, 0}, {opStore, 1},
		{opLoad, 0}, {opPush, 1}, {opAdd, 0}, {opJump, 21},
		{opHalt, 0}, {opStore, 0}, {opJump, 4},
	}}
	m.run()
	sink += m.vars[1]
}

// render turns a small Markdown into HTML.
func render(src string) string {
	var out strings.Builder
	list := false
	for line := range strings.Lines(src) {
		line = strings.TrimSuffix(line, "\n")
		item, isItem := strings.CutPrefix(line, "* ")
		if isItem != list {
			out.WriteString(map[bool]string{true: "<ul>\n", false: "</ul>\n"}[isItem])
			list = isItem
		}
		level := 0
		for level < len(line) && line[level] == '#' {
			level++
		}
		switch {
		case isItem:
			out.WriteString("<li>")
			inline(&out, item)
			out.WriteString("</li>\n")
		case level > 0:
			fmt.Fprintf(&out, "<h%d>", level)
			inline(&out, strings.TrimSpace(line[level:]))
			fmt.Fprintf(&out, "</h%d>\n", level)
		case line != "":
			out.WriteString("<p>")
			inline(&out, line)
			out.WriteString("</p>\n")
		}
	}
	return out.String()
}

func inline(out *strings.Builder, s string) {
	bold, code := false, false
	for i := 0; i < len(s); i++ {
		switch c := s[i]; {
		case c == '`':
			code = !code
			out.WriteString(map[bool]string{true: "<code>", false: "</code>"}[code])
		case c == '*' && !code:
			bold = !bold
			out.WriteString(map[bool]string{true: "<b>", false: "</b>"}[bold])
		case c == '<':
			out.WriteString("&lt;")
		case c == '&':
			out.WriteString("&amp;")
		default:
			out.WriteByte(c)
		}
	}
}

var document = strings.Repeat("# Title & more\n\nSome *bold* text with `code <x>` in it.\n\n* one\n* two\n\n## Next\n", 100)

func markdown() { sink += len(render(document)) }

// decode reads JSON into maps, slices, strings and numbers, by hand.
type decoder struct {
	src string
	pos int
}

func (d *decoder) blank() {
	for d.pos < len(d.src) && (d.src[d.pos] == ' ' || d.src[d.pos] == '\n') {
		d.pos++
	}
}

func (d *decoder) value() any {
	d.blank()
	switch c := d.src[d.pos]; c {
	case '{':
		m := map[string]any{}
		for d.pos++; ; d.pos++ {
			d.blank()
			key := d.str()
			d.blank()
			d.pos++
			m[key] = d.value()
			if d.blank(); d.src[d.pos] == '}' {
				d.pos++
				return m
			}
		}
	case '[':
		var list []any
		for d.pos++; ; d.pos++ {
			list = append(list, d.value())
			if d.blank(); d.src[d.pos] == ']' {
				d.pos++
				return list
			}
		}
	case '"':
		return d.str()
	case 't':
		d.pos += len("true")
		return true
	case 'f':
		d.pos += len("false")
		return false
	default:
		start := d.pos
		for strings.IndexByte("+-.0123456789eE", d.src[d.pos]) >= 0 {
			d.pos++
		}
		return must(strconv.ParseFloat(d.src[start:d.pos], 64))
	}
}

func (d *decoder) str() string {
	start := d.pos + 1
	n := strings.IndexByte(d.src[start:], '"')
	d.pos = start + n + 1
	return d.src[start : start+n]
}

var records = "[" + strings.Repeat(`{"id": 17, "name": "somebody", "tags": ["a", "b"], "ok": true, "w": 2.5},`, 99) + `{"id": 1}]`

func jsonByHand() {
	d := decoder{src: records}
	sink += len(d.value().([]any))
}

// A part of a page is written by a closure made from a template.
type part func(out *strings.Builder, fields map[string]string)

func templateParts(src string) []part {
	var parts []part
	for src != "" {
		before, rest, more := strings.Cut(src, "{{")
		parts = append(parts, func(out *strings.Builder, _ map[string]string) { out.WriteString(before) })
		if !more {
			break
		}
		field, after, _ := strings.Cut(rest, "}}")
		parts = append(parts, func(out *strings.Builder, fields map[string]string) { out.WriteString(fields[field]) })
		src = after
	}
	return parts
}

func templateByHand() {
	parts := templateParts("Dear {{name}}, your order {{order}} of {{day}} is {{state}}.")
	fields := map[string]string{"name": "Ann", "order": "1234", "day": "Monday", "state": "sent"}
	for range 1000 {
		var out strings.Builder
		for _, p := range parts {
			p(&out, fields)
		}
		sink += out.Len()
	}
}
