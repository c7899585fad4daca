package load

import (
	"errors"
	"fmt"
	"go/version"
	"io/fs"
	"path"
	"regexp"
	"slices"
	"sort"
	"strings"
)

// overlayRules is the parsed overlay/overlay.txt: what happens to each std package.
type overlayRules struct {
	packages  map[string]*packageRule // by import path
	elsewhere map[string]bool         // packages that other releases have replace or merge rules for
}

// packageRule says how one std package is put together.
type packageRule struct {
	replace bool     // only our files
	merge   bool     // our files are added, and win where names collide
	asm     bool     // upstream's .s files are assembled; without the rule they are not there
	drop    []string // patterns of upstream's files that are not built
	patches []patch  // edits of upstream's files
}

// patch replaces one exact piece of text of an upstream file. Naming the text that is
// expected, instead of a line number, makes an unsupported Go version an error here and not
// a miscompiled program.
type patch struct {
	file     string
	old, new string
	line     int // of the rule, for errors
}

// ruleRelease is what a rule may begin with: the release that it is for, or with a plus sign the
// first one.
var ruleRelease = regexp.MustCompile(`^(go1\.[0-9]+)(\+?)$`)

// readOverlayRules parses overlay.txt of the run-time sources and returns the rules for an SDK of
// the given release; a missing file means no rules.
func readOverlayRules(src fs.FS, release string) (*overlayRules, error) {
	rules := &overlayRules{packages: map[string]*packageRule{}, elsewhere: map[string]bool{}}
	data, err := fs.ReadFile(src, "overlay/overlay.txt")
	if errors.Is(err, fs.ErrNotExist) {
		return rules, nil
	}
	if err != nil {
		return nil, err
	}
	lines := strings.Split(string(data), "\n")
	for i := 0; i < len(lines); i++ {
		fields := strings.Fields(lines[i])
		if len(fields) == 0 || strings.HasPrefix(fields[0], "#") {
			continue
		}
		bad := func(why string) error { return fmt.Errorf("overlay/overlay.txt:%d: %s", i+1, why) }
		applies := true
		if m := ruleRelease.FindStringSubmatch(fields[0]); m != nil {
			order := version.Compare(release, m[1])
			applies = order == 0 || m[2] == "+" && order > 0
			fields = fields[1:]
			if len(fields) == 0 {
				return nil, bad("a release without a rule")
			}
		}
		want := map[string]int{"replace": 2, "merge": 2, "asm": 2, "drop": 3, "patch": 3}[fields[0]]
		if want == 0 {
			return nil, bad("unknown rule " + fields[0])
		}
		if len(fields) < want || (fields[0] != "drop" && len(fields) != want) {
			return nil, bad("wrong number of words")
		}
		rule := rules.packages[fields[1]]
		switch {
		case !applies:
			rule = &packageRule{} // read, and forgotten
			rules.elsewhere[fields[1]] = rules.elsewhere[fields[1]] || fields[0] == "replace" || fields[0] == "merge"
		case rule == nil:
			rule = &packageRule{}
			rules.packages[fields[1]] = rule
		}
		switch fields[0] {
		case "replace":
			rule.replace = true
		case "merge":
			rule.merge = true
		case "asm":
			rule.asm = true
		case "drop":
			for _, glob := range fields[2:] {
				if _, err := path.Match(glob, "x"); err != nil {
					return nil, bad(err.Error())
				}
				rule.drop = append(rule.drop, glob)
			}
		case "patch":
			p := patch{file: fields[2], line: i + 1}
			// The two texts stand between the marker lines <<<, === and >>>.
			part := func(open, close string) (string, error) {
				if i >= len(lines) || lines[i] != open {
					return "", bad("expected a line " + open)
				}
				start := i + 1
				for i++; i < len(lines) && lines[i] != close; i++ {
				}
				if i >= len(lines) {
					return "", bad("missing line " + close)
				}
				return strings.Join(lines[start:i], "\n"), nil
			}
			i++
			if p.old, err = part("<<<", "==="); err != nil {
				return nil, err
			}
			if p.new, err = part("===", ">>>"); err != nil {
				return nil, err
			}
			if p.old == "" {
				return nil, bad("empty text to match")
			}
			if strings.Count(p.old, "\n") != strings.Count(p.new, "\n") {
				return nil, bad("the patch moves the lines behind it, which tracebacks name")
			}
			rule.patches = append(rule.patches, p)
		}
	}
	return rules, nil
}

