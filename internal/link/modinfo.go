package link

import (
	"cmp"
	"fmt"
	"go/version"
	"maps"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"loam/internal/amd64"
	"loam/internal/load"
)

// Marks before and after the module text; readers of a program skip 16 bytes on each side.
const (
	modInfoStart = "\x30\x77\xaf\x0c\x92\x74\x08\x02\x41\xe1\xc1\x07\xe6\xd6\x18\xe6"
	modInfoEnd   = "\xf9\x32\x43\x31\x86\x18\x20\x72\x00\x82\x42\x10\x41\x16\xd8\xf2"
)

// modInfo is what runtime/debug.ReadBuildInfo parses: the main package, the modules and the
// settings of the build.
func (l *Linker) modInfo(p *Program) string {
	main := p.Main
	var s strings.Builder
	told := main.Tells
	if told == nil {
		told = &load.Told{Path: main.Path()}
		for _, n := range p.Packages {
			told.Modules = append(told.Modules, n.Module)
		}
	}
	fmt.Fprintf(&s, "path\t%s\n", told.Path)
	module := func(kind string, m *load.Module) {
		line := func(kind string, m *load.Module) {
			version := m.Version
			if m == main.Module && version == "" {
				version = main.StampVersion
			}
			if version == "" {
				version = "(devel)"
			}
			fmt.Fprintf(&s, "%s\t%s\t%s", kind, m.Path, version)
			if m.Replace == nil {
				fmt.Fprintf(&s, "\t%s", m.Sum)
			}
			s.WriteByte('\n')
		}
		line(kind, m)
		if m.Replace != nil {
			line("=>", m.Replace)
		}
	}
	if m := main.Module; m != nil {
		module("mod", m)
	}
	deps := map[string]*load.Module{}
	for _, m := range told.Modules {
		if m != nil && (main.Module == nil || m.Path != main.Module.Path) {
			deps[m.Path] = m
		}
	}
	for _, path := range slices.Sorted(maps.Keys(deps)) {
		module("dep", deps[path])
	}
	settings := slices.Concat([][2]string{{"-buildmode", cmp.Or(string(l.Mode), "exe")}, {"-compiler", "loam"}}, l.Settings)
	// From Go 1.27 on what a test says of its build is made without regard to profiles.
	if p.Profile != "" && !(strings.HasSuffix(main.ImportPath, ".test") && version.Compare(l.Load.Release(), "go1.27") >= 0) {
		file := p.Profile
		if l.Load.TrimPath {
			file = filepath.Base(file)
		}
		settings = append(settings, [2]string{"-pgo", file})
	}
	slices.SortStableFunc(settings, func(a, b [2]string) int { return strings.Compare(a[0], b[0]) })
	if main.DefaultGODEBUG != "" {
		settings = append(settings, [2]string{"DefaultGODEBUG", main.DefaultGODEBUG})
	}
	settings = append(settings, [2]string{"CGO_ENABLED", map[bool]string{false: "0", true: "1"}[p.hasC()]}, [2]string{"GOARCH", "amd64"})
	if e := l.Load.Experiments; e != "" {
		settings = append(settings, [2]string{"GOEXPERIMENT", e})
	}
	settings = append(settings, [2]string{"GOOS", "linux"}, [2]string{"GOAMD64", amd64.Level()})
	for _, kv := range append(settings, main.Stamp...) {
		value := kv[1]
		if strings.ContainsAny(value, " \t\r\n\"`") {
			value = strconv.Quote(value)
		}
		fmt.Fprintf(&s, "build\t%s=%s\n", kv[0], value)
	}
	return modInfoStart + s.String() + modInfoEnd
}
