package main

import (
	"flag"
	"fmt"
	"io"
	"strings"
)

// purpose is what loam is, in a sentence.
const purpose = "Loam compiles Go programs and runs them on its own run-time system."

// manual writes the manual page, of what help says.
func manual(w io.Writer) {
	fmt.Fprintf(w, ".TH LOAM 1 \"\" \"loam %s\" \"Loam\"\n", roff(loamVersion()))
	section := func(title string) { fmt.Fprintf(w, ".SH %s\n", title) }
	section("NAME")
	fmt.Fprintln(w, "loam \\- compiles Go programs and runs them on its own run\\-time system")
	section("SYNOPSIS")
	fmt.Fprintln(w, ".B loam\n.I command\n.RI [ arguments ]")
	section("DESCRIPTION")
	roffText(w, purpose+` It takes packages, modules, workspaces and files from the
go command, and knows its verbs and flags. Go's SDK, clang and ld.lld have to be installed.`)
	section("COMMANDS")
	for _, v := range verbs {
		fmt.Fprintf(w, ".SS loam %s %s\n", v.name, roff(v.usage))
		roffText(w, v.long)
		if fs := verbFlags(v); fs != nil {
			fs.VisitAll(func(fl *flag.Flag) {
				value, usage := flag.UnquoteUsage(fl)
				fmt.Fprintf(w, ".TP\n.B \\-%s\n", strings.TrimSpace(roff(fl.Name)+" "+roff(value)))
				roffText(w, usage)
			})
		}
	}
	section("COMMANDS OF THE GO COMMAND")
	roffText(w, "These are run by the go command, with the packages and files that loam compiles.")
	for _, v := range goVerbs {
		fmt.Fprintf(w, ".TP\n.B loam %s\n", v.name)
		roffText(w, v.short)
	}
	section("ENVIRONMENT")
	for _, v := range ownNames {
		fmt.Fprintf(w, ".TP\n.B %s\n", v.name)
		roffText(w, v.means)
	}
	section("SEE ALSO")
	fmt.Fprintln(w, ".BR go (1),\n.BR clang (1),\n.BR ld.lld (1)")
}

// roffText writes paragraphs, with empty lines between them; lines that begin with a tab stay
// lines.
func roffText(w io.Writer, text string) {
	plain, first := false, true
	for line := range strings.Lines(text + "\n") {
		line = strings.TrimSuffix(line, "\n")
		if indented := strings.HasPrefix(line, "\t"); indented != plain && line != "" {
			plain = indented
			fmt.Fprintln(w, map[bool]string{true: ".nf", false: ".fi"}[plain])
		}
		switch {
		case line == "" && !first:
			fmt.Fprintln(w, ".sp")
		case line != "":
			fmt.Fprintln(w, roff(line))
		}
		first = false
	}
	if plain {
		fmt.Fprintln(w, ".fi")
	}
}

// roff is a line of text as it has to be written.
func roff(line string) string {
	line = strings.NewReplacer(`\`, `\e`, "-", `\-`, "…", "...").Replace(line)
	if strings.HasPrefix(line, ".") || strings.HasPrefix(line, "'") {
		line = `\&` + line
	}
	return line
}