// dropped reports whether upstream's file called name is left out.
func (r *packageRule) dropped(name string) bool {
	for _, glob := range r.drop {
		if ok, _ := path.Match(glob, name); ok {
			return true
		}
	}
	return false
}

// apply edits the text of an upstream file by the rules for it. changed is false when there
// are none.
func (r *packageRule) apply(pkg, file string, text []byte, goVersion string) (out []byte, changed bool, err error) {
	s := string(text)
	for _, p := range r.patches {
		if p.file != file {
			continue
		}
		if n := strings.Count(s, p.old); n != 1 {
			return nil, false, fmt.Errorf("Go version not supported (%s): %s/%s has %d places that overlay/overlay.txt:%d matches, want 1",
				goVersion, pkg, file, n, p.line)
		}
		s = strings.Replace(s, p.old, p.new, 1)
		changed = true
	}
	return []byte(s), changed, nil
}

// ourFiles maps the file names of dir in src to their texts as they are installed. Tests stay
// behind: they are for the official toolchain.
func ourFiles(src fs.FS, dir string) (map[string][]byte, error) {
	entries, err := fs.ReadDir(src, dir)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	files := map[string][]byte{}
	for _, e := range entries {
		name := e.Name()
		if e.IsDir() || strings.HasSuffix(name, "_test.go") || strings.HasPrefix(name, ".") {
			continue
		}
		if !slices.Contains([]string{".go", ".gas", ".h", ".c"}, path.Ext(name)) {
			continue
		}
		data, err := fs.ReadFile(src, path.Join(dir, name))
		if err != nil {
			return nil, err
		}
		files[name] = installedText(data)
	}
	return files, nil
}

// installedText rewrites the import prefix that rt/ uses in the repository to the one it has
// in the shadow GOROOT.
func installedText(data []byte) []byte {
	lines := strings.SplitAfter(string(data), "\n")
	for i, line := range lines {
		if !strings.Contains(line, "loam/rt/") {
			continue
		}
		if strings.HasPrefix(line, "//go:linkname ") {
			lines[i] = strings.ReplaceAll(line, "loam/rt/", "internal/rt/")
		} else {
			lines[i] = strings.ReplaceAll(line, `"loam/rt/`, `"internal/rt/`)
		}
	}
	return []byte(strings.Join(lines, ""))
}

// runtimePackages lists the directories of rt/ (as paths below rt/) that hold Go files.
func runtimePackages(src fs.FS) ([]string, error) {
	return packagesBelow(src, "rt")
}

func packagesBelow(src fs.FS, root string) ([]string, error) {
	seen := map[string]bool{}
	err := fs.WalkDir(src, root, func(p string, d fs.DirEntry, err error) error {
		if err != nil {
			if errors.Is(err, fs.ErrNotExist) {
				return nil
			}
			return err
		}
		if d.IsDir() && d.Name() == "testdata" {
			return fs.SkipDir
		}
		if !d.IsDir() && strings.HasSuffix(p, ".go") && !strings.HasSuffix(p, "_test.go") && path.Dir(p) != root {
			seen[strings.TrimPrefix(path.Dir(p), root+"/")] = true
		}
		return nil
	})
	var list []string
	for p := range seen {
		list = append(list, p)
	}
	sort.Strings(list)
	return list, err
}
