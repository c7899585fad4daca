package main

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"loam"
	"loam/internal/ending"
	"loam/internal/load"
)

// goVerbs are verbs of the go command that compile nothing for Loam. It runs them, where that
// matters with what takes part in Loam's builds: build tags, no cgo, for list the GOROOT that
// programs are compiled from.
var goVerbs = []*verb{
	{name: "doc", short: "show documentation for package or symbol"},
	{name: "fix", short: "apply fixes suggested by static checkers"},
	{name: "fmt", short: "gofmt (reformat) package sources"},
	{name: "generate", short: "generate Go files by processing source"},
	{name: "get", short: "add dependencies to current module"},
	{name: "list", short: "list packages or modules"},
	{name: "mod", short: "module maintenance"},
	{name: "telemetry", short: "manage telemetry data and settings"},
	{name: "tool", short: "run specified go tool"},
	{name: "vet", short: "report likely mistakes in packages"},
	{name: "work", short: "workspace maintenance"},
}

func init() {
	for _, v := range goVerbs {
		v.run = func(args []string) error { return runGo(v.name, args...) }
	}
}

// runGo runs the go command's verb.
func runGo(name string, args ...string) error {
	ending.BySignals()
	if err := refuseSanitizers(name, args); err != nil {
		return err
	}
	s, err := findSDK()
	if err != nil {
		return err
	}
	if s.load.Cgo = cgoMode(); s.load.Cgo == load.CgoAsNeeded {
		s.load.Cgo = load.CgoOn
	}
	var env []string
	switch name {
	case "list":
		// What is asked of gc's compiler needs the SDK's own library: it does not compile Loam's.
		if !slices.ContainsFunc(args, func(a string) bool { word, _ := splitFlag(a); return word == "export" || word == "compiled" }) {
			if s.load.Shadow, err = load.MakeShadow(s.cache, s.load.SDK, loam.RuntimeSources()); err != nil {
				return err
			}
			env = s.load.Env()[len(os.Environ()):]
		}
		args = withTags(args)
	case "doc":
		if slices.ContainsFunc(args, namesOwnPackage) {
			if s.load.Shadow, err = load.MakeShadow(s.cache, s.load.SDK, loam.RuntimeSources()); err != nil {
				return err
			}
			env = s.load.Env()[len(os.Environ()):]
		}
	case "vet", "fix", "clean":
		args = withTags(args)
	case "generate":
		// Generators that say loam mean this one.
		if self, err := os.Executable(); err == nil {
			env = append(env, "PATH="+filepath.Dir(self)+string(filepath.ListSeparator)+os.Getenv("PATH"))
		}
		args = withTags(args)
	}
	cmd := exec.Command(s.load.Go, append([]string{name}, args...)...)
	cmd.Env = append(os.Environ(), env...)
	return ending.As(cmd, ending.PassOn)
}

// refuseSanitizers is an error for flags that the go command takes and loam does not know.
func refuseSanitizers(name string, args []string) error {
	if !slices.Contains([]string{"list", "vet", "fix", "generate"}, name) {
		return nil
	}
	words, _ := splitQuoted(goSetting("GOFLAGS"))
	for i, list := range [][]string{words, args} {
		for _, word := range list {
			if word == "--" {
				break
			}
			flag, kind := splitFlag(word)
			if kind == notFlag || flag != "msan" && flag != "asan" {
				continue
			}
			if _, value, _ := strings.Cut(word, "="); kind == hasValue && (value == "false" || value == "0") {
				continue
			}
			source := name
			if i == 0 {
				source = flagsSource()
			}
			return usageError(fmt.Sprintf("loam: %s: %v", source, &refusal{"-" + flag, refused[flag]}))
		}
	}
	return nil
}

// namesOwnPackage reports whether an argument of doc is the package that only Loam's library has,
// or something in it.
func namesOwnPackage(arg string) bool {
	rest, ok := strings.CutPrefix(arg, "testing/sim")
	return ok && (rest == "" || rest[0] == '.')
}

// takeRace returns args without -race, and whether that was asked for there or in GOFLAGS. To the
// go command it would mean gc's detector, which needs cgo. To what takes part it is a build tag.
func takeRace(args []string) (rest []string, on bool) {
	words, _ := splitQuoted(goSetting("GOFLAGS"))
	said := func(word string) bool {
		name, kind := splitFlag(word)
		if name != "race" || kind == notFlag {
			return false
		}
		_, value, _ := strings.Cut(word, "=")
		value2, err := strconv.ParseBool(value)
		on = err != nil || value2
		return true
	}
	inFlags := slices.ContainsFunc(words, said)
	for i, word := range args {
		if word == "--" || word == "-args" {
			rest = append(rest, args[i:]...)
			break
		}
		if !said(word) {
			rest = append(rest, word)
		}
	}
	if inFlags {
		rest = append([]string{"-race=false"}, rest...)
	}
	return rest, on
}

// withTags puts Loam's build tags before those of the user, which are in args or in GOFLAGS.
func withTags(args []string) []string {
	var user []string
	args, race := takeRace(args)
	words, _ := splitQuoted(goSetting("GOFLAGS")) // the go command says what is wrong with it
	for _, list := range [][]string{words, args} {
		for i, word := range list {
			name, kind := splitFlag(word)
			if name != "tags" || kind == notFlag {
				continue
			}
			_, value, _ := strings.Cut(word, "=")
			if kind == noValue && i+1 < len(list) {
				value = list[i+1]
			}
			user = strings.FieldsFunc(value, func(r rune) bool { return r == ',' || r == ' ' })
		}
	}
	if race {
		user = append(user, "race")
	}
	rest := slices.Clone(args)
	for i := 0; i < len(rest); i++ {
		if rest[i] == "--" || rest[i] == "-args" {
			break
		}
		if name, kind := splitFlag(rest[i]); name == "tags" && kind != notFlag {
			n := 1
			if kind == noValue {
				if i+1 == len(rest) {
					break // the go command says what is missing
				}
				n = 2
			}
			rest = slices.Delete(rest, i, i+n)
			i--
		}
	}
	return append([]string{"-tags=" + strings.Join(append(slices.Clone(load.Tags), user...), ",")}, rest...)
}
