package toolchain

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"time"

	"loam/internal/child"
	"loam/internal/install"
	"loam/internal/store"
)

// A server is a clang that compiles one text after another. Starting a clang takes as long as
// compiling 40 KB of text, because LLVM's library has half a million relocations; a third of std's
// packages have less text than that.
//
// clang's compiler, which its driver starts, takes several inputs, and writes each object beside
// its input before it opens the next one. A server's inputs are named pipes, so that they need not
// be known when it starts. To open a pipe for writing waits for the reader: a server whose pipe is
// open has done with all inputs before.
type server struct {
	flags string   // all that it was started with but for files
	dir   string   // of the pipes, and of the objects
	log   *os.File // what it has to say
	at    int      // the input that it waits for
	pipe  *os.File // that input

	reader
}

// serverInputs is how many texts a server compiles. What LLVM keeps between them grows.
const serverInputs = 40

// servers are those that wait for work. A builder has at most as many servers, with those that
// work, as objects are made at the same time.
type servers struct {
	mu      sync.Mutex
	idle    []*server
	seen    map[string]bool     // flags that something was compiled with
	options map[string][]string // of clang's compiler, by the driver's flags
	failed  map[string]int      // how many did not do their work, by flags
	started int

	coming   map[string]chan *server // what starts for a text that is still to be written, by flags
	unwanted sync.WaitGroup          // of those that were expected in vain, which end
	linker   chan *linker            // likewise; see ExpectLinker
}

// mostFailures is how many servers may fail. What makes them fail may be true of all texts, and
// each of these is compiled twice then.
const mostFailures = 10

// errNoServer says that a server could not do its work. A clang of its own has to be asked, whose
// messages the user sees.
var errNoServer = errors.New("no server")

// serve makes an object of the LLVM text or bitcode in the file named text, with those flags, and
// returns the processor time that it took.
func (t *Toolchain) serve(flags []string, text, object string) (time.Duration, error) {
	s, err := t.takeServer(flags)
	if err != nil {
		return 0, err
	}
	before := s.cpu()
	if err := s.compile(text, object); err != nil {
		s.end()
		t.servers.fail(s.flags)
		return 0, errNoServer
	}
	spent := s.cpu() - before
	if s.pipe == nil {
		s.end()
	} else {
		t.servers.mu.Lock()
		t.servers.idle = append(t.servers.idle, s)
		t.servers.mu.Unlock()
	}
	return spent, nil
}

// takeServer returns a server that is not in use. While the options of clang's compiler are not
// known, what is compiled first gets none, because there may be no second.
func (t *Toolchain) takeServer(flags []string) (*server, error) {
	key := strings.Join(flags, " ")
	if s := t.servers.arrived(key); s != nil {
		return s, nil
	}
	s, options := t.servers.take(key, func() []string { return t.knownOptions(flags) }, func() []string {
		// A script may expect to be asked for one object at a time.
		if !install.IsELF(t.Clang.Path) {
			return nil
		}
		return t.compilerOptions(flags)
	})
	switch {
	case options == nil:
		return nil, errNoServer
	case s != nil && s.flags == key:
		return s, nil
	case s != nil:
		s.end() // the new one takes its place
	}
	return t.startServer(options, key)
}

func (t *Toolchain) startServer(options []string, flags string) (*server, error) {
	dir, err := t.Cache.Temp(".server")
	if err != nil {
		return nil, errNoServer // the build ends
	}
	s, err := startServer(t.Cache.Command(t.Clang.Path, options...), flags, dir)
	if err != nil {
		t.servers.fail(flags)
	}
	return s, err
}

