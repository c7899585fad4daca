package main

import "strings"

// A context is where operands stand. In its texts {E} is the operand, {T} its type, {C} the call
// beside it, of type int, {CT} one that changes the operand and returns what it is then, {CB} one
// of type bool, {C1} one that returns 1, and {id} the case's number. {L} is a list of the operand
// and the call in one of three orders, {P} parameters for such a list, {V} their names, {R} their
// types, {RN} results; {M} is a list of values of the operand's type, {K} one with keys, {I} one
// of interfaces.
type context struct {
	name string
	// kinds says which types of operands may stand here: all of these letters are among those of
	// the type's kind.
	kinds string
	body  string
	top   string // declarations beside the function
	sig   string // the results of the function
}

const (
	printer = "func t{id}({P}) { Show({V}) }"
	maker   = "func t{id}(vs ...{T}) { for _, v := range vs { Show(v) } }"
)

var contexts = concat(arguments, returns, assignments, packageLevel, literals, operators, conditions, indices, bases, lefts, builtins)

// arguments are arguments of calls of all kinds.
var arguments = []context{
	{"arg fixed", "", "t{id}({L})", printer, ""},
	{"arg inner", "", "t{id}({LI})", printer + "\nfunc i{id}(v {T}) {T} { return v }", ""},
	{"arg variadic any", "", "Show({L})", "", ""},
	{"arg variadic", "", "t{id}({M})", maker, ""},
	{"arg any", "", "t{id}({L})", "func t{id}({PA}) { Show({V}) }", ""},
	{"arg method", "", "m{id}{}.t({L})", "type m{id} struct{}\nfunc (m{id}) t({P}) { Show({V}) }", ""},
	{"arg interface", "", "var mi interface{ t({P}) } = m{id}{}; mi.t({L})", "type m{id} struct{}\nfunc (m{id}) t({P}) { Show({V}) }", ""},
	{"arg generic", "", "t{id}({L})", "func t{id}[{TG}]({PG}) { Show({V}) }", ""},
	{"arg func variable", "", "tf := t{id}; tf({L})", printer, ""},
	{"arg literal", "", "func({P}) { Show({V}) }({L})", "", ""},
	{"arg defer", "", "defer t{id}({L})", printer, ""},
	{"arg defer any", "", "defer Show({L})", "", ""},
	{"arg defer literal", "", "defer func({P}) { Show({V}) }({L})", "", ""},
	{"arg defer method", "", "defer m{id}{}.t({L})", "type m{id} struct{}\nfunc (m{id}) t({P}) { Show({V}) }", ""},
	{"arg go", "", "go t{id}({L}); <-Done", "func t{id}({P}) { Show({V}); Done <- true }", ""},
	{"arg go any", "", "go t{id}({L}); <-Done", "func t{id}({PA}) { Show({V}); Done <- true }", ""},
	{"arg result", "", "Show(t{id}({L}))", "func t{id}({P}) ({R}) { return {V} }", ""},
	{"arg twice", "", "t{id}({L}, {L})", "func t{id}(vs ...any) { Show(vs...) }", ""},
	{"arg print", "p", "println({L})", "", ""},
	{"arg range call", "", "for _, v := range t{id}({L}) { Show(v) }", "func t{id}(vs ...any) []any { return vs }", ""},
	{"arg type switch", "", "switch v := t{id}({L})[0].(type) { case int: Show(1, v); default: Show(v) }",
		"func t{id}(vs ...any) []any { return vs }", ""},
	{"arg recursion", "", "if depth{id}++; depth{id} == 1 { t{id}({L}) }", "var depth{id} int\n" + printer, ""},
	{"arg chain", "", "new(m{id}).t({L}).t({L})", "type m{id} struct{}\nfunc (m *m{id}) t({P}) *m{id} { Show({V}); return m }", ""},
}

