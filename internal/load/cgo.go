package load

import (
	"bytes"
	"errors"
	"fmt"
	"go/build"
	"go/token"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
)

// CgoMode says whether packages with C are built.
type CgoMode int

const (
	CgoOff      CgoMode = iota // CGO_ENABLED=0, or there is no C compiler
	CgoAsNeeded                // as the go command has it by default
	CgoOn                      // CGO_ENABLED=1: std has its parts with C, too
)

func (c *Config) cgoEnabled() string {
	if c.Cgo == CgoOn {
		return "1"
	}
	return "0"
}

// wantsCgo reports whether a package outside of std has files that are for C, of those that were
// listed without it, or that could not be listed because of that.
func (c *Config) wantsCgo(list []*Package, err error) bool {
	if err != nil {
		var le *ListError
		return errors.As(err, &le) && lacksC.MatchString(le.Message)
	}
	return slices.ContainsFunc(list, func(p *Package) bool {
		if p.Error != nil {
			if m := excludesAll.FindStringSubmatch(p.Error.Err); m != nil && len(c.cgoFiles(m[1])) > 0 {
				return true
			}
		}
		return !p.Standard && slices.ContainsFunc(p.IgnoredGoFiles, func(name string) bool {
			text, err := os.ReadFile(filepath.Join(p.Dir, name))
			return err == nil && bytes.Contains(text, []byte(`import "C"`))
		}) && len(c.cgoFiles(p.Dir)) > 0
	})
}

// CgoFiles says of each file in dir that only cgo could compile, and that the build would have with
// cgo, where it says so. The go command leaves such files out without a word, and what is missing
// then has no visible cause.
func (c *Config) CgoFiles(dir string) []string {
	if c.Cgo != CgoOff {
		return nil // none is left out
	}
	wd := c.Dir
	if wd == "" {
		wd, _ = os.Getwd()
	}
	var notes []string
	for _, pos := range c.cgoFiles(dir) {
		notes = append(notes, fmt.Sprintf(`%s:%d:%d: import "C": this file is left out, because cgo is off (CGO_ENABLED)`,
			ShortPath(wd, pos.Filename), pos.Line, pos.Column))
	}
	return notes
}

// cgoFiles are the places in dir of import "C" in files that a build with cgo has.
func (c *Config) cgoFiles(dir string) []token.Position {
	ctx := build.Default
	ctx.GOOS, ctx.GOARCH, ctx.CgoEnabled = "linux", "amd64", true
	ctx.BuildTags = append(slices.Clone(Tags), c.Tags...)
	pkg, _ := ctx.ImportDir(dir, 0) // with an error it has what could be read
	if pkg == nil {
		return nil
	}
	return slices.DeleteFunc(slices.Clone(pkg.ImportPos["C"]),
		func(pos token.Position) bool { return strings.HasSuffix(pos.Filename, "_test.go") })
}

// lacksC matches errors about packages that may be for C.
var lacksC = regexp.MustCompile(`build constraints exclude all Go files|no Go source files|no non-test Go files|source files not allowed when not using cgo`)

var excludesAll = regexp.MustCompile(`build constraints exclude all Go files in ([^\n]+)`)

// explainCgo adds to a message of the go command why packages have no files, if that is because
// they are for cgo.
func (c *Config) explainCgo(message string) string {
	for _, m := range excludesAll.FindAllStringSubmatch(message, -1) {
		if notes := c.CgoFiles(m[1]); len(notes) > 0 {
			message = strings.Replace(message, m[0], m[0]+"\n\t"+strings.Join(notes, "\n\t"), 1)
		}
	}
	return message
}
