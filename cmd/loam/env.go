package main

import (
	"bytes"
	"cmp"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"slices"
	"strings"

	"loam"
	"loam/internal/child"
	"loam/internal/ending"
	"loam/internal/load"
	"loam/internal/tools"
)

var envVerb = &verb{
	name: "env", usage: "[-json] [-changed] [-u] [-w] [names, or with -w NAME=VALUE ...]",
	short: "print what loam works with",
	long: `Env prints the variables that loam and the go command work with, as shell assignments, or the
values of the names given. Loam's own are

` + ownText() + `
-w keeps settings for later: those of LOAM… variables in the file LOAMENV, others by go env -w.
-u forgets them.`,
	flags: func(fs *flag.FlagSet) { registerEnv(fs, new(envFlags)) },
	run:   runEnv,
}

// ownText is the list of them.
func ownText() string {
	var b strings.Builder
	for _, v := range ownNames {
		fmt.Fprintf(&b, "\t%-13s %s\n", v.name, v.means)
	}
	return b.String()
}

type envFlags struct{ json, changed, unset, write bool }

func registerEnv(fs *flag.FlagSet, f *envFlags) {
	registerDir(fs)
	fs.BoolVar(&f.json, "json", false, "print JSON")
	fs.BoolVar(&f.changed, "changed", false, "print only what differs from the default")
	fs.BoolVar(&f.unset, "u", false, "forget the settings of these names")
	fs.BoolVar(&f.write, "w", false, "keep these settings")
}

// variable is a line of loam env.
type variable struct {
	name, value string
	changed     bool
}

func runEnv(args []string) error {
	var f envFlags
	fs := newFlagSet("env")
	registerEnv(fs, &f)
	args, err := parse(fs, args)
	if err != nil {
		return err
	}
	for _, pair := range []struct {
		both bool
		text string
	}{{f.json && f.unset, "-json with -u"}, {f.json && f.write, "-json with -w"}, {f.unset && f.write, "-u with -w"}} {
		if pair.both {
			return errors.New("cannot use " + pair.text)
		}
	}
	if f.write || f.unset {
		return changeSettings(args, f.write)
	}
	for _, name := range args {
		if strings.Contains(name, "=") {
			return fmt.Errorf("invalid variable name %q (use -w to set variable)", name)
		}
	}
	s, err := findSDK()
	if err != nil {
		return err
	}
	vars, err := s.variables(args, f.changed)
	if err != nil {
		return err
	}
	if f.changed {
		vars = slices.DeleteFunc(vars, func(v variable) bool { return !v.changed })
	}
	switch {
	case f.json:
		return printJSON(vars)
	case len(args) > 0 && !f.changed:
		for _, v := range vars {
			fmt.Println(v.value)
		}
	default:
		for _, v := range vars {
			fmt.Printf("%s='%s'\n", v.name, strings.ReplaceAll(v.value, "'", `'\''`))
		}
	}
	return nil
}

// printJSON prints the variables as one object.
func printJSON(vars []variable) error {
	object := map[string]string{}
	for _, v := range vars {
		object[v.name] = v.value
	}
	out := json.NewEncoder(os.Stdout)
	out.SetIndent("", "\t")
	return out.Encode(object)
}