// returns are results of functions.
var returns = []context{
	{"return", "", "return {L}", "", "({R})"},
	{"return named", "", "return {L}", "", "({RN})"},
	{"return any", "", "return {L}", "", "({RA})"},
	{"return recovered", "", "defer func() { recover() }(); return {L}", "", "({RN})"},
	{"return variadic", "", "return append([]any(nil), {L})", "", "[]any"},
	{"return literal", "", "return struct{ {F} }{{L}}", "", "struct{ {F} }"},
	{"return closure", "", "Show(func() ({R}) { return {L} }())", "", ""},
}

// assignments give values to variables.
var assignments = []context{
	{"define", "", "{V} := {L}; Show({V})", "", ""},
	{"assign", "", "{D}; {V} = {L}; Show({V})", "", ""},
	{"assign any", "", "var {V} any; {V} = {L}; Show({V})", "", ""},
	{"assign captured", "", "{D}; show := func() { Show({V}) }; {V} = {L}; show()", "", ""},
	{"assign package", "", "g{id}.set({L}); Show(g{id})",
		"type m{id} struct { {F} }\nfunc (m *m{id}) set({P}) { *m = m{id}{{V}} }\nvar g{id} m{id}", ""},
	{"assign fields", "", "var st struct{ {F} }; {SV} = {L}; Show(st)", "", ""},
	{"assign fields of pointer", "", "st := new(struct{ {F} }); {SV} = {L}; Show(st)", "", ""},
	{"assign elements", "", "el := make([]any, 3); {EV} = {L}; Show(el)", "", ""},
	{"assign array", "", "var el [3]any; {EV} = {L}; Show(el)", "", ""},
	{"assign map", "", "el := map[int]any{}; {EV} = {L}; Show(el)", "", ""},
	{"assign blank", "", "{BV} = {L}; Show(7)", "", ""},
	{"var", "", "var {V} = {L}; Show({V})", "", ""},
	{"var any", "", "var {V} any = {L}; Show({V})", "", ""},
}

// packageLevel are initialisers of package variables.
var packageLevel = []context{
	{"package literal", "g", "Show(v{id})", "var v{id} = []any{{L}}", ""},
	{"package array", "g", "Show(v{id})", "var v{id} = [...]{T}{{M}}", ""},
	{"package map", "g", "Show(v{id})", "var v{id} = map[int]any{{K}}", ""},
	{"package struct", "g", "Show(v{id})", "var v{id} = struct{ {F} }{{L}}", ""},
	{"package pointer", "g", "Show(v{id})", "var v{id} = &struct{ {F} }{{L}}", ""},
	{"package nested", "g", "Show(v{id})", "var v{id} = [][]{T}{{{M}}, {{M}}}", ""},
	{"package call", "g", "Show(v{id})", "func t{id}(vs ...any) []any { return vs }\nvar v{id} = t{id}({L})", ""},
	{"package fixed call", "g", "Show(v{id})", "func t{id}({P}) []any { return []any{{V}} }\nvar v{id} = t{id}({L})", ""},
	{"package equal", "gp", "Show(v{id})", "var v{id} = {E} == {CT}", ""},
	{"package tuple", "g", "Show({G})", "func t{id}({P}) ({R}) { return {V} }\nvar {G} = t{id}({L})", ""},
	{"package list", "g", "Show({G})", "var {G} = {L}", ""},
}

