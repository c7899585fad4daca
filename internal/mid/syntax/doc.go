// Package syntax makes functions of the middle representation (mid) from Go's syntax and types.
//
// A Universe has the syntax of the packages of a build. A Program is what the compilation of one of
// them makes of it: a function when it is first looked at, its body when that is asked for. The
// instances of generic functions are made from the syntax of these, with type arguments in place of
// parameters (subst.go); generic functions themselves have no code. Wrappers, and what method
// values and method expressions stand for, are small functions without syntax (wrapper.go).
//
// A body is made by a ladder of structs. Each embeds the one below it, uses what that has, and
// knows nothing of what is above:
//
//	code      instructions, blocks and variables; no syntax (code.go, blocks.go, convert.go)
//	operands  what expressions are to the language and to gc (operands.go, memory.go, turns.go)
//	values    the code of expressions (expr.go, call.go, composite.go, order.go, copies.go)
//	builder   statements, and whole bodies (stmt.go, assign.go, switch.go, range.go, body.go)
//
// What makes bodies hands them to a Program as an interface, and so do literals get theirs. A
// function is looked at as a whole first, to learn which variables have to be in memory (scan.go).
// The others become values while the code is made (blocks.go). Statements are made one by one, and
// the expressions of one in gc's order of evaluation (order.go, expr.go). The bodies of loops over
// functions are functions (rangefunc.go), as are function literals: they are built with the
// function around them, because that shows what they capture and how they leave loops.
//
// Every instruction that comes from the source has the position that gc gives it: of the operator,
// bracket or parenthesis, and of a selector that of its dot.
package syntax
