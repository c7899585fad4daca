package build

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
)

// llvmMajor is the oldest LLVM whose clang and lld are known to work.
const llvmMajor = 19

// A tool is an external program of the build.
type tool struct {
	path string
	// id is what it says of its version, and the hash of its file: the same program has it on all
	// machines, wherever it is, so what it made on one is good for another.
	id string
}

// findTool looks for the program that env names, then for name-19, then for name itself if it
// is new enough. remember has the ids of tools that are known already, by fileIdentity.
func findTool(env, name string, remember map[string]string) (tool, error) {
	hint := fmt.Sprintf("install it (Debian: apt-get install %s-%d) or set %s", map[string]string{"clang": "clang", "ld.lld": "lld"}[name], llvmMajor, env)
	if path := os.Getenv(env); path != "" {
		found, err := exec.LookPath(path)
		if err != nil {
			return tool{}, fmt.Errorf("%s=%s: %v", env, path, errors.Unwrap(err))
		}
		return checkedTool(found, name, remember)
	}
	versioned := fmt.Sprintf("%s-%d", name, llvmMajor)
	if found, err := exec.LookPath(versioned); err == nil {
		return checkedTool(found, name, remember)
	}
	found, err := exec.LookPath(name)
	if err != nil {
		return tool{}, fmt.Errorf("%s not found: %s", versioned, hint)
	}
	t, err := checkedTool(found, name, remember)
	if err != nil {
		return tool{}, fmt.Errorf("%v; %s", err, hint)
	}
	return t, nil
}

var versionNumber = regexp.MustCompile(`(?:clang version|LLD) (\d+)\.`)

func checkedTool(path, name string, remember map[string]string) (tool, error) {
	file := fileIdentity(path)
	id := remember[file]
	m := versionNumber.FindStringSubmatch(id)
	if m == nil {
		out, err := child.Output(exec.Command(path, "--version"))
		if err != nil {
			return tool{}, fmt.Errorf("%s --version does not work: %v", path, err)
		}
		id, _, _ = strings.Cut(strings.TrimSpace(string(out)), "\n")
		if m = versionNumber.FindStringSubmatch(id); m == nil {
			return tool{}, fmt.Errorf("%s is not %s: no LLVM version in its --version", path, name)
		}
		data, err := os.ReadFile(path)
		if err != nil {
			return tool{}, err
		}
		id = fmt.Sprintf("%s %x", id, sha256.Sum256(data))
		remember[file] = id
	}
	t := tool{path, id}
	if t.major() < llvmMajor {
		return tool{}, fmt.Errorf("%s is LLVM %d, but %d or newer is needed", path, t.major(), llvmMajor)
	}
	return t, nil
}

// major is the tool's version of LLVM.
func (t tool) major() int {
	m := versionNumber.FindStringSubmatch(t.id)
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

// Tools returns the paths of clang and lld that a build would use, "" for what is missing.
func Tools() (clang, lld string) {
	known := map[string]string{}
	if t, err := findTool("LOAM_CLANG", "clang", known); err == nil {
		clang = t.path
	}
	if t, err := findTool("LOAM_LLD", "ld.lld", known); err == nil {
		lld = t.path
	}
	return clang, lld
}