// literals are composite literals.
var literals = []context{
	{"literal struct", "", "v := struct{ {F} }{{L}}; Show(v)", "", ""},
	{"literal pointer", "", "v := &struct{ {F} }{{L}}; Show(v)", "", ""},
	{"literal struct keyed", "", "v := struct{ {FZ} }{{Z}}; Show(v)", "", ""},
	{"literal struct of any", "", "v := struct{ {FA} }{{L}}; Show(v)", "", ""},
	{"literal array", "", "v := [...]{T}{{M}}; Show(v)", "", ""},
	{"literal array of any", "", "v := [...]any{{L}}; Show(v)", "", ""},
	{"literal slice", "", "v := []{T}{{M}}; Show(v)", "", ""},
	{"literal slice of any", "", "v := []any{{L}}; Show(v)", "", ""},
	{"literal slice keyed", "", "v := []any{{K}}; Show(v)", "", ""},
	{"literal map", "", "v := map[int]{T}{{KM}}; Show(v)", "", ""},
	{"literal map of any", "", "v := map[int]any{{K}}; Show(v)", "", ""},
	{"literal map key", "c", "v := map[{T}]int{{E}: {C}}; Show(v)", "", ""},
	{"literal map key after", "c", "v := map[int]{T}{{C}: {E}}; Show(v)", "", ""},
	{"literal map keys", "c", "v := map[{T}]int{{E}: 1, {CT}: {C}}; Show(v)", "", ""},
	{"literal map key any", "c", "v := map[any]any{{E}: {C}}; Show(v)", "", ""},
	{"literal nested", "", "v := [][]{T}{{{M}}, {{M}}}; Show(v)", "", ""},
	{"literal nested any", "", "v := [][]any{{{L}}, {{L}}}; Show(v)", "", ""},
	{"literal nested array", "", "v := [2][]any{{{L}}, {{L}}}; Show(v)", "", ""},
	{"literal nested struct", "", "v := []struct{ {F} }{{{L}}, {{L}}}; Show(v)", "", ""},
	{"literal nested pointer", "", "v := []*struct{ {F} }{{{L}}, {{L}}}; Show(v)", "", ""},
	{"literal nested map", "", "v := map[int]struct{ {F} }{1: {{L}}, 2: {{L}}}; Show(v)", "", ""},
	{"literal inner", "", "v := struct{ A struct{ F {T} }; B int }{struct{ F {T} }{{E}}, {C}}; Show(v)", "", ""},
	{"literal inner pointer", "", "v := struct{ A *struct{ F {T} }; B int }{&struct{ F {T} }{{E}}, {C}}; Show(v)", "", ""},
	{"literal inner slice", "", "v := struct{ A []{T}; B int }{[]{T}{{E}}, {C}}; Show(v)", "", ""},
	{"literal argument", "", "Show([]any{{L}}, struct{ {F} }{{L}}, {C})", "", ""},
	{"literal read", "", "v := (&struct{ {F} }{{L}}).A; Show(v)", "", ""},
	{"literal assigned", "", "var v struct{ {F} }; v = struct{ {F} }{{L}}; Show(v)", "", ""},
	{"literal through pointer", "", "v := new(struct{ {F} }); *v = struct{ {F} }{{L}}; Show(v)", "", ""},
}

