package main

import (
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"slices"
	"strings"

	"loam/internal/child"
	"loam/internal/ending"
)

// run does what the command line says.
func run(args []string) error {
	args, err := changeDir(args)
	if err != nil {
		return err
	}
	if len(args) == 0 {
		overview(os.Stderr)
		return ending.Code(2)
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
	if v := ownVerb(name); v != nil {
		err := v.run(rest)
		var wanted helpWanted
		if errors.As(err, &wanted) {
			return help([]string{string(wanted)})
		}
		return err
	}
	for _, v := range goVerbs {
		if v.name == name {
			return v.run(rest)
		}
	}
	hint := "Run 'loam help' for usage."
	if flag, kind := splitFlag(name); kind != notFlag {
		return usageError(fmt.Sprintf("flag provided but not defined: -%s\n%s", flag, hint))
	}
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
	if v := ownVerb(args[0]); v != nil && len(args) == 1 {
		fmt.Printf("usage: loam %s %s\n\n%s\n", v.name, v.usage, v.long)
		if fs := verbFlags(v); fs != nil {
			fmt.Println("\nFlags:")
			fs.SetOutput(os.Stdout)
			fs.PrintDefaults()
		}
		return nil
	}
	for _, v := range goVerbs {
		if v.name == args[0] {
			return runGo("help", args...)
		}
	}
	if s, err := findSDK(); err == nil && ownVerb(args[0]) == nil {
		// What the go command explains holds for loam: packages, modules, environment.
		if text, err := child.Output(exec.Command(s.load.Go, append([]string{"help"}, args...)...)); err == nil {
			os.Stdout.Write(text)
			return nil
		}
	}
	hint := "loam help"
	if ownVerb(args[0]) != nil {
		hint += " " + args[0]
	}
	return usageError(fmt.Sprintf("loam help %s: unknown help topic. Run '%s'.", strings.Join(args, " "), hint))
}
