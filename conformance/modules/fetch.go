package main

import (
	"cmp"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
)

// environ is the environment of all commands that a module sees. Loam compiles in full, if the
// user does not say otherwise: the table compares how fast tests run, not how fast they are built.
func environ() []string {
	env := append([]string{"LOAMOPT=full"}, os.Environ()...)
	return append(env, "CGO_ENABLED=0", "GOFLAGS=-mod=mod", "GOWORK=off", "GOTOOLCHAIN="+cmp.Or(os.Getenv("GOTOOLCHAIN"), "local"))
}

// fetch has the module downloaded and copies it to where its tests may write, a directory that ends
// in its path: there are tests that look at that.
func (r *runner) fetch(m *module) (string, error) {
	dir := filepath.Join(r.dir, m.version, filepath.FromSlash(m.path))
	if _, err := os.Stat(dir); err == nil {
		return dir, nil
	}
	c := exec.Command("go", "mod", "download", "-json", m.path+"@"+m.version)
	c.Dir = r.dir
	c.Env = environ()
	out, err := c.Output()
	var info struct{ Dir, Error string }
	if json.Unmarshal(out, &info) == nil && info.Error != "" {
		return "", fmt.Errorf("download: %s", info.Error)
	}
	if err != nil {
		return "", fmt.Errorf("download: %w", err)
	}
	tmp := dir + ".tmp"
	if err := os.RemoveAll(tmp); err != nil {
		return "", err
	}
	if err := os.MkdirAll(filepath.Dir(dir), 0o777); err != nil {
		return "", err
	}
	if err := os.CopyFS(tmp, os.DirFS(info.Dir)); err != nil {
		return "", err
	}
	// The module cache is read-only; the copy must not be, or it could not be deleted.
	err = filepath.WalkDir(tmp, func(path string, d os.DirEntry, err error) error {
		if err != nil {
			return err
		}
		st, err := d.Info()
		if err != nil {
			return err
		}
		return os.Chmod(path, st.Mode()|0o200)
	})
	if err != nil {
		return "", err
	}
	if err := makeMain(tmp, m.path); err != nil {
		return "", err
	}
	return dir, os.Rename(tmp, dir)
}

// makeMain makes the module in a directory one that can be the main module. Old modules have no
// go.mod file; others name directories of their repository that the module does not contain.
func makeMain(dir, path string) error {
	file := filepath.Join(dir, "go.mod")
	if _, err := os.Stat(file); err != nil {
		return os.WriteFile(file, []byte("module "+path+"\n"), 0o666)
	}
	out, err := goCommand(dir, "mod", "edit", "-json")
	if err != nil {
		return err
	}
	var mod struct {
		Replace []struct {
			Old, New struct{ Path, Version string }
		}
	}
	if err := json.Unmarshal([]byte(out), &mod); err != nil {
		return err
	}
	edit := []string{"mod", "edit"}
	for _, rep := range mod.Replace {
		local := strings.HasPrefix(rep.New.Path, ".") || filepath.IsAbs(rep.New.Path)
		if _, err := os.Stat(filepath.Join(dir, rep.New.Path, "go.mod")); !local || err == nil {
			continue
		}
		old := rep.Old.Path
		if rep.Old.Version != "" {
			old += "@" + rep.Old.Version
		}
		edit = append(edit, "-dropreplace="+old)
	}
	if len(edit) > 2 {
		_, err = goCommand(dir, edit...)
	}
	return err
}

// packages returns the import paths of the packages to test, those that have tests.
func (r *runner) packages(dir string, m *module) ([]string, error) {
	const withTests = "{{if or .TestGoFiles .XTestGoFiles}}{{.ImportPath}}{{end}}"
	out, err := goCommand(dir, append([]string{"list", "-e", "-f", withTests}, m.packages...)...)
	if err != nil {
		return nil, err
	}
	packages := strings.Fields(out)
	if len(m.without) > 0 {
		out, err := goCommand(dir, append([]string{"list", "-e"}, m.without...)...)
		if err != nil {
			return nil, err
		}
		without := strings.Fields(out)
		packages = slices.DeleteFunc(packages, func(p string) bool { return slices.Contains(without, p) })
	}
	if len(packages) == 0 {
		return nil, fmt.Errorf("no package has tests")
	}
	return packages, nil
}

func goCommand(dir string, args ...string) (string, error) {
	c := exec.Command("go", args...)
	c.Dir = dir
	c.Env = environ()
	var stderr strings.Builder
	c.Stderr = &stderr
	out, err := c.Output()
	if err != nil {
		return "", fmt.Errorf("go %s: %v: %.500s", strings.Join(args, " "), err, stderr.String())
	}
	return string(out), nil
}