// operators are binary operators, sends and receives.
var operators = []context{
	{"equal", "c", "v := {E} == {CT}; Show(v)", "", ""},
	{"equal after", "c", "v := {CT} == {E}; Show(v)", "", ""},
	{"equal arg", "c", "Show({E} == {CT}, {E} == {CT})", "", ""},
	{"equal return", "c", "return {E} == {CT}, {C}", "", "(bool, int)"},
	{"equal any", "c", "v := any({E}) == any({CT}); Show(v)", "", ""},
	{"equal mixed", "c", "v := any({E}) == {CT}; Show(v)", "", ""},
	{"equal mixed after", "c", "v := {E} == any({CT}); Show(v)", "", ""},
	{"equal struct", "c", "v := struct{ F {T} }{{E}} == struct{ F {T} }{{CT}}; Show(v)", "", ""},
	{"less", "o", "v := {E} < {CT}; Show(v)", "", ""},
	{"less after", "o", "v := {CT} <= {E}; Show(v)", "", ""},
	{"add", "+", "v := {E} + {CT}; Show(v)", "", ""},
	{"add after", "+", "v := {CT} + {E}; Show(v)", "", ""},
	{"add between", "+", "v := {E} + {CT} + {E}; Show(v)", "", ""},
	{"add many", "+", "v := {E} + {CT} + ({E} + {CT}) + {E} + {E}; Show(v)", "", ""},
	{"add arg", "+", "Show({E} + {CT}, {CT} + {E})", "", ""},
	{"add arg string", "s", `Show("a" + {E}, "b" + {CT})`, "", ""},
	{"add return", "+", "return {E} + {CT}, {C}", "", "({T}, int)"},
	{"multiply", "i", "v := {E} * {C}; Show(v)", "", ""},
	{"subtract after", "i", "v := {C} - {E}; Show(v)", "", ""},
	{"divide", "i", "v := {E} / {C}; Show(v)", "", ""},
	{"divide after", "i", "v := {C} / {E}; Show(v)", "", ""},
	{"shift", "i", "v := {E} << {C}; Show(v)", "", ""},
	{"shift after", "i", "v := {C} << {E}; Show(v)", "", ""},
	{"and", "b", "v := {E} && {CB}; Show(v)", "", ""},
	{"and after", "b", "v := {CB} && {E}; Show(v)", "", ""},
	{"or", "b", "v := {E} || !{CB}; Show(v)", "", ""},
	{"or after", "b", "v := !{CB} || {E}; Show(v)", "", ""},
	{"and arg", "b", "Show({E} && {CB}, {E} || {CB}, {C})", "", ""},
	{"and before call", "b", "t{id}({E} && {E}, {C})", "func t{id}(a bool, b int) { Show(a, b) }", ""},
	{"or before call", "b", "t{id}({E} || {E}, {C})", "func t{id}(a bool, b int) { Show(a, b) }", ""},
	{"not before call", "b", "v, w := !{E}, {C}; Show(v, w)", "", ""},
	{"and equal", "c", "v, w := {C} == 5 && {E} == {CT}, {C}; Show(v, w)", "", ""},
	{"or equal", "c", "v, w := {C} == 6 || {E} == {CT}, {C}; Show(v, w)", "", ""},
	{"beside and", "", "t{id}({E}, {CB} && {CB})", "func t{id}(a {T}, b bool) { Show(a, b) }", ""},
	{"beside or any", "", "Show({E}, {CB} || {CB}, {E})", "", ""},
	{"convert", "i", "v, w := float64({E}), {C}; Show(v, w)", "", ""},
	{"send", "", "mc := make(chan {T}, 1); t{id}(mc, {C}) <- {E}; Show(<-mc)", "func t{id}(mc chan {T}, _ int) chan {T} { return mc }", ""},
	{"send call", "", "mc := make(chan {T}, 1); t{id}(mc, 1) <- {CT}; Show(<-mc, {E})",
		"func t{id}(mc chan {T}, _ int) chan {T} { return mc }", ""},
	{"send to", "h", "{E} <- {C}; Show({E})", "", ""},
	{"receive from", "h", "v, w := <-{E}, {C}; Show(v, w)", "", ""},
	{"receive beside", "", "mc := Filled(1, 2, 3); t{id}({E}, <-mc, {C})", "func t{id}(a {T}, b, c int) { Show(a, b, c) }", ""},
}

