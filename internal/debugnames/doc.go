// Package debugnames gives source files their names in a linked program's debug information.
//
// Compiled code is kept, packed and carried between machines, so it cannot know where the SDK and
// the module cache are: it has symbols for these directories. The link knows. Linkers only add up
// debug information, so the names are replaced behind them: in the tables of directories and files
// of .debug_line, and in the directories of the compilation units (DW_AT_comp_dir). Readers of the
// program, its own run-time system included, see nothing of it.
//
// The new names have other lengths. A line table holds its names itself, so it gets a new place,
// and DW_AT_stmt_list, the only reference to it, a new value. The strings of .debug_str are shared,
// so new ones come to its end. Both sections grow, and what lies behind them in the file moves;
// that is nothing which is loaded or which anything but the section headers refers to.
package debugnames
