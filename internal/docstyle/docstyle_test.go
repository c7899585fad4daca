// Package docstyle checks the repository's documents: lines of prose are short, links and anchors
// lead somewhere, each make target that is named exists, and nothing tells how or when the work
// was done instead of what holds. It has tests only.
package docstyle

import (
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
	"unicode"
	"unicode/utf8"
)

const root = "../.."

// longest is the most characters that a line of prose may have.
const longest = 100

// ofTheWork are words that tell of the work, not of the product.
var ofTheWork = []*regexp.Regexp{
	regexp.MustCompile(`(?i)\bsessions?\b`),
	regexp.MustCompile(`(?i)\bclosing notes?\b`),
	regexp.MustCompile(`(?i)\bissues? #?[0-9]+\b`),
	regexp.MustCompile(`(?i)\bhelpers?\b`),
	regexp.MustCompile(`(?i)\b(today|yesterday|that day|that morning|(one|an|another|an earlier) (evening|day))\b`),
	regexp.MustCompile(`(?i)\b(commit|since|at|before|of|with) [0-9a-f]{7,40}\b`),
	regexp.MustCompile(`(?i)\buntil (now|this (was|table|page))\b`),
	regexp.MustCompile(`(?i)\bthis file's history\b`),
	regexp.MustCompile(`(?i)\b(first|second|third|fourth|fifth|sixth|[a-z]+(th|ieth)) session\b`),
	regexp.MustCompile(`(?i)\b(beside|under) stress\b|\bload of [0-9]+|\(load [0-9]+`),
	regexp.MustCompile(`(?i)\b(busy|loaded|quiet) machine\b|\bfrom hour to hour\b`),
	regexp.MustCompile(`\b20[0-9][0-9]-[0-9][0-9]-[0-9][0-9]\b`),
}

// hash is what may be a commit: hexadecimal digits, of both kinds.
var hash = regexp.MustCompile(`\b[0-9a-f]{7,40}\b`)

// allowed are the words above that are meant otherwise, by file. Each has to be there.
var allowed = map[string][]string{
	"docs/rationale.md":     {"load of 16"},          // an instruction's
	"docs/bench/asm.md":     {"ed25519"},             // the curve
	"docs/bench/modules.md": {"sessions", "helpers"}, // of the web and of credentials, in names
	// What to do on such a machine, and why.
	"CONTRIBUTING.md": {"busy machine", "loaded machine"},
}

var (
	inlineCode = regexp.MustCompile("`[^`]*`")
	link       = regexp.MustCompile(`\]\(([^()\s]+)\)`)
	mention    = regexp.MustCompile(`\b(?:docs/[a-z-]+|overlay/INTRINSICS|[A-Z]+)\.md\b`)
	target     = regexp.MustCompile(`(?:^|[\s;&(])make ((?:-[a-zA-Z] )*)([a-z][a-z0-9-]*)`)
	listItem   = regexp.MustCompile(`^( *)([-*+]|[0-9]+[.)]) +`)
)

// A kind is what a line of a document is part of.
type kind int

const (
	prose kind = iota
	table
	code
	definition // of a link, or a picture
	heading
)

// classify says of each line what it is part of. Fenced and indented blocks are code; text that is
// indented as far as a list's item goes on with the item.
func classify(lines []string) []kind {
	kinds := make([]kind, len(lines))
	fenced, paragraph, item := false, false, -1
	for i, line := range lines {
		text := strings.TrimLeft(line, " ")
		indent := len(line) - len(text)
		switch marker := listItem.FindString(line); {
		case strings.HasPrefix(line, "```"):
			kinds[i], fenced, paragraph = code, !fenced, false
		case fenced:
			kinds[i] = code
		case text == "":
			paragraph = false
		case strings.HasPrefix(line, "#"):
			kinds[i], paragraph, item = heading, false, -1
		case strings.HasPrefix(text, "|"):
			kinds[i], paragraph = table, false
		case strings.HasPrefix(text, "![") || strings.HasPrefix(text, "[") && strings.Contains(text, "]: "):
			kinds[i], paragraph = definition, false
		case marker != "" && (indent < 4 || item >= 0 && indent < item+4):
			item, paragraph = len(marker), true
		case indent >= 4 && !paragraph && (item < 0 || indent < item || indent >= item+4):
			kinds[i] = code
		default:
			if indent < 2 && !paragraph {
				item = -1
			}
			paragraph = true
		}
	}
	return kinds
}