// conditions are what statements decide by.
var conditions = []context{
	{"if", "c", "if {E} == {CT} { Show(1) } else { Show(0) }", "", ""},
	{"if after", "c", "if {CT} == {E} { Show(1) } else { Show(0) }", "", ""},
	{"if and", "c", "if {E} == {CT} && {C} == 5 { Show(1) } else { Show(0) }", "", ""},
	{"if bool", "b", "if {E} { Show(1) } else { Show(0) }; if {E} && {CB} { Show(1) } else { Show(0) }", "", ""},
	{"if init", "c", "if v := {C}; {E} == {CT} { Show(1, v) } else { Show(0, v) }", "", ""},
	{"if less", "o", "if {E} < {CT} { Show(1) } else { Show(0) }", "", ""},
	{"for", "c", "for i := 0; {E} == {CT} && i < 2; i++ { Show(i) }; Show(7)", "", ""},
	{"for post", "", "for i, v := 0, []any(nil); i < 2; i, v = i + 1, []any{{L}} { Show(v...) }", "", ""},
	{"switch tag", "c", "switch {E} { case {CT}: Show(1); default: Show(0) }", "", ""},
	{"switch case", "c", "switch {CT} { case {E}: Show(1); default: Show(0) }", "", ""},
	{"switch list", "c", "switch {E} { case {CT}, {CT}: Show(1); case {E}: Show(2); default: Show(0) }", "", ""},
	{"switch true", "c", "switch { case {E} == {CT}: Show(1); default: Show(0) }", "", ""},
	{"switch any", "c", "switch any({E}) { case {CT}: Show(1); default: Show(0) }", "", ""},
	{"select send", "", "mc := make(chan {T}, 1); select { case t{id}(mc, {C}) <- {E}: Show(<-mc) }",
		"func t{id}(mc chan {T}, _ int) chan {T} { return mc }", ""},
	{"select two", "", "mc := make(chan {T}, 1); var nc chan int; select { case mc <- {E}: Show(<-mc); case nc <- {C}: }", "", ""},
	{"select two after", "", "mc := make(chan {T}, 1); var nc chan int; select { case nc <- {C}: case mc <- {E}: Show(<-mc) }", "", ""},
	{"select default", "", "mc := make(chan {T}, 1); var nc chan int; select { case mc <- {E}: Show(<-mc); case nc <- {C}: default: Show(8) }", "", ""},
	{"select channel", "h", "select { case {E} <- {C}: Show({E}) }", "", ""},
	{"select receive", "h", "select { case v := <-{E}: Show(v, {C}) }", "", ""},
	{"select into", "", "mc := Filled(3); el := make([]any, 12); select { case el[{C}] = <-mc: Show(el, {E}) }", "", ""},
	{"range slice", "l", "for i, v := range {E} { Show(i, v, {C}); if i > 3 { break } }", "", ""},
	{"range array", "a", "for i, v := range {E} { Show(i, v, {C}) }", "", ""},
	{"range string", "s", "for i, v := range {E} { Show(i, v, {C}); if i > 3 { break } }", "", ""},
	{"range int", "i", "for i := range {E} { Show(i, {C}); if i > 3 { break } }", "", ""},
	{"range map", "m", "for i, v := range {E} { Show(i, v, {C}); break }", "", ""},
	{"range into", "", "el := make([]any, 12); for _, el[{C}] = range []int{1, 2} { Show({E}) }; Show(el)", "", ""},
}

