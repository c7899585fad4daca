// Package debugnames puts right what a linked program's debug information cannot say by itself.
//
// Compiled code is kept, packed and carried between machines, so it cannot know where the SDK and
// the module cache are: it has symbols for these directories. The link knows. Linkers only add up
// debug information, so the names are replaced behind them (Rewrite): in the tables of directories
// and files of .debug_line, and in the directories of the compilation units (DW_AT_comp_dir).
//
// LLVM cannot write what debuggers know Go's types by, and linkers leave in the debug information
// what they left out of the program. Entries and Frames mend that.
//
// A line table holds its names itself, so it gets a new place, and DW_AT_stmt_list, the only
// reference to it, a new value. The strings of .debug_str are shared, so new ones come to its end.
// Entries refer to each other within their unit, so a unit's can be written anew by themselves.
package debugnames
