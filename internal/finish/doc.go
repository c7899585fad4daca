// Package finish makes a program of what the linker wrote.
//
// Linkers only add up debug information. What the link knows of it, and compiled code could not, is
// put right behind them: the table of functions and lines that the run-time system reads
// (internal/symtab), and the names of directories (internal/debugnames). The debug information
// itself is compressed. A program that is to be stripped loses it, or its symbols.
//
// The table is loaded, so it needs a segment, and a segment needs a place among the program
// headers, whose number cannot grow in a linked program. The linker makes one that a static program
// has no use for (PT_GNU_RELRO: nobody protects anything after relocation). The table's segment
// takes that, and lies behind all others. The variable loam.table, two words in the section
// loam_table_at, says where.
//
// What lies behind the loaded part of the file is written anew. Nothing but section headers refers
// to it.
package finish
