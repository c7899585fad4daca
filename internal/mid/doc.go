// Package mid is the compiler's middle representation: functions in SSA form, with Go's types and
// Go's operations.
//
// A Program has the functions and variables that the compilation of one package gets to see. They
// belong to it alone, so that passes may change them as they like while other packages are
// compiled. A function's body is made when it is first asked for, by the program's Source: package
// syntax, which makes it from Go's syntax and types.
//
// A function is a list of blocks, of which the first is where it begins; a block is a list of
// instructions, of which the last says where control goes on. An instruction that has a result
// is the value that the others name as their operand. Values know who uses them.
package mid
