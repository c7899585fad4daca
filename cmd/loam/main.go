// Loam compiles and runs Go programs on its own run-time system. It understands the
// packages, modules and flags that the go command does; `loam help` lists the verbs.
package main

import (
	"errors"
	"fmt"
	"os"
	"runtime/debug"
	"strings"

	"loam/internal/build"
	"loam/internal/load"
	"loam/internal/scratch"
)

// exitCode is an error that says only how the process has to end.
type exitCode int

func (e exitCode) Error() string { return fmt.Sprintf("exit code %d", int(e)) }

// usageError is a mistake on the command line.
type usageError string

func (e usageError) Error() string { return string(e) }

func main() {
	// A compiler runs briefly and allocates steadily: collect less often.
	debug.SetGCPercent(400)
	err := run(os.Args[1:])
	awaitEnd()
	code := status(err)
	scratch.Remove()
	os.Exit(code)
}

// status reports err as the user should see it and returns the exit code for it.
func status(err error) int {
	var code exitCode
	var usage usageError
	var list *load.ListError
	var diagnostic *build.Diagnostic
	switch {
	case err == nil:
		return 0
	case errors.As(err, &code):
		return int(code)
	case errors.Is(err, build.ErrReported):
		return 1
	case errors.As(err, &list):
		fmt.Fprintln(os.Stderr, list.Message)
		return 1
	case errors.As(err, &diagnostic):
		fmt.Fprintln(os.Stderr, diagnostic.Text)
		return 1
	case errors.As(err, &usage):
		fmt.Fprintf(os.Stderr, "loam: %v\n", err)
		return 2
	default:
		fmt.Fprintf(os.Stderr, "loam: %v\n", err)
		return 1
	}
}

// A verb is one of loam's subcommands.
type verb struct {
	name  string
	usage string // arguments
	short string
	long  string
	run   func(args []string) error
}

var verbs []*verb

func init() {
	verbs = []*verb{buildVerb, runVerb, testVerb, installVerb, traceVerb, envVerb, cleanVerb, versionVerb}
}

func run(args []string) error {
	if len(args) == 0 {
		help(nil)
		return exitCode(2)
	}
	name, rest := args[0], args[1:]
	switch name {
	case "help", "-h", "-help", "--help":
		return help(rest)
	case "-version", "--version":
		name = "version"
	}
	for _, v := range verbs {
		if v.name == name {
			return v.run(rest)
		}
	}
	if goVerbs[name] {
		return usageError(fmt.Sprintf("%s is the go command's: run 'go %s'", name, strings.Join(args, " ")))
	}
	return usageError(fmt.Sprintf("unknown command %s; run 'loam help'", name))
}

// help prints the overview, or what one verb does.
func help(args []string) error {
	if len(args) == 0 {
		fmt.Println("Loam compiles Go programs and runs them on its own run-time system.\n\nUsage:")
		for _, v := range verbs {
			fmt.Printf("\n\tloam %-8s %s", v.name, v.short)
		}
		fmt.Print("\n\n'loam help VERB' says more about one of them.\n")
		return nil
	}
	for _, v := range verbs {
		if v.name == args[0] {
			fmt.Printf("usage: loam %s %s\n\n%s\n", v.name, v.usage, v.long)
			if fs := verbFlags(v.name); fs != nil {
				fmt.Println("\nFlags:")
				fs.SetOutput(os.Stdout)
				fs.PrintDefaults()
			}
			return nil
		}
	}
	return usageError(fmt.Sprintf("no help for %s; run 'loam help'", args[0]))
}
