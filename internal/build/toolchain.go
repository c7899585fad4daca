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
// is new enough. A cache, if there is one, remembers what tools have said of themselves.
func (c *Cache) findTool(env, name string) (tool, error) {
	hint := fmt.Sprintf("install it (Debian: apt-get install %s-%d) or set %s", map[string]string{"clang": "clang", "ld.lld": "lld"}[name], llvmMajor, env)
	if path := os.Getenv(env); path != "" {
		found, err := exec.LookPath(path)
		if err != nil {
			return tool{}, fmt.Errorf("%s=%s: %v", env, path, errors.Unwrap(err))
		}
		return c.checkedTool(found, name)
	}
	versioned := fmt.Sprintf("%s-%d", name, llvmMajor)
	if found, err := exec.LookPath(versioned); err == nil {
		return c.checkedTool(found, name)
	}
	found, err := exec.LookPath(name)
	if err != nil {
		return tool{}, fmt.Errorf("%s not found: %s", versioned, hint)
	}
	t, err := c.checkedTool(found, name)
	if err != nil {
		return tool{}, fmt.Errorf("%v; %s", err, hint)
	}
	return t, nil
}

var versionNumber = regexp.MustCompile(`(?:clang version|LLD) (\d+)\.`)

func (c *Cache) checkedTool(path, name string) (tool, error) {
	key := newHasher("tool")
	key.add("file", fileIdentity(path))
	id := c.recall(key)
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
		c.note(key, id)
	}
	t := tool{path, id}
	if t.major() < llvmMajor {
		return tool{}, fmt.Errorf("%s is LLVM %d, but %d or newer is needed", path, t.major(), llvmMajor)
	}
	return t, nil
}

// toolKind is the kind of what tools have said.
const toolKind = "tool"

// recall returns what was noted under key, on this machine.
func (c *Cache) recall(key *hasher) string {
	if c == nil {
		return ""
	}
	path := c.path(key.sum(), toolKind)
	if !c.use(path) {
		return ""
	}
	text, _ := os.ReadFile(path)
	return string(text)
}

// note keeps what a tool has said. To lose it costs time only.
func (c *Cache) note(key *hasher, text string) {
	if c != nil {
		c.writeLocal(c.path(key.sum(), toolKind), []byte(text))
	}
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
	var c *Cache
	if t, err := c.findTool("LOAM_CLANG", "clang"); err == nil {
		clang = t.path
	}
	if t, err := c.findTool("LOAM_LLD", "ld.lld"); err == nil {
		lld = t.path
	}
	return clang, lld
}
