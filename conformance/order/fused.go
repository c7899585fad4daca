package main

import (
	"hash/fnv"
	"strings"
)

// Contexts are also made of three parts: a shape with two places, {A} and {B}, and in each a part
// around a number, {X}. One of the two numbers is the operand, the other one the call.
type part struct{ name, text string }

// shapes are what the parts stand in.
var shapes = []part{
	{"op of elements", "tab := Row(); tab[{A}] += {B}; Show(tab)"},
	{"quotient of elements", "tab := Row(); tab[{A}] /= {B}; Show(tab)"},
	{"op of map elements", "m := map[int]int{}; m[{A}] += {B}; Show(m)"},
	{"op of field", "fs := []Pair{12: {}}; fs[{A}].G -= {B}; Show(fs)"},
	{"two values", "var v, w any; v, w = {A}, {B}; Show(v, w)"},
	{"two elements", "tab := Row(); tab[{A}], tab[{B}] = {B}, {A}; Show(tab)"},
	{"elements of map and slice", "m, tab := map[int]any{}, Row(); m[{A}], tab[{B}] = tab[{B}], 70; Show(m, tab)"},
	{"results and element", "m := map[int]int{5: 50}; v, w := t{id}({A}), m[{B}]; Show(v, w)"},
	{"composites", "v := []any{struct{ F, G int }{1, {A}}, []int{{B}, 3}}; Show(v)"},
	{"composite of composites", "v := map[string]*Rec{\"a\": {L: []int{{A}}, P: &Pair{{B}, 1}}}; Show(v[\"a\"].L, v[\"a\"].P)"},
	{"array of arrays", "v := [2][2]int{{1, {A}}, {{B}}}; Show(v)"},
	{"map of both", "v := map[int]any{{A}: {B}}; Show(v)"},
	{"map in map", "v := map[int]map[int]int{{A}: {{B}: 1}}; Show(v)"},
	{"arguments", "Show({A}, {B})"},
	{"typed arguments", "Show(u{id}({A}, {B}))"},
	{"deferred", "defer u{id}({A}, {B}); Show(7)"},
	{"method of call", "Show(Int({A}).Get({B}))"},
	{"bounds", "Show(Grid()[3][{A} : {B}+20 : 30])"},
	{"comparison", "if {A} < {B} && {B} > 0 { Show(1) } else { Show(2) }"},
	{"append", "v := append([]int{{A}}, {B}, 3); Show(v)"},
	{"append of slice", "v := append(Row()[:{A}], Row()[{B}:]...); Show(v)"},
	{"sum of calls", "v := u{id}({A}, 1) - u{id}(1, {B}); Show(v)"},
	{"through pointer", "v := new(1); *v, v = {A}, new({B}); Show(v)"},
	{"send", "c := make(chan [2]int, 1); c <- [2]int{{A}, {B}}; Show(<-c)"},
	{"struct compared", "Show(Pair{{A}, 1} == Pair{{B}, 1})"},
	{"return", "Show(func() (any, int) { return {A}, {B} }())"},
}

// parts are what is around a number. All of them keep small numbers small.
var parts = []part{
	{"plain", "{X}"},
	{"element", "el[{X}&7]"},
	{"of map", "em[{X}]"},
	{"of function", "ID({X})"},
	{"of far function", "u{id}({X}, 0)"},
	{"of literal", "func() int { return {X} }()"},
	{"field", "(Pair{1, {X}}).G"},
	{"field of pointer", "(&Pair{{X}, 1}).F"},
	{"length", "len(el[:{X}&7])"},
	{"asserted", "any({X}).(int)"},
	{"quotient", "8 / ({X} & 7)"},
	{"minimum", "min({X}, 8)"},
	{"of new", "*new({X})"},
	{"byte", "int(\"0123456789\"[{X}&7]) & 7"},
}

// fusions returns the tests of all shapes with all pairs of parts. Each has two operands, one of
// which panics by itself: too many would fit to try them all.
func fusions(all []form) (list []*test) {
	var calm, failing []*form
	for i := range all {
		switch f := &all[i]; {
		case f.typ != "int" || f.types != "" || f.result:
		case f.panics && f.call != "":
			failing = append(failing, f)
		case !f.panics:
			calm = append(calm, f)
		}
	}
	for _, s := range shapes {
		for _, a := range parts {
			for _, b := range parts {
				for _, swapped := range []bool{false, true} {
					c := fuse(s, a, b, swapped)
					h := fnv.New32a()
					h.Write([]byte(c.name))
					n := int(h.Sum32() >> 1)
					list = append(list, &test{calm[n%len(calm)], c, ""}, &test{failing[n%len(failing)], c, ""})
				}
			}
		}
	}
	return list
}

func fuse(s, a, b part, swapped bool) *context {
	x, y, name := "{E}", "{C}", "fused "+s.name+" with "+a.name+" and "+b.name
	if swapped {
		x, y, name = y, x, name+" swapped"
	}
	fill := strings.NewReplacer("{A}", strings.ReplaceAll(a.text, "{X}", x), "{B}", strings.ReplaceAll(b.text, "{X}", y))
	body, top := fill.Replace(s.text), ""
	if strings.Contains(body, "el[") {
		body = "el := Row(); " + body
	}
	if strings.Contains(body, "em[") {
		body = "em := map[int]int{1: 2, 5: 6, 9: 3}; " + body
	}
	if strings.Contains(body, "u{id}(") {
		top = "//go:noinline\nfunc u{id}(a, b int) int { Show(a); return a + b }"
	}
	if strings.Contains(body, "t{id}(") {
		top = "func t{id}(a int) int { return a + 1 }"
		if strings.Contains(body, "u{id}(") {
			top += "\n//go:noinline\nfunc u{id}(a, b int) int { Show(a); return a + b }"
		}
	}
	return &context{name, "i", body, top, ""}
}
