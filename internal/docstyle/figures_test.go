package docstyle

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

var (
	// measured is how a text gives a measured figure, which is not a setting or a limit.
	measured = regexp.MustCompile(`[0-9] ns\b|\bgc [0-9][0-9.,]*\b|[0-9] cycles\b`)
	release  = regexp.MustCompile(`\bgc 1\.2[0-9]\b`)
	// remade is what says how a reader gets a figure: a command, or the page that a bench makes.
	remade = regexp.MustCompile("`[^`]*(make [a-z]|go run |go test |loam (build|run|test|trace) )" +
		`|(?m)^    .*(make [a-z]|go run |go test |loam (build|run|test|trace) )|\]\((\.\./)?bench/[a-z]+\.md`)
)

// unmade are the sections with a measured figure, or a table that compares gc with Loam, that do
// not say how it is made again: their headings.
func unmade(d document) (headings []string) {
	title, from := "", 0
	if strings.HasPrefix(d.path, "docs/bench/") { // the bench has written it, with its command
		if !strings.Contains(strings.Join(d.lines, "\n"), "\n* command: `") {
			return []string{d.path}
		}
		return nil
	}
	end := func(to int) {
		lines := d.lines[from:to]
		text := strings.Join(lines, "\n")
		found := measured.MatchString(release.ReplaceAllString(text, ""))
		for i, line := range lines {
			if d.kinds[from+i] == table && strings.Contains(line, "gc") && strings.Contains(line, "Loam") &&
				i+1 < len(lines) && strings.Contains(lines[i+1], "---") {
				found = true
			}
		}
		if found && !remade.MatchString(text) {
			headings = append(headings, title)
		}
	}
	for i, line := range d.lines {
		if d.kinds[i] == heading {
			end(i)
			title, from = strings.TrimLeft(line, "# "), i
		}
	}
	end(len(d.lines))
	return headings
}

// TestFigures: a figure that was measured stands beside the command that makes it again.
func TestFigures(t *testing.T) {
	for _, d := range documents(t) {
		for _, heading := range unmade(d) {
			t.Errorf("%s: %q has a figure, but not the command that makes it", d.path, heading)
		}
	}
}

func TestUnmade(t *testing.T) {
	for text, want := range map[string]int{
		"## A\n\nIt takes 30 ns.\n":                                       1,
		"## A\n\nIt takes 30 ns (`make bench`).\n":                        0,
		"## A\n\nIt takes 3 s (gc 4).\n\n## B\n\n`go run ./bench`\n":      1,
		"## A\n\n| | gc | Loam |\n| --- | --- | --- |\n| a | 1 | 2 |\n":   1,
		"## A\n\nGo 1.26 and gc 1.27. A slice lasts 10 ms.\n":             0,
		"## A\n\n    make bench\n\nA round trip takes 90 ns, gc's 300.\n": 0,
	} {
		lines := strings.Split(text, "\n")
		if got := unmade(document{"a.md", lines, classify(lines)}); len(got) != want {
			t.Errorf("%q: %q, want %d", text, got, want)
		}
	}
}

var (
	programFlag = regexp.MustCompile(`-program ([a-z]+)`)
	eachFlag    = regexp.MustCompile(`make bench ARGS="-each ([a-z0-9,]+)`)
	runPath     = regexp.MustCompile(`\bgo (?:run|test|build|vet)(?: -[a-zA-Z]+)*((?: \./[a-z0-9/]+(?:\.\.\.)?)+)`)
)

// TestCommands: the programs, topics and directories of the commands that documents name are there.
func TestCommands(t *testing.T) {
	plans, err := os.ReadFile(filepath.Join(root, "bench/plans.go"))
	if err != nil {
		t.Fatal(err)
	}
	topics := regexp.MustCompile(`"goroutines": \{\s+rounds: +[0-9]+,\s+each: +"([^"]+)"`).FindSubmatch(plans)
	if topics == nil {
		t.Fatal("bench/plans.go has no topics of goroutines")
	}
	named := 0
	for _, d := range documents(t) {
		text := strings.Join(strings.Fields(strings.Join(d.lines, " ")), " ")
		for _, m := range programFlag.FindAllStringSubmatch(text, -1) {
			if named++; !regexp.MustCompile(`"` + m[1] + `":\s+\{`).Match(plans) {
				t.Errorf("%s: bench/plans.go has no program %s", d.path, m[1])
			}
		}
		for _, m := range eachFlag.FindAllStringSubmatch(text, -1) {
			for topic := range strings.SplitSeq(m[1], ",") {
				if named++; !strings.Contains(" "+string(topics[1])+" ", " "+topic+" ") {
					t.Errorf("%s: bench/goroutines has no topic %s", d.path, topic)
				}
			}
		}
		for _, m := range runPath.FindAllStringSubmatch(text, -1) {
			for path := range strings.FieldsSeq(m[1]) {
				path = strings.TrimSuffix(strings.TrimSuffix(path, "..."), "/")
				if named++; !exists(path) {
					t.Errorf("%s: there is no %s to run", d.path, path)
				}
			}
		}
	}
	if named < 20 {
		t.Errorf("only %d programs, topics and directories are named", named)
	}
}