// indices are indices and bounds.
var indices = []context{
	{"index", "i", "v := Grid()[{E}][{C}]; Show(v)", "", ""},
	{"index after", "i", "v := Grid()[{C}][{E}]; Show(v)", "", ""},
	{"index variable", "i", "tab := Grid(); v := tab[{E}][{C}]; Show(v)", "", ""},
	{"index arg", "i", "tab := Row(); Show(tab[{E}], {C}, tab[{E}])", "", ""},
	{"index arg fixed", "i", "tab := Row(); t{id}(tab[{E}], {C})", "func t{id}(a, b int) { Show(a, b) }", ""},
	{"index array", "i", "tab := Fixed(); v, w := tab[{E}], {C}; Show(v, w)", "", ""},
	{"index string", "i", `v, w := "0123456789abc"[{E}], {C}; Show(v, w)`, "", ""},
	{"index map", "i", "v := Table()[{E}][{C}]; Show(v)", "", ""},
	{"index map return", "i", "tab := Table(); return tab[{E}][2], {C}", "", "(int, int)"},
	{"index comma ok", "i", "tab := Table(); v, ok := tab[{E}][{C}]; Show(v, ok)", "", ""},
	{"slice bounds", "i", "v := Row()[{E}:{C}]; Show(v)", "", ""},
	{"slice bounds after", "i", "v := Row()[{C}:{E}]; Show(v)", "", ""},
	{"slice bounds variable", "i", "tab := Row(); v := tab[{E}:{C}]; Show(v)", "", ""},
	{"slice bounds sum", "i", "tab := Row(); v := tab[{E}-1:{C}]; Show(v)", "", ""},
	{"slice bounds arg", "i", "tab := Row(); Show(tab[{E}:{C}], tab[:{E}])", "", ""},
	{"slice three", "i", "tab := Row(); v := tab[{E}:{C}:{C}+4]; Show(v)", "", ""},
	{"slice three last", "i", "tab := Row(); v := tab[0:{C1}:{E}]; Show(v, cap(v))", "", ""},
	{"slice string", "i", `v := "0123456789abc"[{E}:{C}]; Show(v)`, "", ""},
	{"slice array", "i", "tab := Fixed(); v := tab[{E}:{C}]; Show(v)", "", ""},
	{"index left", "i", "tab := Grid(); tab[{E}][{C}] = 7; Show(tab[1], tab[9])", "", ""},
	{"index left value", "i", "tab := Row(); tab[{E}] = {C}; Show(tab)", "", ""},
	{"index left call", "i", "tab := Row(); tab[{C}] = {E}; Show(tab)", "", ""},
	{"index left op", "i", "tab := Row(); tab[{E}] += {C}; Show(tab)", "", ""},
	{"index left call op", "i", "tab := Row(); tab[{C}] += {E}; Show(tab)", "", ""},
	{"index left array", "i", "tab := Fixed(); tab[{E}] = {C}; Show(tab)", "", ""},
	{"index left inc", "i", "tab := Grid(); tab[{E}][{C}]++; Show(tab[1], tab[9])", "", ""},
	{"index left two", "i", "tab := Row(); tab[{E}], tab[{C}] = 70, 80; Show(tab)", "", ""},
	{"index swap", "i", "tab := Row(); tab[{E}], tab[{C}] = tab[{C}], tab[{E}]; Show(tab)", "", ""},
	{"map left value", "c", "m := map[{T}]int{}; m[{E}] = {C}; Show(m)", "", ""},
	{"map left call", "", "m := map[int]{T}{}; m[{C}] = {E}; Show(m)", "", ""},
	{"map left any", "c", "m := map[any]any{}; m[{E}] = {C}; Show(m)", "", ""},
	{"map left op", "c", "m := map[{T}]int{}; m[{E}] += {C}; Show(m)", "", ""},
	{"map left call op", "+", "m := map[int]{T}{}; m[{C}] += {E}; Show(m)", "", ""},
	{"map left append", "", "m := map[int][]{T}{}; m[{C}] = append(m[{C}], {E}); Show(m)", "", ""},
	{"map left inc", "c", "m := map[{T}]map[int]int{{E}: {}, {CT}: {}}; m[{E}][{C}]++; Show(m)", "", ""},
	{"map left two", "c", "m := map[{T}]int{}; var w int; m[{E}], w = {C}, {C}; Show(m, w)", "", ""},
}

