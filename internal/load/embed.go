package load

import (
	"crypto/sha256"
	"fmt"
	"go/ast"
	"go/token"
	"go/types"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"sort"
	"strconv"
	"strings"
	"unicode"
)

// An EmbeddedFile is a file, or directory when its name ends in a slash, of a //go:embed
// variable. Name is relative to the package directory.
type EmbeddedFile struct {
	Name string
	Data []byte
	Hash [16]byte
}

// Embeds returns the files of each //go:embed variable of p. The go command has matched the
// patterns for the package as a whole (EmbedFiles) and checked that they are valid; here they
// are matched again variable by variable.
func Embeds(p *Package, c *Checked) (map[string][]EmbeddedFile, error) {
	if len(p.EmbedFiles) == 0 {
		return nil, nil
	}
	var names []string
	for _, f := range p.EmbedFiles {
		rel, err := filepath.Rel(p.Dir, f)
		if err != nil {
			return nil, err
		}
		names = append(names, filepath.ToSlash(rel))
	}
	out := map[string][]EmbeddedFile{}
	for spec, dirs := range c.embeds {
		if len(spec.Names) != 1 {
			continue
		}
		name := spec.Names[0]
		matched, err := matchEmbeds(embedPatterns(dirs), names)
		if err != nil {
			return nil, fmt.Errorf("%s: %v", name.Name, err)
		}
		isFS := false
		if obj := c.Info.Defs[name]; obj != nil {
			_, isFS = obj.Type().Underlying().(*types.Struct)
		}
		if out[name.Name], err = embedded(p, matched, isFS); err != nil {
			return nil, err
		}
	}
	return out, nil
}

// embeds returns the go:embed directives of each variable.
func embeds(lists [][]directive) map[*ast.ValueSpec][]string {
	m := map[*ast.ValueSpec][]string{}
	for _, list := range lists {
		for _, d := range list {
			if spec, ok := d.target.node.(*ast.ValueSpec); ok && d.verb == "go:embed" && d.target.token == token.VAR {
				m[spec] = append(m[spec], d.text)
			}
		}
	}
	return m
}

// embedPatterns returns the patterns of go:embed directives.
func embedPatterns(dirs []string) []string {
	var patterns []string
	for _, text := range dirs {
		rest := strings.TrimPrefix(text, "go:embed")
		for rest = strings.TrimSpace(rest); rest != ""; rest = strings.TrimSpace(rest) {
			if rest[0] == '"' || rest[0] == '`' {
				quoted, err := strconv.QuotedPrefix(rest)
				if err != nil {
					break
				}
				s, _ := strconv.Unquote(quoted)
				patterns = append(patterns, s)
				rest = rest[len(quoted):]
				continue
			}
			end := strings.IndexFunc(rest, unicode.IsSpace)
			if end < 0 {
				end = len(rest)
			}
			patterns = append(patterns, rest[:end])
			rest = rest[end:]
		}
	}
	return patterns
}

// matchEmbeds returns those of the package's embedded files that belong to the patterns: a file
// that a pattern matches itself, or one below a directory that it matches. Below a directory, names
// that start with '.' or '_' count only with the prefix "all:". The package's own directory is not
// matched by any pattern, though "?" and ".*" look as if.
func matchEmbeds(patterns, names []string) ([]string, error) {
	set := map[string]bool{}
	for _, pattern := range patterns {
		glob, all := strings.CutPrefix(pattern, "all:")
		found := false
		for _, name := range names {
			if ok, err := path.Match(glob, name); err != nil {
				return nil, err
			} else if ok {
				set[name], found = true, true
				continue
			}
			for d := path.Dir(name); d != "." && d != "/"; d = path.Dir(d) {
				ok, _ := path.Match(glob, d)
				if ok && (all || !hiddenBelow(d, name)) {
					set[name], found = true, true
					break
				}
			}
		}
		if !found {
			return nil, fmt.Errorf("pattern %s: no matching files found", pattern)
		}
	}
	var list []string
	for name := range set {
		list = append(list, name)
	}
	sort.Strings(list)
	return list, nil
}

func hiddenBelow(dir, name string) bool {
	for _, elem := range strings.Split(strings.TrimPrefix(name, dir+"/"), "/") {
		if elem[0] == '.' || elem[0] == '_' {
			return true
		}
	}
	return false
}

// embedded reads the files. For embed.FS all parent directories are added and the list is
// sorted by directory, then by name, which is the order that embed.FS searches.
func embedded(p *Package, names []string, isFS bool) ([]EmbeddedFile, error) {
	have := map[string]bool{}
	var list []EmbeddedFile
	for _, name := range names {
		data, err := os.ReadFile(p.Source(filepath.Join(p.Dir, filepath.FromSlash(name))))
		if err != nil {
			return nil, err
		}
		f := EmbeddedFile{Name: name, Data: data}
		sum := sha256.Sum256(data)
		copy(f.Hash[:], sum[:])
		list = append(list, f)
		if !isFS {
			continue
		}
		for d := path.Dir(name); d != "." && fs.ValidPath(d) && !have[d]; d = path.Dir(d) {
			have[d] = true
			list = append(list, EmbeddedFile{Name: d + "/"})
		}
	}
	if isFS {
		split := func(name string) (string, string) {
			name = strings.TrimSuffix(name, "/")
			d, base := path.Split(name)
			if d == "" {
				return ".", base
			}
			return strings.TrimSuffix(d, "/"), base
		}
		sort.Slice(list, func(i, j int) bool {
			di, bi := split(list[i].Name)
			dj, bj := split(list[j].Name)
			if di != dj {
				return di < dj
			}
			return bi < bj
		})
	}
	return list, nil
}
