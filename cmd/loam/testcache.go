package main

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"hash"
	"os"
	"path/filepath"
	"strings"
	"time"
)

// Results of tests that passed are kept as the go command keeps them: in two steps, because
// what a test reads is known only when it has run. Binary and flags name the list of files
// and environment variables that the last run looked at (the testing package writes it,
// internal/testlog); their state, together with binary and flags, names the result.
//
// A file counts by size and time, not content. Files outside the package's module do not
// count. A file that changed in the last two seconds may change again within the resolution
// of its time, so nothing is kept then.

// resultCache is the cache as one run uses it.
type resultCache struct {
	enabled bool
	id      string // of binary and flags
	root    string // files below it count
}

// keptResult is a result in the cache.
type keptResult struct {
	Time    time.Time
	Output  []byte
	Profile []byte // of -coverprofile
}

// cacheable are the flags with which results are kept; the value tells whether they are part
// of what names a result.
var cacheable = map[string]bool{"benchtime": true, "cpu": true, "list": true, "parallel": true, "run": true, "short": true,
	"skip": true, "timeout": true, "failfast": true, "v": true, "fullpath": true, "coverprofile": false, "outputdir": false}

// open decides whether the run's result may be kept, and under which name.
func (c *resultCache) open(r *oneRun) {
	p := r.q.pkg
	root := p.Root
	if p.Module != nil && p.Module.Dir != "" {
		root = p.Module.Dir
	}
	c.root = r.s.load.Shadow.UserPath(root)
	if !r.listed || root == "" || r.sim.On() {
		return
	}
	h := newDigest("test result 1")
	h.add(r.q.key, r.via.String(), fmt.Sprint(r.profile != nil))
	for _, a := range r.args {
		name, _, ok := strings.Cut(strings.TrimPrefix(a, "-test."), "=")
		counts, may := cacheable[name]
		if !ok || !may || !strings.HasPrefix(a, "-test.") {
			return
		}
		if counts {
			h.add(a)
		}
	}
	if r.cover != nil {
		h.add(r.cover.identity())
	}
	c.id = h.sum()
	c.enabled = true
}

// lookup returns the output of an earlier run that would be the same now.
func (c *resultCache) lookup(r *oneRun) ([]byte, bool) {
	if !c.enabled {
		return nil, false
	}
	log, err := r.s.builder.Cache().ReadIf(c.id, "testlog")
	if err != nil {
		return nil, false
	}
	inputs, err := c.inputs(r, log)
	if err != nil {
		return nil, false
	}
	data, err := r.s.builder.Cache().ReadIf(inputs, "test")
	if err != nil {
		return nil, false
	}
	kept := new(keptResult)
	if json.Unmarshal(data, kept) != nil || kept.Time.Before(r.s.builder.Cache().TestsExpired()) {
		return nil, false
	}
	text, ok := markCached(kept.Output)
	if !ok {
		return nil, false
	}
	r.profile.mergeText(kept.Profile)
	return text, true
}

// markCached replaces the time in the summary line, which is the last one.
func markCached(text []byte) ([]byte, bool) {
	line := bytes.LastIndexByte(bytes.TrimSuffix(text, []byte("\n")), '\n') + 1
	fields := bytes.SplitN(text[line:], []byte("\t"), 3)
	if len(fields) != 3 || string(fields[0]) != "ok  " {
		return nil, false
	}
	rest := bytes.TrimLeft(fields[2], "0123456789.s")
	marked := append(bytes.Clone(text[:line]), "ok  \t"...)
	return append(append(append(marked, fields[1]...), "\t(cached)"...), rest...), true
}

