// Rtcheck type-checks packages of rt/ and overlay/ where they will live: in the shadow
// GOROOT, under the tags of a Loam build. It is the quick check for people who work on the
// run-time system; it compiles nothing. Without arguments it checks all of rt/, and runtime.
//
//	go run ./cmd/rtcheck internal/rt/heap runtime
package main

import (
	"flag"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"go/types"
	"os"
	"path/filepath"
	"strings"

	"loam"
	"loam/internal/layout"
	"loam/internal/load"
)

func main() {
	deps := flag.Bool("deps", false, "report errors of imported packages too")
	flag.Parse()
	patterns := flag.Args()
	if len(patterns) == 0 {
		patterns = []string{load.RuntimePrefix + "/...", "runtime"}
	}
	if err := run(*deps, patterns); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

func run(withDeps bool, patterns []string) error {
	sdk, err := load.FindSDK("")
	if err != nil {
		return err
	}
	cache, err := load.CacheDir()
	if err != nil {
		return err
	}
	shadow, err := load.MakeShadow(cache, sdk, loam.RuntimeSources())
	if err != nil {
		return err
	}
	for i, p := range patterns {
		p = strings.TrimPrefix(p, "./")
		if below, ok := strings.CutPrefix(p, "rt/"); ok {
			p = load.RuntimePrefix + "/" + below
		}
		if below, ok := strings.CutPrefix(p, "loam/rt/"); ok {
			p = load.RuntimePrefix + "/" + below
		}
		patterns[i] = strings.TrimPrefix(p, "overlay/")
	}
	pkgs, err := load.List(&load.Config{SDK: sdk, Shadow: shadow, Dir: filepath.Join(shadow.Dir, "src")}, patterns...)
	if err != nil {
		return err
	}
	fset := token.NewFileSet()
	checked := map[string]*types.Package{"unsafe": types.Unsafe}
	failed := 0
	for _, p := range pkgs {
		if p.ImportPath == "unsafe" {
			continue
		}
		report := func(err error) {
			if p.DepOnly && !withDeps {
				return
			}
			failed++
			switch err := err.(type) {
			case types.Error:
				if err.Soft && p.DepOnly {
					return
				}
				pos := fset.Position(err.Pos)
				fmt.Printf("%s:%d:%d: %s\n", strings.TrimPrefix(shadow.UserPath(pos.Filename), shadow.Root+"/"), pos.Line, pos.Column, err.Msg)
			default:
				fmt.Println(strings.ReplaceAll(err.Error(), shadow.Dir, sdk.GOROOT))
			}
		}
		var files []*ast.File
		for _, name := range p.GoFiles {
			f, err := parser.ParseFile(fset, name, nil, parser.SkipObjectResolution)
			if err != nil {
				report(err)
			}
			if f != nil {
				files = append(files, f)
			}
		}
		conf := types.Config{
			Importer: importer(func(path string) (*types.Package, error) {
				if to := p.ImportMap[path]; to != "" {
					path = to
				}
				if t := checked[path]; t != nil {
					return t, nil
				}
				return nil, fmt.Errorf("package %s was not loaded", path)
			}),
			Sizes:            new(layout.Sizes),
			IgnoreFuncBodies: p.DepOnly && !withDeps,
			Error:            report,
		}
		t, _ := conf.Check(p.ImportPath, fset, files, nil)
		checked[p.ImportPath] = t
	}
	if failed > 0 {
		return fmt.Errorf("%d errors", failed)
	}
	return nil
}

type importer func(path string) (*types.Package, error)

func (f importer) Import(path string) (*types.Package, error) { return f(path) }
