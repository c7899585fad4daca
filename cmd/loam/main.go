// Loam compiles and runs Go programs on its own run-time system. It understands the
// packages, modules and flags that the go command does; `loam help` lists the verbs.
//
// Each verb is a value of type verb, in a file of its own: help, the manual page, completions and
// the guide are made of the same values, so none can say what another does not. A verb that
// compiles opens a session: the SDK, the shadow GOROOT, the cache and what flags and variables say
// of them. What a session does not know better (modules, list, vet and the like) is the go
// command's, run with the files that loam compiles.
package main

import (
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"os/exec"
	"runtime/debug"
	"slices"
	"strings"

	"loam/internal/build"
	"loam/internal/child"
	"loam/internal/load"
	"loam/internal/scratch"
)

// exitCode is an error that says only how the process has to end.
type exitCode int

func (e exitCode) Error() string { return fmt.Sprintf("exit code %d", int(e)) }

// usageError is a mistake on the command line.
type usageError string

func (e usageError) Error() string { return string(e) }

// plainError is an error that the go command prints without its name in front.
type plainError string

func (e plainError) Error() string { return string(e) }

func main() {
	// A compiler runs briefly and allocates steadily: collect less often.
	debug.SetGCPercent(400)
	inEnvironment = load.ApplySettings()
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
	var plain plainError
	var list *load.ListError
	var diagnostic *build.Diagnostic
	switch {
	case err == nil:
		return 0
	case errors.As(err, &code):
		return int(code)
	case errors.Is(err, build.ErrReported):
		return 1
	case errors.As(err, &plain):
		fmt.Fprintln(os.Stderr, plain)
		return 1
	case errors.As(err, &list):
		fmt.Fprintln(os.Stderr, list.Message)
		return 1
	case errors.As(err, &diagnostic):
		fmt.Fprintln(os.Stderr, diagnostic.Text)
		return 1
	case errors.As(err, &usage):
		fmt.Fprintln(os.Stderr, err)
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
	verbs = []*verb{buildVerb, runVerb, testVerb, simVerb, installVerb, traceVerb, packVerb, unpackVerb, envVerb, cleanVerb, bugVerb, completionVerb, versionVerb}
}

func run(args []string) error {
	args, err := changeDir(args)
	if err != nil {
		return err
	}
	if len(args) == 0 {
		overview(os.Stderr)
		return exitCode(2)
	}
	name, rest := args[0], args[1:]
	switch name {
	case "help":
		return help(rest)
	case "-h", "-help", "--help":
		return help(nil)
	case "-version", "--version", "-v":
		name = "version"
	}
	for _, v := range verbs {
		if v.name == name {
			return v.run(rest)
		}
	}
	for _, v := range goVerbs {
		if v.name == name {
			return v.run(rest)
		}
	}
	hint := "Run 'loam help' for usage."
	if near := nearestVerb(name); near != "" {
		hint = fmt.Sprintf("Did you mean 'loam %s'? %s", near, hint)
	}
	return usageError(fmt.Sprintf("loam %s: unknown command\n%s", name, hint))
}

// nearestVerb is the verb that name may be a slip for, "" if none is near: two slips at most, and
// fewer than half of the letters.
func nearestVerb(name string) (near string) {
	best := min(2, (len(name)-1)/2) + 1
	for _, v := range slices.Concat(verbs, goVerbs) {
		if d := slips(name, v.name); d < best {
			near, best = v.name, d
		}
	}
	return near
}

// slips is how many letters are missing, too many, wrong or swapped with the next one.
func slips(a, b string) int {
	rows := make([][]int, len(a)+1)
	for i := range rows {
		rows[i] = make([]int, len(b)+1)
		for j := range rows[i] {
			if i == 0 || j == 0 {
				rows[i][j] = i + j
				continue
			}
			wrong := 1
			if a[i-1] == b[j-1] {
				wrong = 0
			}
			d := min(rows[i-1][j]+1, rows[i][j-1]+1, rows[i-1][j-1]+wrong)
			if i > 1 && j > 1 && a[i-1] == b[j-2] && a[i-2] == b[j-1] {
				d = min(d, rows[i-2][j-2]+1)
			}
			rows[i][j] = d
		}
	}
	return rows[len(a)][len(b)]
}

// changeDir obeys -C, which is the first word or the first behind the verb, and removes it.
func changeDir(args []string) ([]string, error) {
	for at := range min(2, len(args)) {
		name, kind := splitFlag(args[at])
		if name != "C" || kind == notFlag {
			continue
		}
		rest := args[at+1:]
		_, dir, _ := strings.Cut(args[at], "=")
		if kind == noValue {
			if len(rest) == 0 {
				return args, nil // the flag's own error
			}
			dir, rest = rest[0], rest[1:]
		}
		if err := os.Chdir(dir); err != nil {
			return nil, err
		}
		os.Unsetenv("PWD")
		return append(args[:at:at], rest...), nil
	}
	return args, nil
}

// registerDir declares -C for the help text: where it is obeyed, changeDir has taken it away.
func registerDir(fs *flag.FlagSet) {
	fs.Func("C", "change to `dir` first (the first flag)", func(string) error {
		return errors.New("-C flag must be first flag on command line")
	})
}

// overview lists the verbs.
func overview(w io.Writer) {
	fmt.Fprint(w, purpose+"\n\nUsage:\n\n\tloam <command> [arguments]\n\nThe commands are:\n")
	for _, v := range verbs {
		fmt.Fprintf(w, "\n\t%-11s %s", v.name, v.short)
	}
	fmt.Fprint(w, "\n\nThese are the go command's, with the packages and files that loam compiles:\n")
	for _, v := range goVerbs {
		fmt.Fprintf(w, "\n\t%-11s %s", v.name, v.short)
	}
	fmt.Fprint(w, "\n\nUse \"loam help <command>\" for more information about a command; go help has topics, such as packages and\nmodules, that loam help shows, too.\nloam help -man is the manual page.\n")
}

// help prints the overview, or what one verb does.
func help(args []string) error {
	if len(args) == 0 {
		overview(os.Stdout)
		return nil
	}
	if args[0] == "-man" {
		manual(os.Stdout)
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
	for _, v := range goVerbs {
		if v.name == args[0] {
			return runGo("help", args...)
		}
	}
	if s, err := findSDK(); err == nil {
		// What the go command explains holds for loam: packages, modules, environment.
		if text, err := child.Output(exec.Command(s.load.Go, append([]string{"help"}, args...)...)); err == nil {
			os.Stdout.Write(text)
			return nil
		}
	}
	return usageError(fmt.Sprintf("loam help %s: unknown help topic. Run 'loam help'.", strings.Join(args, " ")))
}