// bases are operands that are indexed, sliced, called or selected from.
var bases = []context{
	{"base slice index", "l", "v := {E}[{C1}-1]; Show(v)", "", ""},
	{"base slice index two", "l", "v, w := {E}[0], {C}; Show(v, w)", "", ""},
	{"base slice from", "l", "v := {E}[{C1}:]; Show(v)", "", ""},
	{"base slice to", "l", "v := {E}[:{C1}]; Show(v)", "", ""},
	{"base slice left", "l", "{E}[{C1}-1] = {E}[0]; Show({E})", "", ""},
	{"base array index", "a", "v := {E}[{C1}-1]; Show(v)", "", ""},
	{"base string index", "s", "v := {E}[{C1}]; Show(v)", "", ""},
	{"base string slice", "s", "v := {E}[{C1}:]; Show(v)", "", ""},
	{"base map", "m", "v := {E}[t{id}({C})]; Show(v)", `func t{id}(int) string { return "k" }`, ""},
	{"base map left", "m", "{E}[t{id}({C})] = 7; Show({E})", `func t{id}(int) string { return "k" }`, ""},
	{"base func", "f", "v := {E}({C}); Show(v)", "", ""},
	{"base func beside", "f", "v, w := {E}(1), {C}; Show(v, w)", "", ""},
	{"base func defer", "f", "defer {E}({C}); Show(7)", "", ""},
	{"base method", "S", "v := {E}.Get({C}); Show(v)", "", ""},
	{"base method value", "S", "v, w := {E}.Get, {C}; Show(v(1), w)", "", ""},
	{"base method defer", "S", "defer Show({E}.Get({C}))", "", ""},
	{"base pointer method", "P", "v := {E}.Ptr({C}); Show(v)", "", ""},
	{"base field", "F", "v := {E}.F + {C}; Show(v)", "", ""},
	{"base field arg", "F", "Show({E}.F, {C})", "", ""},
	{"base field left", "P", "{E}.F = {C}; Show({E})", "", ""},
	{"base field op", "P", "{E}.F += {C}; Show({E})", "", ""},
	{"base deref", "D", "v := *{E} + {C}; Show(v)", "", ""},
	{"base deref left", "D", "v := {E}; *{E} = {C}; Show({E}, v)", "", ""},
	{"base deref op", "D", "v := {E}; *{E} += {C}; Show({E}, v)", "", ""},
	{"base deref arg", "*", "t{id}(*{E}, {C})", "func t{id}(a any, b int) { Show(a, b) }", ""},
	{"base assert", "e", "v, w := {E}.(interface{ Error() string }), {C}; Show(v, w)", "", ""},
	{"base assert comma ok", "A", "v, ok := t{id}({E}, {C}).(int); Show(v, ok)", "func t{id}(v any, _ int) any { return v }", ""},
	{"base assert beside", "A", "v, w := {E}.(any), {C}; Show(v, w)", "", ""},
	{"base convert string", "s", "v, w := []byte({E}), {C}; Show(v, w)", "", ""},
	{"base convert runes", "s", "Show([]rune({E}), {C})", "", ""},
}

// lefts are operands on the left side.
var lefts = []context{
	{"left", "L", "{E} = {CT}; Show({E})", "", ""},
	{"left op", "L+", "{E} += {CT}; Show({E})", "", ""},
	{"left op call", "Li", "{E} += {C}; Show({E})", "", ""},
	{"left shift", "Li", "{E} <<= {C1}; Show({E})", "", ""},
	{"left self", "L+", "{E} = {E} + {CT}; Show({E})", "", ""},
	{"left two", "L", "var w int; {E}, w = {CT}, {C}; Show({E}, w)", "", ""},
	{"left two after", "L", "var w int; w, {E} = {C}, {CT}; Show({E}, w)", "", ""},
	{"left swap", "L", "var w {T}; {E}, w = w, {CT}; Show({E}, w)", "", ""},
	{"left tuple", "L", "{E}, _ = t{id}({C}, {E}); Show({E})", "func t{id}(a int, v {T}) ({T}, int) { return v, a }", ""},
	{"left address", "Lx", "v, w := &{E}, {C}; Show(*v, w)", "", ""},
	{"left append", "Ll", "{E} = append({E}, {C}); Show({E})", "", ""},
	{"left append sliced", "Ll", "{E} = append({E}[:1], {C}, {C}); Show({E})", "", ""},
	{"left range", "Li", "for {E} = range []int{1, 2} { Show({C}) }; Show({E})", "", ""},
}

