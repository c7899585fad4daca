package answers

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"time"

	"loam/internal/load"
	"loam/internal/scratch"
	"loam/internal/wire"
)

// A Keeper keeps answers in a cache directory. Without one it asks each time.
type Keeper struct {
	dir   string
	cwd   string
	asked int // how many questions went to the go command
}

// NewKeeper keeps answers in the cache directory dir, "" for none.
func NewKeeper(dir string) *Keeper {
	cwd, err := os.Getwd()
	if err != nil {
		dir = ""
	}
	return &Keeper{dir: dir, cwd: cwd}
}

// header names the format of an answer's file. Behind it come the facts and the answer.
const header = "loam answer 2\n"

// useInterval is how often the file of an answer that is used gets a new time, by which the cache
// is trimmed.
const useInterval = time.Hour

// name is the file of the answer to a question.
func (k *Keeper) name(question ...string) string {
	h := sha256.New()
	for _, s := range append(append(question, runtime.Version()), environment()...) {
		fmt.Fprintf(h, "%d %s\n", len(s), s)
	}
	key := hex.EncodeToString(h.Sum(nil))
	return filepath.Join(k.dir, "obj", key[:2], key+".answer")
}

// environment is what the go command may read of it.
func environment() []string {
	var list []string
	for _, v := range os.Environ() {
		name, _, _ := strings.Cut(v, "=")
		switch {
		case strings.HasPrefix(name, "GO"), name == "LOAM_GO", name == "PWD", name == "HOME", name == "XDG_CONFIG_HOME":
			list = append(list, v)
		}
	}
	return list
}

// read returns the answer in a file, nil if there is none that holds.
func (k *Keeper) read(name string) *wire.Reader {
	if k.dir == "" {
		return nil
	}
	data, err := os.ReadFile(name)
	if err != nil {
		return nil
	}
	r := wire.NewReader(string(data))
	if !r.Header(header) || !holds(r) {
		return nil
	}
	if st, err := os.Stat(name); err == nil && time.Since(st.ModTime()) > useInterval {
		os.Chtimes(name, time.Now(), time.Now())
	}
	return r
}

// write keeps an answer that was asked for at that time. To lose it costs time only.
func (k *Keeper) write(name string, f *facts, asked time.Time, answer []byte) {
	if k.dir == "" || !f.settled(asked) || os.MkdirAll(filepath.Dir(name), 0o777) != nil || scratch.Writable(k.dir) != nil {
		return
	}
	dir, err := scratch.Dir(k.dir)
	if err != nil {
		return
	}
	tmp, err := os.CreateTemp(dir, "answer-")
	if err != nil {
		return
	}
	_, err = tmp.Write(append(f.encode([]byte(header)), answer...))
	if tmp.Chmod(0o644); tmp.Close() != nil || err != nil || scratch.Replace(tmp.Name(), name) != nil {
		os.Remove(tmp.Name())
	}
}

// FindSDK is load.FindSDK for the current directory.
func (k *Keeper) FindSDK() (*load.SDK, error) {
	command, err := load.GoCommand()
	if err != nil {
		return nil, err
	}
	name := k.name("sdk", command, k.cwd)
	if r := k.read(name); r != nil {
		if s := readSDK(r); r.Done() {
			return s, s.Check()
		}
	}
	asked := time.Now()
	k.asked++
	s, err := load.AskForSDK("")
	if err != nil {
		return nil, err
	}
	f := new(facts)
	if f.sdk(s, k.cwd) {
		k.write(name, f, asked, appendSDK(nil, s))
	}
	return s, s.Check()
}

// Order says whether List also finds the order in which the user expects the packages.
type Order bool

const (
	AnyOrder     Order = false
	PatternOrder Order = true // that of the patterns
)

// List is load.List, and in the order of the patterns also load.Match.
func (k *Keeper) List(c *load.Config, ordered Order, patterns ...string) (pkgs []*load.Package, order []string, err error) {
	question := append([]string{"list", k.cwd, c.Dir, c.SDK.Go, c.SDK.Version, c.Shadow.Key,
		fmt.Sprint(c.Tests, ordered, c.Cgo), strings.Join(c.Tags, ","),
		strings.Join(c.Flags, "\n"), ""}, patterns...)
	name, keep := k.name(question...), !c.Faulty && c.Overlay == nil
	if keep {
		if r := k.read(name); r != nil {
			pkgs, order := readPackages(r, c.Release()), r.Strings()
			if r.Done() {
				return pkgs, order, nil
			}
		}
	}
	asked := time.Now()
	k.asked++
	matched := make(chan []string, 1)
	if ordered {
		go func() {
			paths, _ := load.Match(c, patterns...) // List reports errors
			matched <- paths
		}()
	}
	pkgs, warnings, err := load.Ask(c, patterns...)
	if err != nil {
		return nil, nil, err
	}
	load.Warn(warnings)
	if ordered {
		order = <-matched
	}
	f := new(facts)
	// Flags for C are what #cgo lines say, which facts do not tell of.
	keep = keep && (c.Cgo == load.CgoOff ||
		!slices.ContainsFunc(pkgs, func(p *load.Package) bool { return len(p.CgoFiles) > 0 && !p.Standard }))
	if keep && warnings == "" && k.dir != "" && f.build(c, k.cwd, patterns, pkgs) {
		k.write(name, f, asked, wire.AppendStrings(appendPackages(nil, pkgs), order))
	}
	return pkgs, order, nil
}
