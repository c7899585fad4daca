package main_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// TestCompletion has bash complete command lines, the last word of each.
func TestCompletion(t *testing.T) {
	dir := module(t, program)
	script := filepath.Join(t.TempDir(), "loam.bash")
	if err := os.WriteFile(script, []byte(run(t, dir, nil, "completion", "bash").stdout), 0o666); err != nil {
		t.Fatal(err)
	}
	if _, err := exec.LookPath("bash"); err != nil {
		t.Skip(err)
	}
	complete := func(words ...string) []string {
		t.Helper()
		const drive = `source "$1" && shift && complete -p loam >/dev/null || exit 1
COMP_WORDS=("$@") COMP_CWORD=$(($# - 1)); _loam; printf '%s\n' "${COMPREPLY[@]}"`
		cmd := exec.Command("bash", append([]string{"--norc", "-c", drive, "bash", script}, words...)...)
		cmd.Dir = dir
		out, err := cmd.CombinedOutput()
		if err != nil {
			t.Fatalf("%q: %v\n%s", words, err, out)
		}
		return strings.Fields(string(out))
	}
	for _, test := range []struct {
		line, want string // the words that come, all of them
	}{
		{"loam bu", "bug build"},
		{"loam un", "unpack"},
		{"loam -C lib cl", "clean"},
		{"loam build -tr", "-trimpath"},
		{"loam pack -v -o", "-o -overlay"},
		{"loam test -sim.se", "-sim.seed"},
		{"loam build -race", "-race"},
		{"loam build -msan", ""},
		{"loam build m", "main.go"},
		{"loam build -v l", "lib"},
		{"loam build -o go", "go.mod"},
		{"loam -C l", "lib"},
		{"loam build go", ""},
		{"loam unpack go", "go.mod"},
		{"loam help comp", "completion"},
		{"loam help -m", "-man"},
		{"loam env LOAM_C", "LOAM_CLANG"},
		{"loam completion f", "fish"},
		{"loam vet l", "lib"},
	} {
		got := complete(strings.Split(test.line, " ")...)
		slices.Sort(got)
		if strings.Join(got, " ") != test.want {
			t.Errorf("%s: %q, want %q", test.line, got, test.want)
		}
	}
	// Every verb that help names, and each flag that it names and does not refuse.
	verbs := complete("loam", "")
	for _, m := range verbOfHelp.FindAllStringSubmatch(run(t, dir, nil, "help").stdout, -1) {
		if !slices.Contains(verbs, m[1]) {
			t.Errorf("%s is missing in %q", m[1], verbs)
		}
	}
	flags := complete("loam", "test", "-")
	for entry := range strings.SplitSeq(run(t, dir, nil, "help", "test").stdout, "\n  -") {
		name, usage, _ := strings.Cut(strings.TrimPrefix(entry, "  -"), "\t")
		name, _, _ = strings.Cut(strings.TrimSpace(name), " ")
		if !strings.HasPrefix(entry, "usage:") && slices.Contains(flags, "-"+name) == strings.Contains(usage, "refused: ") {
			t.Errorf("-%s: %q", name, usage)
		}
	}
	want(t, run(t, dir, nil, "completion", "csh"), 2, "",
		"loam completion: want bash, zsh or fish\nusage: loam completion bash | zsh | fish\nRun 'loam help completion' for details.\n")
	// The other shells at least read theirs, where they are installed.
	for shell, flag := range map[string]string{"zsh": "-n", "fish": "--no-execute"} {
		if exe, err := exec.LookPath(shell); err == nil {
			cmd := exec.Command(exe, flag, "/dev/stdin")
			cmd.Stdin = strings.NewReader(run(t, dir, nil, "completion", shell).stdout)
			if out, err := cmd.CombinedOutput(); err != nil {
				t.Errorf("%s: %v\n%s", shell, err, out)
			}
		}
	}
}

// TestManual: the manual page has what help says of each verb, and man finds no fault with it.
func TestManual(t *testing.T) {
	page := run(t, t.TempDir(), nil, "help", "-man").stdout
	plain := strings.NewReplacer(`\-`, "-", `\e`, `\`, `\&`, "").Replace(page)
	for _, m := range verbOfHelp.FindAllStringSubmatch(run(t, t.TempDir(), nil, "help").stdout, -1) {
		if !strings.Contains(plain, "loam "+m[1]) {
			t.Errorf("the page does not name %s", m[1])
		}
	}
	for _, verb := range []string{"build", "test", "pack", "env"} {
		text, flags, _ := strings.Cut(run(t, t.TempDir(), nil, "help", verb).stdout, "\nFlags:\n")
		_, text, _ = strings.Cut(text, "\n\n")
		for line := range strings.Lines(text) {
			if !strings.Contains(plain, strings.ReplaceAll(line, "…", "...")) {
				t.Errorf("%s: the page lacks %q", verb, line)
			}
		}
		for _, m := range flagOfLoam.FindAllStringSubmatch(flags, -1) {
			if !strings.Contains(plain, ".B -"+m[1]) {
				t.Errorf("%s: the page lacks -%s", verb, m[1])
			}
		}
	}
	groff, err := exec.LookPath("groff")
	if err != nil {
		t.Skip(err)
	}
	cmd := exec.Command(groff, "-man", "-ww", "-z")
	cmd.Stdin = strings.NewReader(page)
	if out, err := cmd.CombinedOutput(); err != nil || len(out) > 0 {
		t.Errorf("groff: %v\n%s", err, out)
	}
}