// builtins are arguments of built-in functions.
var builtins = []context{
	{"append", "", "v := append(make([]{T}, 0, 8), {M}); Show(v)", "", ""},
	{"append any", "", "v := append([]any{1}, {L}); Show(v)", "", ""},
	{"append arg", "", "Show(append([]any{1}, {L}), {E})", "", ""},
	{"append base", "l", "v := append({E}, {C}); Show(v)", "", ""},
	{"append base sliced", "l", "v := append({E}[:1], {C}); Show(v, {E})", "", ""},
	{"append to call", "l", "v := append(t{id}({C}), {E}...); Show(v)", "func t{id}(n int) []int { return []int{n} }", ""},
	{"copy to", "l", "v := copy({E}, t{id}({C})); Show(v, {E})", "func t{id}(n int) []int { return []int{n} }", ""},
	{"copy from", "l", "mc := make([]int, 3); v := copy(t{id}(mc, {C}), {E}); Show(v, mc)",
		"func t{id}(v []int, n int) []int { return v }", ""},
	{"copy beside", "l", "t := []int{50, 60, 70}; v, w := {E}, copy({E}, t); Show(v, w)", "", ""},
	{"copy beside element", "l", "t := []int{50, 60, 70}; v := {E}[0] + copy({E}, t); Show(v)", "", ""},
	{"append beside element", "l", "return {E}[0], append({E}[:0], {E}[1:]...)", "", "(int, []int)"},
	{"min", "o", "v := min({E}, {CT}); Show(v)", "", ""},
	{"max after", "o", "v := max({CT}, {E}); Show(v)", "", ""},
	{"make", "i", "v := make([]int, {E}, {C}+20); Show(v)", "", ""},
	{"make after", "i", "v := make([]int, {C1}, {E}); Show(v, cap(v))", "", ""},
	{"complex", "i", "v := complex(float64({E}), float64({C})); Show(v)", "", ""},
	{"delete", "c", "m := map[{T}]int{{E}: 1}; t{id}(m, {C}); delete(m, {E}); Show(m)", "func t{id}(map[{T}]int, int) {}", ""},
	{"delete from", "m", "delete({E}, t{id}({C})); Show({E})", `func t{id}(int) string { return "k" }`, ""},
	{"clear", "m", "v, w := {E}, {C}; clear(v); Show({E}, w)", "", ""},
	{"len beside", "l", "v, w := len({E}), {C}; Show(v, w)", "", ""},
	{"new", "", "v, w := new({E}), {C}; Show(v, w)", "", ""},
	{"panic", "", "panic(t{id}({L}))", "func t{id}(vs ...any) string { Show(vs...); return \"own\" }", ""},
}

// kinds are the letters of the types: c comparable, o ordered, p printable, + has that operator,
// i int, b bool, s string, l []int, a array, m map from string, h channel, f func(int) int, S has
// the method Get, F has a field F, P is a pointer with methods, * a pointer, D one to an int, A
// an interface, e one that is an error.
var kinds = map[string]string{
	"int": "cop+i", "byte": "cop+", "Int": "cop+S", "float64": "cop+", "complex128": "cp+", "bool": "cpb", "string": "cop+s", "Name": "cop+",
	"[]int": "l", "[]byte": "", "[]rune": "", "[]any": "", "[][]int": "",
	"[2]int": "ca", "[1]int": "ca", "[3]int": "ca", "*[2]int": "c*", "Big": "c", "Pair": "cSF", "One": "cSF",
	"Deep": "cSF", "struct{ F, G int }": "cF",
	"*int": "c*D", "*Pair": "c*SFP", "*[]int": "c*", "unsafe.Pointer": "c", "map[string]int": "m", "map[int]int": "",
	"any": "cA", "error": "cAe", "Getter": "cAS", "func(int) int": "f", "chan int": "ch", "T": "", "Box[T]": "",
	"func()": "", "func() string": "", "[]string": "", "*[4]int": "c*",
}

// fits reports whether the form may stand in the context.
func (c *context) fits(f *form) bool {
	kind, ok := kinds[f.typ]
	if !ok {
		panic("no kind for " + f.typ)
	}
	for _, k := range c.kinds {
		switch {
		case k == 'g' && (f.local || f.panics):
			return false
		case k == 'L' && !f.left:
			return false
		case k == 'x' && strings.HasPrefix(f.expr, "$m"):
			return false // its elements have no address
		case !strings.ContainsRune("gLx", k) && !strings.ContainsRune(kind, k):
			return false
		}
	}
	return !f.result || c.sig == "" || c.name == "return named"
}