func TestClassify(t *testing.T) {
	lines := []string{"# A", "Text", "    goes on", "", "    code", "", "* item", "  goes on", "", "  and on", "      code",
		"", "| a |", "```", "text", "```", "[a]: b", "", "Text again", "", "    code"}
	want := []kind{heading, prose, prose, prose, code, prose, prose, prose, prose, prose, prose,
		prose, table, code, code, code, definition, prose, prose, prose, code}
	if got := classify(lines); !slices.Equal(got, want) {
		t.Errorf("got %v\nwant %v", got, want)
	}
}

// A document is a Markdown file of the repository, by its path from the root.
type document struct {
	path  string
	lines []string
	kinds []kind
}

func documents(t *testing.T) []document {
	t.Helper()
	var all []document
	err := filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if d.IsDir() && path != root && (strings.HasPrefix(d.Name(), ".") ||
			slices.Contains([]string{"node_modules", "out", "bin", "stage", "testdata"}, d.Name())) {
			return fs.SkipDir
		}
		if d.IsDir() || !strings.HasSuffix(path, ".md") {
			return nil
		}
		text, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		lines := strings.Split(string(text), "\n")
		rel, err := filepath.Rel(root, path)
		all = append(all, document{filepath.ToSlash(rel), lines, classify(lines)})
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	if len(all) < 10 {
		t.Fatalf("only %d documents", len(all))
	}
	return all
}

func TestLines(t *testing.T) {
	for _, d := range documents(t) {
		for i, line := range d.lines {
			if n := utf8.RuneCountInString(line); n > longest && (d.kinds[i] == prose || d.kinds[i] == heading) {
				t.Errorf("%s:%d: %d characters", d.path, i+1, n)
			}
		}
	}
}

// TestWords joins the lines of paragraphs, so that an expression may go over the end of a line.
func TestWords(t *testing.T) {
	used := map[string]bool{}
	for _, d := range documents(t) {
		for first := 0; first < len(d.lines); {
			last := first + 1
			for d.kinds[first] == prose && last < len(d.lines) && d.kinds[last] == prose && d.lines[last] != "" {
				last++
			}
			if d.kinds[first] != code {
				var words []string
				for _, line := range d.lines[first:last] {
					words = append(words, strings.Fields(line)...)
				}
				for _, word := range complaints(strings.Join(words, " ")) {
					key := strings.ToLower(word)
					if slices.Contains(allowed[d.path], key) {
						used[d.path+" "+key] = true
						continue
					}
					t.Errorf("%s:%d: %q tells of the work, not of what holds", d.path, first+1, word)
				}
			}
			first = last
		}
	}
	for path, words := range allowed {
		for _, word := range words {
			if !used[path+" "+word] {
				t.Errorf("%s does not need the exception %q", path, word)
			}
		}
	}
}

// complaints are the words in the text that tell of the work.
func complaints(text string) []string {
	var found []string
	for _, re := range ofTheWork {
		found = append(found, re.FindAllString(text, -1)...)
	}
	for _, h := range hash.FindAllString(inlineCode.ReplaceAllString(text, ""), -1) {
		if strings.ContainsAny(h, "0123456789") && strings.ContainsAny(h, "abcdef") {
			found = append(found, h)
		}
	}
	return found
}

func TestComplaints(t *testing.T) {
	for text, want := range map[string]int{
		"What held in the second session":                                    2,
		"a table of 37ba5a2":                                                 2,
		"see issue 24 and the closing note":                                  2,
		"Measured on 2026-11-21":                                             1,
		"`b4d9174` is a register, issue27518b not":                           0,
		"A million goroutines take 1234567 bytes, of which decades are dead": 0,
		"the address 0x7f7c44600000":                                         0,
	} {
		if got := complaints(text); len(got) != want {
			t.Errorf("%q: %q, want %d", text, got, want)
		}
	}
}