// Expect starts a server in the background, if the options are known, for a text that is still to
// be written: it is ready when the text is. The first text of a build gets it.
func (t *Toolchain) Expect(flags []string) {
	all := &t.servers
	all.mu.Lock()
	defer all.mu.Unlock()
	if all.started > 0 || t.DryRun {
		return
	}
	options := t.knownOptions(flags)
	if options == nil {
		return
	}
	key := strings.Join(flags, " ")
	all.started++
	coming := make(chan *server, 1)
	all.coming = map[string]chan *server{key: coming}
	go func() {
		s, err := t.startServer(options, key)
		if err != nil {
			s = nil
		}
		coming <- s
	}()
}

// arrived waits for the server that is expected for those flags, if there is one.
func (all *servers) arrived(flags string) *server {
	all.mu.Lock()
	coming := all.coming[flags]
	delete(all.coming, flags)
	all.mu.Unlock()
	if coming == nil {
		return nil
	}
	return <-coming
}

// take returns a server that is idle, best one with those flags, and the options of a new
// one. Without options there can be none. known and ask say what they are, ask at a price.
func (all *servers) take(flags string, known, ask func() []string) (s *server, options []string) {
	all.mu.Lock()
	defer all.mu.Unlock()
	all.open()
	options, asked := all.options[flags]
	if !asked {
		if options = known(); options == nil {
			if !all.seen[flags] {
				all.seen[flags] = true
				return nil, nil
			}
			options = ask()
		}
		all.options[flags] = options
	}
	if options == nil || all.failed[flags] >= mostFailures {
		return nil, nil
	}
	if len(all.idle) > 0 {
		i := max(slices.IndexFunc(all.idle, func(s *server) bool { return s.flags == flags }), 0)
		s = all.idle[i]
		all.idle = slices.Delete(all.idle, i, i+1)
	}
	if s == nil || s.flags != flags {
		all.started++
	}
	return s, options
}

func (all *servers) open() {
	if all.options == nil {
		all.seen, all.options, all.failed = map[string]bool{}, map[string][]string{}, map[string]int{}
	}
}

// fail notes that a server with those flags has failed.
func (all *servers) fail(flags string) {
	all.mu.Lock()
	defer all.mu.Unlock()
	all.open()
	all.failed[flags]++
}

// EndServers ends the servers that wait for work.
func (t *Toolchain) EndServers() {
	t.servers.mu.Lock()
	defer t.servers.mu.Unlock()
	for _, s := range t.servers.idle {
		s.end()
	}
	t.servers.idle = nil
	for _, coming := range t.servers.coming {
		t.servers.unwanted.Go(func() {
			if s := <-coming; s != nil {
				s.end()
			}
		})
	}
	clear(t.servers.coming)
}

// optionsKey names what is kept of compilerOptions.
func (t *Toolchain) optionsKey(flags []string) *store.Hasher {
	h := store.NewHasher("options")
	h.Add("clang", t.Clang.Path+" "+t.Clang.ID)
	for _, f := range flags {
		h.Add("flag", f)
	}
	return h
}

// knownOptions returns what compilerOptions has returned for the flags in this build or an earlier
// one, nil if it was not asked.
func (t *Toolchain) knownOptions(flags []string) []string {
	text := t.Cache.Recall(t.optionsKey(flags))
	if text == "" {
		return nil
	}
	return strings.Split(text, "\x00")
}

// compilerOptions returns the options with which clang's driver starts the compiler, but for the
// names of files, or nil if it does not say them in the way that is known.
func (t *Toolchain) compilerOptions(flags []string) []string {
	const name = os.DevNull
	out, err := child.Tool(t.Cache.Command(t.Clang.Path, slices.Concat(flags, []string{"-###", "-x", "ir", name, "-o", name})...))
	if err != nil {
		return nil
	}
	for line := range bytes.Lines(out) {
		words := quotedWords(string(line))
		if len(words) < 2 || words[1] != "-cc1" {
			continue
		}
		words = words[1:]
		n := len(words) - 3
		o := slices.Index(words, "-o")
		if n < 0 || !slices.Equal(words[n:], []string{"-x", "ir", name}) || o < 0 || words[o+1] != name {
			return nil
		}
		words = slices.Delete(words[:n], o, o+2)
		words = slices.DeleteFunc(words, func(w string) bool {
			return w == "-disable-free" || // the memory that a text took is free for the next one
				// LLVM text says where it is from, and the driver says where it was asked.
				strings.HasPrefix(w, "-fdebug-compilation-dir=") || strings.HasPrefix(w, "-fcoverage-compilation-dir=")
		})
		t.Cache.Note(t.optionsKey(flags), strings.Join(words, "\x00"))
		return words
	}
	return nil
}

