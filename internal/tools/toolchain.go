// Package tools finds the programs that builds run: clang and lld. What they have said of
// themselves is kept in the cache, so that they are not asked again.
package tools

import (
	"crypto/sha256"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"

	"loam/internal/child"
	"loam/internal/store"
)

// llvmMajor is the oldest LLVM whose clang and lld are known to work.
const llvmMajor = 19

// A Tool is an external program of the build.
type Tool struct {
	Path string
	// ID is what it says of its version, and the hash of its file: the same program has it on all
	// machines, wherever it is, so what it made on one is good for another.
	ID string
}

// Find looks for the program that env names, then for name-19, then for name itself if it
// is new enough. A cache, if there is one, remembers what tools have said of themselves.
func Find(c *store.Cache, env, name string) (Tool, error) {
	hint := fmt.Sprintf("install it (Debian: apt-get install %s-%d) or set %s",
		map[string]string{"clang": "clang", "ld.lld": "lld"}[name], llvmMajor, env)
	if path := os.Getenv(env); path != "" {
		found, err := exec.LookPath(path)
		if err != nil {
			return Tool{}, fmt.Errorf("%s=%s: %v", env, path, errors.Unwrap(err))
		}
		return checkedTool(c, found, name)
	}
	versioned := fmt.Sprintf("%s-%d", name, llvmMajor)
	if found, err := exec.LookPath(versioned); err == nil {
		return checkedTool(c, found, name)
	}
	found, err := exec.LookPath(name)
	if err != nil {
		return Tool{}, fmt.Errorf("%s not found: %s", versioned, hint)
	}
	t, err := checkedTool(c, found, name)
	if err != nil {
		return Tool{}, fmt.Errorf("%v; %s", err, hint)
	}
	return t, nil
}

var versionNumber = regexp.MustCompile(`(?:clang version|LLD) (\d+)\.`)

func checkedTool(c *store.Cache, path, name string) (Tool, error) {
	key := store.NewHasher("tool")
	key.Add("file", fileIdentity(path))
	id := c.Recall(key)
	m := versionNumber.FindStringSubmatch(id)
	if m == nil {
		out, err := child.Output(exec.Command(path, "--version"))
		if err != nil {
			return Tool{}, fmt.Errorf("%s --version does not work: %v", path, err)
		}
		id, _, _ = strings.Cut(strings.TrimSpace(string(out)), "\n")
		if m = versionNumber.FindStringSubmatch(id); m == nil {
			return Tool{}, fmt.Errorf("%s is not %s: no LLVM version in its --version", path, name)
		}
		data, err := os.ReadFile(path)
		if err != nil {
			return Tool{}, err
		}
		id = fmt.Sprintf("%s %x", id, sha256.Sum256(data))
		c.Note(key, id)
	}
	t := Tool{path, id}
	if t.Major() < llvmMajor {
		return Tool{}, fmt.Errorf("%s is LLVM %d, but %d or newer is needed", path, t.Major(), llvmMajor)
	}
	return t, nil
}

// Major is the tool's version of LLVM.
func (t Tool) Major() int {
	m := versionNumber.FindStringSubmatch(t.ID)
	if m == nil {
		return 0
	}
	n, _ := strconv.Atoi(m[1])
	return n
}

// fileIdentity names a version of an installed program without reading it.
func fileIdentity(path string) string {
	if real, err := filepath.EvalSymlinks(path); err == nil {
		path = real
	}
	st, err := os.Stat(path)
	if err != nil {
		return path
	}
	return fmt.Sprintf("%s %d %d", path, st.Size(), st.ModTime().UnixNano())
}

// Paths returns the paths of clang and lld that a build would use, "" for what is missing.
func Paths() (clang, lld string) {
	var c *store.Cache
	if t, err := Find(c, "LOAM_CLANG", "clang"); err == nil {
		clang = t.Path
	}
	if t, err := Find(c, "LOAM_LLD", "ld.lld"); err == nil {
		lld = t.Path
	}
	return clang, lld
}
