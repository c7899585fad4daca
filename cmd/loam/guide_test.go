package main_test

import (
	"flag"
	"fmt"
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"
)

var update = flag.Bool("update", false, "write the tables of docs/guide.md")

const guide = "../../docs/guide.md"

var (
	guideTable = regexp.MustCompile(`(?s)(<!-- flags: (\w+) -->\n)(.*?)(<!-- end -->)`)
	helpVerb   = regexp.MustCompile(`(?m)^\t(\w+) {2,}(\S.*)$`)
	helpFlag   = regexp.MustCompile(`(?m)^  -(\S+)( \S+)?(?:\n    )?\t(.*)$`)
)

// A helpRow is what loam help says of a flag.
type helpRow struct{ name, argument, text string }

func (r helpRow) String() string {
	return fmt.Sprintf("| `-%s%s` | %s |\n", r.name, r.argument, strings.ReplaceAll(r.text, "|", `\|`))
}

func helpRows(t *testing.T, verb string) (rows []helpRow) {
	r := run(t, t.TempDir(), nil, "help", verb)
	_, flags, _ := strings.Cut(r.stdout, "\nFlags:\n")
	if r.code != 0 {
		t.Fatalf("help %s: exit code %d, %s%s", verb, r.code, r.stdout, r.stderr)
	}
	for _, m := range helpFlag.FindAllStringSubmatch(flags, -1) {
		rows = append(rows, helpRow{m[1], m[2], m[3]})
	}
	if got := strings.Count("\n"+flags, "\n  -"); got != len(rows) {
		t.Fatalf("help %s: %d flags, of which %d are understood", verb, got, len(rows))
	}
	return rows
}

// flagTable is what the guide has of a verb: all flags of build, and of the others what they have
// more and less.
func flagTable(verb string, rows, build []helpRow) string {
	var b strings.Builder
	own := rows
	if verb != "build" && slices.ContainsFunc(rows, func(r helpRow) bool { return r.name == "tags" }) {
		var without []string
		for _, r := range build {
			if !slices.ContainsFunc(rows, func(o helpRow) bool { return o.name == r.name }) {
				without = append(without, "`-"+r.name+"`")
			}
		}
		own = slices.DeleteFunc(slices.Clone(rows), func(r helpRow) bool { return slices.Contains(build, r) })
		b.WriteString("The flags of `loam build`")
		if len(without) > 0 {
			b.WriteString(" but " + strings.Join(without, ", "))
		}
		if len(own) == 0 {
			return wrapped(b.String() + ".")
		}
		text := wrapped(b.String() + ", and these:")
		b.Reset()
		b.WriteString(text + "\n")
	}
	b.WriteString("| flag | |\n| --- | --- |\n")
	for _, r := range own {
		b.WriteString(r.String())
	}
	return b.String()
}

// wrapped breaks a paragraph into lines of at most 100 characters.
func wrapped(text string) string {
	var b strings.Builder
	length := 0
	for _, word := range strings.Fields(text) {
		switch {
		case length == 0:
		case length+1+len(word) > 100:
			b.WriteString("\n")
			length = 0
		default:
			b.WriteString(" ")
			length++
		}
		b.WriteString(word)
		length += len(word)
	}
	return b.String() + "\n"
}

// TestGuide: docs/guide.md has each verb that loam help lists, and the flags of loam's own with the
// words of loam help. With -update it writes the tables.
func TestGuide(t *testing.T) {
	data, err := os.ReadFile(guide)
	if err != nil {
		t.Fatal(err)
	}
	text := string(data)
	help := run(t, t.TempDir(), nil, "help").stdout
	own, _, ok := strings.Cut(help, "\nThese are the go command's")
	if !ok {
		t.Fatal(help)
	}
	_, commands, _ := strings.Cut(text, "\n## Commands\n")
	commands, _, _ = strings.Cut(commands, "\n## ")
	verbs := helpVerb.FindAllStringSubmatch(help, -1)
	if len(verbs) < 15 {
		t.Fatalf("only %d verbs in %s", len(verbs), help)
	}
	for _, v := range verbs {
		if !strings.Contains(commands, "`loam "+v[1]+"`") && !strings.Contains(commands, "`"+v[1]+"`") {
			t.Errorf("the guide's commands do not have %s", v[1])
		}
	}
	build := helpRows(t, "build")
	tables := map[string]bool{}
	updated := guideTable.ReplaceAllStringFunc(text, func(old string) string {
		m := guideTable.FindStringSubmatch(old)
		tables[m[2]] = true
		want := "\n" + flagTable(m[2], helpRows(t, m[2]), build) + "\n"
		if want != m[3] && !*update {
			t.Errorf("the flags of %s in the guide are not those of loam help %s: -update writes them", m[2], m[2])
		}
		return m[1] + want + m[4]
	})
	for _, v := range helpVerb.FindAllStringSubmatch(own, -1) {
		if !tables[v[1]] && (!strings.Contains(text, "\n### loam "+v[1]+"\n") || len(helpRows(t, v[1])) > 0) {
			t.Errorf("the guide has no flags of %s", v[1])
		}
	}
	if *update {
		if err := os.WriteFile(guide, []byte(updated), 0o666); err != nil {
			t.Fatal(err)
		}
	}
}