// save keeps the result of the run that has just passed. What goes wrong here costs the next
// run's time only.
func (c *resultCache) save(r *oneRun) {
	if !c.enabled || len(r.via) > 0 {
		return
	}
	log, err := os.ReadFile(r.testLog())
	if err != nil {
		return
	}
	inputs, err := c.inputs(r, log)
	if err != nil {
		return
	}
	kept := keptResult{Time: time.Now(), Output: r.saved.Bytes()}
	if r.profile != nil {
		if kept.Profile, err = os.ReadFile(r.coverOutput()); err != nil {
			return
		}
	}
	data, err := json.Marshal(kept)
	if err != nil {
		return
	}
	if r.s.builder.Cache().Write(inputs, "test", data) == nil {
		r.s.builder.Cache().Write(c.id, "testlog", log)
	}
}

// logHeader is the first line of what the testing package writes.
const logHeader = "# test log\n"

var (
	errLog    = errors.New("not a test log")
	errTooNew = errors.New("a file has just changed")
)

// environment are variables that the run-time system reads without telling.
var environment = []string{"GODEBUG", "LOAMGC", "LOAMDEBUG"}

// inputs names the state of everything in the log, together with binary and flags.
func (c *resultCache) inputs(r *oneRun, log []byte) (string, error) {
	text, ok := strings.CutPrefix(string(log), logHeader)
	if !ok || text != "" && !strings.HasSuffix(text, "\n") {
		return "", errLog
	}
	h := newDigest("test inputs 1")
	h.add(c.id)
	for _, name := range environment {
		h.addEnv(name)
	}
	dir := r.s.runDir(r.q.pkg)
	for line := range strings.Lines(text) {
		verb, name, ok := strings.Cut(strings.TrimSuffix(line, "\n"), " ")
		if !ok {
			return "", errLog
		}
		path := name
		if !filepath.IsAbs(path) {
			path = filepath.Join(dir, path)
		}
		h.add(verb, name)
		switch verb {
		case "getenv":
			h.addEnv(name)
		case "chdir":
			dir = name // always absolute
			h.addStat(name)
		case "stat":
			if c.counts(path) {
				h.addStat(path)
			}
		case "open":
			if c.counts(path) {
				if err := h.addContent(path); err != nil {
					return "", err
				}
			}
		default:
			return "", errLog
		}
	}
	return h.sum(), nil
}

// counts reports whether a change of the file makes a result stale.
func (c *resultCache) counts(path string) bool {
	rel, err := filepath.Rel(c.root, path)
	return err == nil && rel != ".." && !strings.HasPrefix(rel, "../")
}

// digest hashes a list of strings, each framed by its length.
type digest struct{ h hash.Hash }

func newDigest(label string) digest {
	d := digest{sha256.New()}
	d.add(label)
	return d
}

func (d digest) add(list ...string) {
	for _, s := range list {
		fmt.Fprintf(d.h, "%d %s", len(s), s)
	}
}

func (d digest) sum() string { return hex.EncodeToString(d.h.Sum(nil)) }

func (d digest) addEnv(name string) {
	v, ok := os.LookupEnv(name)
	d.add(name, fmt.Sprint(ok), v)
}

func (d digest) addInfo(st os.FileInfo, err error) {
	if err != nil {
		d.add("error", err.Error())
		return
	}
	d.add(fmt.Sprint(st.Size(), st.Mode(), st.ModTime().UnixNano()))
}

func (d digest) addStat(path string) {
	d.addInfo(os.Stat(path))
	d.addInfo(os.Lstat(path))
}

// settle is how old a file must be for its time to tell one content from the next.
const settle = 2 * time.Second

// addContent adds what stands for the content of a file, or of a directory.
func (d digest) addContent(path string) error {
	st, err := os.Stat(path)
	d.addInfo(st, err)
	if err != nil {
		return nil
	}
	if st.Mode().IsRegular() && time.Since(st.ModTime()) < settle {
		return errTooNew
	}
	if st.IsDir() {
		entries, err := os.ReadDir(path)
		d.add(fmt.Sprint(len(entries), err))
		for _, e := range entries {
			d.add(e.Name())
			d.addInfo(e.Info())
		}
	}
	return nil
}