// variables returns the variables with these names, or, without names, all in their order. Those
// that are the go command's it is asked for, as one that builds what loam builds.
func (s *session) variables(names []string, changed bool) ([]variable, error) {
	own, err := s.ownVariables()
	if err != nil {
		return nil, err
	}
	var list []variable
	foreign := []string{"env", "-json"}
	if changed {
		foreign = append(foreign, "-changed")
	}
	foreign = append(foreign, "--")
	ask := len(names) == 0
	for _, name := range names {
		if i := slices.IndexFunc(own, func(v variable) bool { return v.name == name }); i < 0 {
			foreign, ask = append(foreign, name), true
		}
	}
	known := map[string]string{}
	if ask {
		cmd := exec.Command(s.load.Go, foreign...)
		cmd.Stderr = os.Stderr
		out, err := child.Output(cmd)
		if err != nil {
			return nil, fmt.Errorf("go env: %v", err)
		}
		if err := json.NewDecoder(bytes.NewReader(out)).Decode(&known); err != nil {
			return nil, fmt.Errorf("go env: %v", err)
		}
	}
	if len(names) == 0 {
		for name, value := range known {
			list = append(list, variable{name, value, true})
		}
		list = append(list, own...)
		slices.SortFunc(list, func(a, b variable) int { return strings.Compare(a.name, b.name) })
		return list, nil
	}
	for _, name := range names {
		if i := slices.IndexFunc(own, func(v variable) bool { return v.name == name }); i >= 0 {
			list = append(list, own[i])
		} else {
			value, there := known[name]
			list = append(list, variable{name, value, there})
		}
	}
	return list, nil
}

// ownVariables are loam's.
func (s *session) ownVariables() ([]variable, error) {
	shadow, err := load.MakeShadow(s.cache, s.load.SDK, loam.RuntimeSources())
	if err != nil {
		return nil, err
	}
	clang, lld := tools.Paths()
	file, err := load.SettingsFile()
	if err != nil {
		return nil, err
	}
	if file == "" {
		file = "off"
	}
	list := []variable{
		{"LOAMCACHE", s.cache, false}, {"LOAMCACHESIZE", cmp.Or(os.Getenv("LOAMCACHESIZE"), "10GB"), false},
		{"LOAMENV", file, os.Getenv("LOAMENV") != ""}, {"LOAMESCAPE", os.Getenv("LOAMESCAPE"), false},
		{"LOAMGOROOT", shadow.Dir, false}, {"LOAMMID", os.Getenv("LOAMMID"), false}, {"LOAMOPT", os.Getenv("LOAMOPT"), false},
		{"LOAMPACK", packSetting(), false}, {"LOAMROOT", os.Getenv("LOAMROOT"), false}, {"LOAMSDK", os.Getenv("LOAMSDK"), false},
		{"LOAMTAGS", strings.Join(load.Tags, ","), false}, {"LOAM_CLANG", clang, false}, {"LOAM_GO", s.load.Command, false},
		{"LOAM_LLD", lld, false},
	}
	for i, v := range list {
		list[i].changed = v.changed || slices.Contains(load.Settings, v.name) && os.Getenv(v.name) != ""
	}
	return list, nil
}

// changeSettings is -w and -u: it keeps, or forgets, settings.
func changeSettings(args []string, write bool) error {
	if len(args) == 0 && write {
		return errors.New("no KEY=VALUE arguments given")
	}
	if len(args) == 0 {
		return errors.New("'loam env -u' requires an argument")
	}
	own := map[string]*string{}
	foreign := []string{"env", "-u"}
	if write {
		foreign[1] = "-w"
	}
	for _, arg := range args {
		name, value, ok := strings.Cut(arg, "=")
		if write && !ok {
			return fmt.Errorf("arguments must be KEY=VALUE: invalid argument: %s", arg)
		}
		if !strings.HasPrefix(name, "LOAM") {
			foreign = append(foreign, arg)
			continue
		}
		if err := checkSetting(name, value); err != nil {
			return err
		}
		if _, again := own[name]; again && write {
			return fmt.Errorf("multiple values for key: %s", name)
		}
		if own[name] = nil; write {
			own[name] = &value
		}
		if write && inEnvironment[name] && os.Getenv(name) != value {
			fmt.Fprintf(os.Stderr, "warning: loam env -w %s=... does not override conflicting OS environment variable\n", name)
		}
	}
	if len(foreign) > 2 {
		s, err := findSDK()
		if err != nil {
			return err
		}
		cmd := exec.Command(s.load.Go, foreign...)
		cmd.Stdout, cmd.Stderr = os.Stdout, os.Stderr
		if err := child.Run(cmd); err != nil {
			return ending.Code(1)
		}
	}
	if len(own) == 0 {
		return nil
	}
	return load.WriteSettings(own)
}
