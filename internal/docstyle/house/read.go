package main

import (
	"errors"
	"fmt"
	"go/ast"
	"go/build"
	"go/importer"
	"go/parser"
	"go/token"
	"go/types"
	"io"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
)

// roots are the folders whose packages are counted.
var roots = []string{"cmd", "internal", "rt"}

// packageFolders returns the folders of the packages, in order, below the repository's root.
func packageFolders(root string) ([]string, error) {
	var list []string
	for _, dir := range roots {
		err := filepath.WalkDir(filepath.Join(root, dir), func(path string, d fs.DirEntry, err error) error {
			if err != nil {
				return err
			}
			if d.IsDir() && (d.Name() == "testdata" || d.Name() == "node_modules") {
				return fs.SkipDir
			}
			folder, err := filepath.Rel(root, filepath.Dir(path))
			if isSource(d.Name()) && !slices.Contains(list, folder) {
				list = append(list, folder)
			}
			return err
		})
		if err != nil {
			return nil, err
		}
	}
	slices.Sort(list)
	return list, nil
}

func isSource(name string) bool {
	return strings.HasSuffix(name, ".go") && !strings.HasSuffix(name, "_test.go")
}

// A reader type-checks packages of the repository.
type reader struct {
	root    string
	fset    *token.FileSet
	context build.Context
	exports map[string]string         // by import path: the file of the export data
	library types.Importer            // reads these
	rt      map[string]*types.Package // packages of rt/, which no go command can list in their place
}

// rtPath starts the import paths of the packages of rt/.
const rtPath = "internal/rt/"

func newReader(root string) (*reader, error) {
	r := &reader{root: root, fset: token.NewFileSet(), context: build.Default, exports: map[string]string{}, rt: map[string]*types.Package{}}
	r.context.BuildTags = []string{"loam"}
	r.context.CgoEnabled = false
	list := exec.Command("go", "list", "-deps", "-export", "-f", "{{.ImportPath}}\t{{.Export}}", "./cmd/...", "./internal/...", "runtime")
	list.Dir, list.Stderr = root, os.Stderr
	out, err := list.Output()
	if err != nil {
		return nil, fmt.Errorf("go list: %w", err)
	}
	for line := range strings.Lines(string(out)) {
		path, file, _ := strings.Cut(strings.TrimSpace(line), "\t")
		r.exports[path] = file
	}
	r.library = importer.ForCompiler(r.fset, "gc", func(path string) (io.ReadCloser, error) {
		if r.exports[path] == "" {
			return nil, errors.New("not listed")
		}
		return os.Open(r.exports[path])
	})
	return r, nil
}

// Import returns a package that another one imports. Of rt's packages only the declarations are
// looked at.
func (r *reader) Import(path string) (*types.Package, error) {
	below, ok := strings.CutPrefix(path, rtPath)
	if !ok {
		return r.library.Import(path)
	}
	if r.rt[path] == nil {
		p, err := r.check(filepath.Join("rt", below), nil)
		if err != nil {
			return nil, err
		}
		r.rt[path] = p
	}
	return r.rt[path], nil
}

// check type-checks the package of a folder, its functions' bodies only if info is wanted. Errors
// are not told of: rt's packages use what only the shadow GOROOT has.
func (r *reader) check(folder string, info *types.Info) (*types.Package, error) {
	entries, err := os.ReadDir(filepath.Join(r.root, folder))
	if err != nil {
		return nil, err
	}
	var files []*ast.File
	for _, e := range entries {
		if !isSource(e.Name()) {
			continue
		}
		if ok, err := r.context.MatchFile(filepath.Join(r.root, folder), e.Name()); err != nil || !ok {
			continue
		}
		f, err := parser.ParseFile(r.fset, filepath.Join(r.root, folder, e.Name()), nil, parser.SkipObjectResolution)
		if err != nil {
			return nil, err
		}
		files = append(files, f)
	}
	conf := types.Config{Importer: r, IgnoreFuncBodies: info == nil, Error: func(error) {}}
	p, _ := conf.Check(folder, r.fset, files, info)
	return p, nil
}

// sources is a package: what its files use of each other.
type sources struct {
	folder string
	types  *types.Package
	files  []string // by name, in order
	uses   map[string]map[string]map[types.Object]bool
}

// read reads the package of a folder.
func (r *reader) read(folder string) (*sources, error) {
	info := &types.Info{Uses: map[*ast.Ident]types.Object{}}
	pkg, err := r.check(folder, info)
	if err != nil {
		return nil, err
	}
	p := &sources{folder: folder, types: pkg, uses: map[string]map[string]map[types.Object]bool{}}
	at := func(pos token.Pos) string { return filepath.Base(r.fset.File(pos).Name()) }
	for id, o := range info.Uses {
		if _, isPackage := o.(*types.PkgName); isPackage || o.Pkg() != pkg || !o.Pos().IsValid() {
			continue
		}
		from, to := at(id.Pos()), at(o.Pos())
		if from == to {
			continue
		}
		if p.uses[from] == nil {
			p.uses[from] = map[string]map[types.Object]bool{}
		}
		if p.uses[from][to] == nil {
			p.uses[from][to] = map[types.Object]bool{}
		}
		p.uses[from][to][o] = true
		for _, name := range []string{from, to} {
			if !slices.Contains(p.files, name) {
				p.files = append(p.files, name)
			}
		}
	}
	slices.Sort(p.files)
	return p, nil
}

// names returns the objects' names, in order.
func names(objects map[types.Object]bool) string {
	var list []string
	for o := range objects {
		list = append(list, o.Name())
	}
	slices.Sort(list)
	return strings.Join(slices.Compact(list), " ")
}
