package main

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"time"

	"golang.org/x/mod/module"
	"golang.org/x/mod/semver"

	"loam/internal/child"
	"loam/internal/load"
)

// stampPrograms says in main packages which commit they are made from, as the go command
// does: from a repository that holds the package's module. Of version control systems, loam
// knows git.
func (s *session) stampPrograms(choice vcsFlag, mains []*load.Package) error {
	if choice == "false" {
		return nil
	}
	for _, p := range mains {
		if p.Standard || p.Module == nil || !p.Module.Main || p.Module.Dir == "" || p.ByFiles() {
			continue
		}
		root := gitRoot(p.Dir)
		if root == "" || !within(root, p.Module.Dir) {
			continue
		}
		err := stamp(p, root)
		if errors.Is(err, exec.ErrNotFound) && choice != "true" {
			continue
		}
		if err != nil {
			return fmt.Errorf("error obtaining VCS status: %v\n\tUse -buildvcs=false to disable VCS stamping.", err)
		}
	}
	return nil
}

// gitRoot is the root of the repository around dir, "" without one. A .git that is a file (a
// worktree, a submodule) does not count; the go command says so.
func gitRoot(dir string) string {
	for {
		if st, err := os.Stat(filepath.Join(dir, ".git")); err == nil && st.IsDir() {
			return dir
		}
		up := filepath.Dir(dir)
		if up == dir {
			return ""
		}
		dir = up
	}
}

func within(root, dir string) bool {
	rel, err := filepath.Rel(root, dir)
	return err == nil && rel != ".." && !strings.HasPrefix(rel, "../")
}

// stamp enters the state of the repository into p.
func stamp(p *load.Package, root string) error {
	status, err := git(root, "status", "--porcelain")
	if err != nil {
		return err
	}
	modified := status != ""
	head, err := git(root, "-c", "log.showsignature=false", "log", "-1", "--format=%H:%ct")
	if err != nil {
		if _, noCommit := git(root, "rev-parse", "--verify", "-q", "HEAD"); noCommit != nil {
			p.Stamp = [][2]string{{"vcs", "git"}, {"vcs.modified", strconv.FormatBool(modified)}}
			return nil
		}
		return err
	}
	revision, seconds, _ := strings.Cut(head, ":")
	unix, err := strconv.ParseInt(seconds, 10, 64)
	if err != nil {
		return fmt.Errorf("git log: unexpected %q", head)
	}
	when := time.Unix(unix, 0).UTC()
	p.Stamp = [][2]string{{"vcs", "git"}, {"vcs.revision", revision}, {"vcs.time", when.Format(time.RFC3339Nano)},
		{"vcs.modified", strconv.FormatBool(modified)}}
	if p.StampVersion, err = gitVersion(p.Module, root, revision, when); err != nil {
		return err
	}
	if modified && p.StampVersion != "" {
		p.StampVersion += "+dirty"
	}
	return nil
}

// gitVersion is the module version of a commit: that of its tag, or a pseudo-version behind
// the newest tag before it.
func gitVersion(m *load.Module, root, revision string, when time.Time) (string, error) {
	prefix := ""
	if rel, err := filepath.Rel(root, m.Dir); err == nil && rel != "." {
		prefix = filepath.ToSlash(rel) + "/"
	}
	_, major, ok := module.SplitPathVersion(m.Path)
	if !ok {
		return "", nil
	}
	newest := func(args ...string) (string, error) {
		tags, err := git(root, append([]string{"tag", "--list", prefix + "v*"}, args...)...)
		best := ""
		for _, tag := range strings.Fields(tags) {
			v := strings.TrimPrefix(tag, prefix)
			fits := semver.Canonical(v) == v && module.CheckPathMajor(v, major) == nil && !module.IsPseudoVersion(v)
			if fits && (best == "" || semver.Compare(v, best) > 0) {
				best = v
			}
		}
		return best, err
	}
	if exact, err := newest("--points-at", revision); err != nil || exact != "" {
		return exact, err
	}
	older, err := newest("--merged", revision)
	if err != nil {
		return "", err
	}
	return module.PseudoVersion(module.PathMajorPrefix(major), older, when, revision[:12]), nil
}

// git runs a command in a repository and returns its output without the last newline.
func git(root string, args ...string) (string, error) {
	cmd := exec.Command("git", args...)
	cmd.Dir = root
	var stderr bytes.Buffer
	cmd.Stderr = &stderr
	out, err := child.Output(cmd)
	if err != nil && stderr.Len() > 0 {
		err = fmt.Errorf("%w: %s", err, bytes.TrimSpace(stderr.Bytes()))
	}
	return strings.TrimRight(string(out), "\n"), err
}
