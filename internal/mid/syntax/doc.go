// Package syntax makes functions of the middle representation (mid) from Go's syntax and types.
//
// A Universe has the syntax of the packages of a build. A Program is what the compilation of one of
// them makes of it: a function when it is first looked at, its body when that is asked for. The
// instances of generic functions are made from the syntax of these, with type arguments in place of
// parameters (subst.go); generic functions themselves have no code. Wrappers, and what method
// values and method expressions stand for, are small functions without syntax (wrapper.go).
//
// A builder makes the body of one function. It looks at the whole function first, to learn which
// variables have to be in memory (scan.go). The others become values while the code is made
// (blocks.go). Statements are made one by one (stmt.go, switch.go, range.go), and the expressions
// of one in gc's order of evaluation (order.go, expr.go). The bodies of loops over functions are
// functions (rangefunc.go), as are function literals: they are built with the function around them,
// because that shows what they capture and how they leave loops.
//
// Every instruction that comes from the source has the position that gc gives it: of the operator,
// bracket or parenthesis, and of a selector that of its dot.
package syntax
