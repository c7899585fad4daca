package load

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"

	"loam/internal/child"
)

const listFields = "-json=Dir,ImportPath,Name,ForTest,Standard,DepOnly,Root,Module,Error,GoFiles,SFiles,HFiles,EmbedFiles,TestGoFiles,XTestGoFiles,Imports,ImportMap,DefaultGODEBUG," +
	"IgnoredGoFiles,CgoFiles,CFiles,CXXFiles,MFiles,FFiles,SwigFiles,SwigCXXFiles,SysoFiles,CgoCFLAGS,CgoCPPFLAGS,CgoCXXFLAGS,CgoLDFLAGS,CgoPkgConfig"

// List returns the packages that match patterns and everything they import, dependencies
// first. Errors are the go command's own, with the shadow GOROOT's name replaced.
func List(c *Config, patterns ...string) ([]*Package, error) {
	list, warnings, err := Ask(c, patterns...)
	Warn(warnings)
	return list, err
}

// Warn prints what Ask returned as warnings.
func Warn(warnings string) {
	if warnings != "" {
		fmt.Fprintln(os.Stderr, warnings)
	}
}

// Ask is List but for warnings, such as of patterns that match nothing, which it returns.
//
// Programs without C stay without it: where cgo may be used, but has not been asked for, packages
// are listed as without, and again if one outside of std is there for C.
func Ask(c *Config, patterns ...string) (list []*Package, warnings string, err error) {
	if c.Cgo != CgoAsNeeded {
		return c.ask(patterns)
	}
	list, warnings, err = c.ask(patterns)
	if wanted := c.wantsCgo(list, err); !wanted {
		return list, warnings, err
	}
	with := *c
	with.Cgo = CgoOn
	return with.ask(patterns)
}

func (c *Config) ask(patterns []string) (list []*Package, warnings string, err error) {
	args := []string{"-deps", listFields}
	if c.Tests {
		args = append(args, "-test")
	}
	if c.Faulty {
		args = append(args, "-e")
	}
	cmd := c.command(args, patterns)
	var stdout, stderr bytes.Buffer
	cmd.Stdout, cmd.Stderr = &stdout, &newsFilter{rest: &stderr}
	err = child.Run(cmd)
	// A directory of the SDK is a link in the shadow GOROOT.
	said := strings.ReplaceAll(stderr.String(), "warning: ignoring symlink "+c.Shadow.Dir+"/src/cmd\n", "")
	message := strings.TrimRight(strings.ReplaceAll(said, c.Shadow.Dir, c.Shadow.GOROOT), "\n")
	if err != nil {
		if errors.Is(err, child.ErrEnding) {
			return nil, "", err
		}
		if text := c.buildFault(patterns); text != "" && !c.Tests && !c.Faulty {
			message = text
		}
		if message == "" {
			message = fmt.Sprintf("%s list: %v", c.Go, err)
		}
		return nil, "", &ListError{c.explainCgo(message)}
	}
	if !c.Faulty {
		warnings = message
	}
	for dec := json.NewDecoder(&stdout); ; {
		p := &Package{Release: c.Release()}
		if err := dec.Decode(p); err == io.EOF {
			break
		} else if err != nil {
			return nil, "", fmt.Errorf("reading go list's output: %v", err)
		}
		if p.Error != nil {
			p.Error.Err = c.explainCgo(strings.ReplaceAll(p.Error.Err, c.Shadow.Dir, c.Shadow.GOROOT))
		}
		for _, files := range [][]string{p.GoFiles, p.SFiles, p.HFiles, p.EmbedFiles, p.CgoFiles, p.CFiles, p.CXXFiles, p.SysoFiles} {
			for i, f := range files {
				if !filepath.IsAbs(f) {
					files[i] = filepath.Join(p.Dir, f)
				}
			}
		}
		if len(p.CgoFiles) > 0 && p.ImportPath != "runtime/cgo" { // what cgo writes imports them
			for _, path := range []string{"runtime/cgo", "syscall"} {
				if !slices.Contains(p.Imports, path) {
					p.Imports = append(p.Imports, path)
				}
			}
		}
		c.applyOverlay(p)
		if p.Standard {
			p.GasFiles, _ = filepath.Glob(filepath.Join(p.Dir, "*.gas"))
			if len(p.GasFiles) > 0 {
				p.GasHeaders, _ = filepath.Glob(filepath.Join(p.Dir, "*.h"))
			}
		}
		list = append(list, p)
	}
	return list, warnings, nil
}

// buildFault is what go build says of patterns that cannot be built, "" if it can plan a build. go
// list leaves out some of it.
func (c *Config) buildFault(patterns []string) string {
	list := c.command(nil, patterns)
	args := append([]string{"build", "-n", "-o", os.DevNull}, list.Args[2:]...)
	cmd := exec.Command(c.Go, args...)
	cmd.Dir, cmd.Env = list.Dir, list.Env
	var stderr bytes.Buffer
	cmd.Stderr = &stderr
	if err := child.Run(cmd); err == nil {
		return ""
	}
	return strings.TrimRight(strings.ReplaceAll(stderr.String(), c.Shadow.Dir, c.Shadow.GOROOT), "\n")
}

// Match returns the import paths of the packages that match patterns, in the order in which
// the go command reports on them: List's is that of dependencies.
func Match(c *Config, patterns ...string) ([]string, error) {
	cmd := c.command([]string{"-e", "-find", "-f={{.ImportPath}}"}, patterns)
	var stderr bytes.Buffer
	cmd.Stderr = &stderr
	out, err := child.Output(cmd)
	if err != nil {
		if stderr.Len() > 0 {
			err = &ListError{strings.TrimRight(stderr.String(), "\n")}
		}
		return nil, err
	}
	return strings.Fields(string(out)), nil
}

// CacheDir is the directory for everything that Loam keeps between builds.
func CacheDir() (string, error) {
	if dir := os.Getenv("LOAMCACHE"); dir != "" {
		if !filepath.IsAbs(dir) {
			return "", fmt.Errorf("LOAMCACHE=%s is not an absolute path", dir)
		}
		return filepath.Clean(dir), nil
	}
	dir, err := os.UserCacheDir()
	if err != nil {
		return "", fmt.Errorf("no cache directory: %v (set LOAMCACHE)", err)
	}
	return filepath.Join(dir, "loam"), nil
}