// TestLinks follows relative links, with their anchors, and documents that are named in the text.
func TestLinks(t *testing.T) {
	all := documents(t)
	anchors := map[string][]string{}
	for _, d := range all {
		anchors[d.path] = headings(d)
	}
	for _, d := range all {
		for i, line := range d.lines {
			if d.kinds[i] == code {
				continue
			}
			for _, m := range link.FindAllStringSubmatch(line, -1) {
				path, anchor, _ := strings.Cut(m[1], "#")
				if strings.Contains(path, "://") {
					continue
				}
				file := d.path
				if path != "" {
					file = filepath.ToSlash(filepath.Join(filepath.Dir(d.path), path))
				}
				if _, err := os.Stat(filepath.Join(root, file)); err != nil {
					t.Errorf("%s:%d: %s leads nowhere", d.path, i+1, m[1])
				} else if anchor != "" && !slices.Contains(anchors[file], anchor) {
					t.Errorf("%s:%d: %s has no heading #%s", d.path, i+1, file, anchor)
				}
			}
			for _, path := range mention.FindAllString(line, -1) {
				if !exists(path) && !exists(filepath.Join(filepath.Dir(d.path), path)) && path != "PITFALLS.md" {
					t.Errorf("%s:%d: there is no %s", d.path, i+1, path)
				}
			}
		}
	}
}

func exists(path string) bool {
	_, err := os.Stat(filepath.Join(root, path))
	return err == nil
}

// headings are a document's anchors, as GitHub makes them.
func headings(d document) []string {
	var all []string
	for i, line := range d.lines {
		if d.kinds[i] != heading {
			continue
		}
		slug := strings.Map(func(r rune) rune {
			switch {
			case r == ' ':
				return '-'
			case r == '-' || r == '_' || unicode.IsLetter(r) || unicode.IsDigit(r):
				return unicode.ToLower(r)
			}
			return -1
		}, strings.TrimSpace(strings.TrimLeft(line, "#")))
		name := slug
		for n := 1; slices.Contains(all, name); n++ {
			name = slug + "-" + strconv.Itoa(n)
		}
		all = append(all, name)
	}
	return all
}

// TestTargets looks for each target that a document has make make.
func TestTargets(t *testing.T) {
	text, err := os.ReadFile(filepath.Join(root, "Makefile"))
	if err != nil {
		t.Fatal(err)
	}
	targets := map[string]bool{}
	for _, m := range regexp.MustCompile(`(?m)^([a-z][a-z0-9-]*):`).FindAllStringSubmatch(string(text), -1) {
		targets[m[1]] = true
	}
	if !targets["test"] {
		t.Fatal("no target test is found in the Makefile")
	}
	named := 0
	for _, d := range documents(t) {
		for i, line := range d.lines {
			spans := inlineCode.FindAllString(line, -1)
			if d.kinds[i] == code {
				spans = []string{line}
			}
			for _, span := range spans {
				for _, m := range target.FindAllStringSubmatch(strings.Trim(span, "`"), -1) {
					if named++; !targets[m[2]] {
						t.Errorf("%s:%d: the Makefile has no target %s", d.path, i+1, m[2])
					}
				}
			}
		}
	}
	if named < 20 {
		t.Errorf("only %d targets are named", named)
	}
}

// question is how a decision's text begins.
var question = regexp.MustCompile(`^\*[^*]+\?\*`)

// TestDecisions: docs/rationale.md has a heading a decision, whose text begins with the question
// and is short enough to be read at once.
func TestDecisions(t *testing.T) {
	const most = 14 // lines with text
	for _, d := range documents(t) {
		if d.path != "docs/rationale.md" {
			continue
		}
		heads, lines := 0, 0
		last, first := "", ""
		for i, line := range append(slices.Clone(d.lines), "## ") {
			switch {
			case strings.HasPrefix(line, "#"):
				if lines > most {
					t.Errorf("%s: %q has %d lines, more than %d", d.path, last, lines, most)
				}
				if last != "" && !question.MatchString(first) {
					t.Errorf("%s: %q does not begin with a question", d.path, last)
				}
				last, first, lines = "", "", 0
				if title, ok := strings.CutPrefix(line, "### "); ok {
					heads++
					last = title
				}
			case last != "" && line != "" && d.kinds[i] != table:
				if lines++; lines <= 3 {
					first += line + " "
				}
			}
		}
		if heads < 50 {
			t.Errorf("%s has only %d decisions", d.path, heads)
		}
	}
}
