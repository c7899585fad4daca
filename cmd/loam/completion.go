package main

import (
	"flag"
	"fmt"
	"io"
	"os"
	"slices"
	"strings"
)

var completionVerb = &verb{
	name: "completion", usage: "bash | zsh | fish",
	short: "print a shell's completions of loam",
	long: `Completion prints what makes a shell complete loam's commands, flags, packages and files:

	source <(loam completion bash)                            in ~/.bashrc
	loam completion zsh >_loam                                in a directory of fpath
	loam completion fish >~/.config/fish/completions/loam.fish`,
}

func init() { completionVerb.run = runCompletion }

// completions write the completions, by shell.
var completions = map[string]func(io.Writer){"bash": completeBash, "zsh": completeZsh, "fish": completeFish}

func runCompletion(args []string) error {
	if len(args) != 1 || completions[args[0]] == nil {
		return flagError("completion", fmt.Errorf("loam completion: want bash, zsh or fish"))
	}
	completions[args[0]](os.Stdout)
	return nil
}

// words are the words that a verb's arguments can be, nil for packages and files.
func words(verb string) (list []string) {
	switch verb {
	case "help":
		list = append(verbNames(), "-man")
	case "env":
		for _, v := range ownNames {
			list = append(list, v.name)
		}
	case "completion":
		list = []string{"bash", "fish", "zsh"}
	}
	return list
}

// verbNames are the names of all verbs, help included.
func verbNames() []string {
	list := []string{"help"}
	for _, v := range slices.Concat(verbs, goVerbs) {
		list = append(list, v.name)
	}
	slices.Sort(list)
	return list
}

// shortOf says what a verb is for.
func shortOf(name string) string {
	for _, v := range slices.Concat(verbs, goVerbs) {
		if v.name == name {
			return v.short
		}
	}
	return "explain a command or a topic"
}

// takesFiles reports whether a verb's arguments are any files.
func takesFiles(verb string) bool { return slices.Contains([]string{"unpack", "trace", "fmt"}, verb) }

// completed is a flag as completions have it.
type completed struct {
	name, usage string
	value       string // what the next word is, "" if nothing of the flag's
}

// flagsOfVerb are the flags of a verb that are known.
func flagsOfVerb(name string) (list []completed) {
	v := ownVerb(name)
	if v == nil {
		return nil
	}
	fs := verbFlags(v)
	if fs == nil {
		return nil
	}
	fs.VisitAll(func(fl *flag.Flag) {
		if refused[fl.Name] != "" {
			return
		}
		value, usage := flag.UnquoteUsage(fl)
		if b, ok := fl.Value.(interface{ IsBoolFlag() bool }); ok && b.IsBoolFlag() {
			value = ""
		} else if value == "" {
			value = "value"
		}
		list = append(list, completed{fl.Name, usage, value})
	})
	return list
}