// quotedWords are the words between double quotes in a line that clang's driver prints.
func quotedWords(line string) (words []string) {
	for {
		_, rest, ok := strings.Cut(line, `"`)
		if !ok {
			return words
		}
		var word strings.Builder
		i := 0
		for ; i < len(rest) && rest[i] != '"'; i++ {
			if rest[i] == '\\' && i+1 < len(rest) {
				i++
			}
			word.WriteByte(rest[i])
		}
		if i == len(rest) {
			return words
		}
		words, line = append(words, word.String()), rest[i+1:]
	}
}

// startServer starts cmd as a server with files in dir, and waits until it asks for an input.
func startServer(cmd *exec.Cmd, flags, dir string) (_ *server, err error) {
	if err := os.Mkdir(dir, 0o777); err != nil {
		return nil, errNoServer
	}
	s := &server{flags: flags, dir: dir, reader: newReader(cmd)}
	defer func() {
		if err != nil {
			s.end()
			err = errNoServer
		}
	}()
	if s.log, err = os.Create(filepath.Join(dir, "log")); err != nil {
		close(s.ended)
		return nil, err
	}
	cmd.Stdout, cmd.Stderr = s.log, s.log
	cmd.Args = append(cmd.Args, "-x", "ir")
	for i := range serverInputs {
		if err := syscall.Mkfifo(s.input(i), 0o666); err != nil {
			close(s.ended)
			return nil, err
		}
		cmd.Args = append(cmd.Args, s.input(i))
	}
	if err := s.start(); err != nil {
		return nil, err
	}
	s.pipe, err = s.open(s.input(s.at))
	return s, err
}

// input is the name of a pipe.
func (s *server) input(i int) string { return filepath.Join(s.dir, strconv.Itoa(i)+".ll") }

// compile gives the server a text and waits for its object. A server that has something to say is
// taken for one that has failed. After the last input, the server has no pipe.
func (s *server) compile(text, object string) error {
	f, err := os.Open(text)
	if err != nil {
		return err
	}
	defer f.Close()
	_, err = io.Copy(s.pipe, f)
	s.pipe.Close()
	s.pipe = nil
	if err != nil {
		return err
	}
	made := strings.TrimSuffix(s.input(s.at), ".ll") + ".o"
	if s.at++; s.at == serverInputs {
		<-s.ended
	} else if s.pipe, err = s.open(s.input(s.at)); err != nil {
		return err
	}
	if st, err := s.log.Stat(); err != nil || st.Size() > 0 {
		return errNoServer
	}
	return os.Rename(made, object)
}

// cpu is the processor time that the server has taken, as far as the kernel tells.
func (s *server) cpu() time.Duration {
	select {
	case <-s.ended:
		if p := s.cmd.ProcessState; p != nil {
			return p.UserTime() + p.SystemTime()
		}
		return 0
	default:
	}
	data, err := os.ReadFile(fmt.Sprintf("/proc/%d/schedstat", s.cmd.Process.Pid))
	if err != nil {
		return 0
	}
	first, _, _ := strings.Cut(string(data), " ")
	n, _ := strconv.ParseInt(first, 10, 64)
	return time.Duration(n)
}

// end ends the process and removes its files.
func (s *server) end() {
	if s.pipe != nil {
		s.pipe.Close()
	}
	s.kill()
	if s.log != nil {
		s.log.Close()
	}
	os.RemoveAll(s.dir)
}
