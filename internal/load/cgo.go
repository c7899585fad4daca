package load

import (
	"fmt"
	"go/build"
	"os"
	"regexp"
	"slices"
	"strings"
)

// CgoFiles says of each file in dir that only cgo could compile, and that the build would have with
// cgo, where it says so. The go command leaves such files out without a word, and what is missing
// then has no visible cause.
func (c *Config) CgoFiles(dir string) []string {
	ctx := build.Default
	ctx.GOOS, ctx.GOARCH, ctx.CgoEnabled = "linux", "amd64", true
	ctx.BuildTags = append(slices.Clone(Tags), c.Tags...)
	pkg, _ := ctx.ImportDir(dir, 0) // with an error it has what could be read
	if pkg == nil {
		return nil
	}
	wd := c.Dir
	if wd == "" {
		wd, _ = os.Getwd()
	}
	var notes []string
	for _, pos := range pkg.ImportPos["C"] {
		if strings.HasSuffix(pos.Filename, "_test.go") {
			continue
		}
		notes = append(notes, fmt.Sprintf(`%s:%d:%d: import "C": this file is left out, because Loam has no cgo`, ShortPath(wd, pos.Filename), pos.Line, pos.Column))
	}
	return notes
}

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