func completeBash(w io.Writer) {
	fmt.Fprint(w, `# Completions of loam for bash: written by loam completion bash.
_loam() {
	local cur=${COMP_WORDS[COMP_CWORD]} prev=${COMP_WORDS[COMP_CWORD-1]} verb= flags= values= words= files= i
	for ((i = 1; i < COMP_CWORD; i++)); do
		case ${COMP_WORDS[i]} in
		-C) ((i++)) ;;
		-*) ;;
		*) verb=${COMP_WORDS[i]}; break ;;
		esac
	done
	COMPREPLY=()
	compopt -o filenames 2>/dev/null
	case $verb in
`)
	fmt.Fprintf(w, "\t'') words='%s'; values=' -C ' ;;\n", strings.Join(verbNames(), " "))
	for _, name := range verbNames() {
		var flags, values []string
		for _, f := range flagsOfVerb(name) {
			flags = append(flags, "-"+f.name)
			if f.value != "" {
				values = append(values, "-"+f.name)
			}
		}
		fmt.Fprintf(w, "\t%s)\n", name)
		for _, set := range []struct {
			name string
			list []string
		}{{"flags", flags}, {"values", values}, {"words", words(name)}} {
			if text := strings.Join(set.list, " "); text != "" {
				fmt.Fprintf(w, "\t\t%s=' %s '\n", set.name, text)
			}
		}
		if takesFiles(name) {
			fmt.Fprint(w, "\t\tfiles=1\n")
		}
		fmt.Fprint(w, "\t\t;;\n")
	}
	fmt.Fprint(w, `	esac
	local IFS=$' \t\n'
	case $values in
	*" $prev "*) files=1 words= ;;
	*)
		if [[ $cur == -* && -n $flags ]]; then
			COMPREPLY=($(compgen -W "$flags" -- "$cur"))
			return
		fi
		;;
	esac
	if [[ -n $words ]]; then
		COMPREPLY=($(compgen -W "$words" -- "$cur"))
		return
	fi
	IFS=$'\n'
	if [[ -n $files ]]; then
		COMPREPLY=($(compgen -f -- "$cur"))
	else
		COMPREPLY=($(compgen -d -- "$cur") $(compgen -f -X '!*.go' -- "$cur"))
	fi
}
complete -F _loam loam
`)
}

func completeZsh(w io.Writer) {
	quote := strings.NewReplacer("'", `'\''`, "[", `\[`, "]", `\]`, ":", `\:`)
	fmt.Fprint(w, "#compdef loam\n# Completions of loam for zsh: written by loam completion zsh.\n_loam() {\n"+
		"\tif ((CURRENT == 2)); then\n\t\tlocal -a verbs=(\n")
	for _, name := range verbNames() {
		fmt.Fprintf(w, "\t\t\t'%s:%s'\n", name, quote.Replace(shortOf(name)))
	}
	fmt.Fprint(w, "\t\t)\n\t\t_describe command verbs\n\t\treturn\n\tfi\n\tlocal verb=$words[2]\n\tshift words\n\t((CURRENT--))\n\tcase $verb in\n")
	for _, name := range verbNames() {
		fmt.Fprintf(w, "\t%s)\n\t\t_arguments \\\n", name)
		for _, f := range flagsOfVerb(name) {
			action := ""
			if f.value != "" {
				action = ":" + quote.Replace(f.value) + ":_files"
			}
			fmt.Fprintf(w, "\t\t\t'-%s[%s]%s' \\\n", f.name, quote.Replace(f.usage), action)
		}
		arguments := `'*:package:_files -g "*.go(-.) *(-/)"'`
		if list := words(name); list != nil {
			arguments = "'*:word:(" + strings.Join(list, " ") + ")'"
		} else if takesFiles(name) {
			arguments = "'*:file:_files'"
		}
		fmt.Fprintf(w, "\t\t\t%s\n\t\t;;\n", arguments)
	}
	fmt.Fprint(w, "\tesac\n}\nif [[ $funcstack[1] = _loam ]]; then\n\t_loam \"$@\"\nelse\n\tcompdef _loam loam\nfi\n")
}

func completeFish(w io.Writer) {
	quote := strings.NewReplacer(`\`, `\\`, "'", `\'`)
	fmt.Fprint(w, "# Completions of loam for fish: written by loam completion fish.\n")
	for _, name := range verbNames() {
		fmt.Fprintf(w, "complete -c loam -n __fish_use_subcommand -f -a %s -d '%s'\n", name, quote.Replace(shortOf(name)))
	}
	for _, name := range verbNames() {
		of := "complete -c loam -n '__fish_seen_subcommand_from " + name + "'"
		for _, f := range flagsOfVerb(name) {
			value := ""
			if f.value != "" {
				value = " -r"
			}
			fmt.Fprintf(w, "%s -o %s%s -d '%s'\n", of, f.name, value, quote.Replace(f.usage))
		}
		if list := words(name); list != nil {
			fmt.Fprintf(w, "%s -f -a '%s'\n", of, strings.Join(list, " "))
		}
	}
}
