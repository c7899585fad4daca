package toolchain

import (
	"bytes"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"

	"loam/internal/amd64"
	"loam/internal/store"
	"loam/internal/tools"
)

// serving returns a builder that serves objects made with flags from the first one on.
func serving(t *testing.T) (tc *Toolchain, flags []string) {
	t.Helper()
	cache, err := store.Open(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	tc = &Toolchain{Cache: cache}
	if tc.Clang, err = tools.Find(tc.Cache, "LOAM_CLANG", "clang"); err != nil {
		t.Fatal(err)
	}
	tc.march = "-march=x86-64"
	flags = tc.Flags("-O2")
	if _, err := tc.serve(flags, "none", "none"); err != errNoServer {
		t.Errorf("the first object: %v", err)
	}
	t.Cleanup(tc.EndServers)
	return tc, flags
}

// writeText writes LLVM text with a few functions that differ by n.
func writeText(t *testing.T, dir string, n int) string {
	t.Helper()
	name := filepath.Join(dir, fmt.Sprintf("%d.ll", n))
	text := fmt.Sprintf("source_filename = \"p\"\ntarget triple = %q\n%%T%d = type { i64, [%[2]d x i8] }\n@v = global %%T%[2]d zeroinitializer\n", amd64.Triple, n+1)
	for i := range n%5 + 1 {
		text += fmt.Sprintf("define i64 @f%d(i64 %%x) {\n  %%y = mul i64 %%x, %d\n  %%z = call i64 asm \"mov $1, $0\", \"=r,r\"(i64 %%y)\n  ret i64 %%z\n}\n", i, n)
	}
	if err := os.WriteFile(name, []byte(text), 0o666); err != nil {
		t.Fatal(err)
	}
	return name
}

// TestServers: servers make the objects that clang makes, in any number and order, and more of them
// than one server compiles.
func TestServers(t *testing.T) {
	tc, flags := serving(t)
	dir := t.TempDir()
	object := filepath.Join(dir, "x.o")
	for n := range serverInputs + 3 {
		text := writeText(t, dir, n)
		spent, err := tc.serve(flags, text, object)
		if err != nil || spent <= 0 {
			t.Fatalf("text %d: %v, %v", n, spent, err)
		}
		served, err := os.ReadFile(object)
		if err != nil {
			t.Fatal(err)
		}
		if n%7 > 0 {
			continue
		}
		if out, err := exec.Command(tc.Clang.Path,
			append(flags[:len(flags):len(flags)], "-x", "ir", text, "-o", object)...).CombinedOutput(); err != nil {
			t.Fatalf("%v\n%s", err, out)
		}
		if plain, _ := os.ReadFile(object); !bytes.Equal(served, plain) {
			t.Errorf("text %d: the server's object has %d bytes, clang's %d", n, len(served), len(plain))
		}
	}
	for range serverInputs {
		args := append(flags[:len(flags):len(flags)], "-x", "ir", writeText(t, dir, 1), "-o", object)
		if err := tc.runClang("p", args, nil); err != nil {
			t.Fatal(err)
		}
	}
	if tc.servers.started != 3 || len(tc.servers.idle) != 1 {
		t.Errorf("%d servers were started, %d are idle", tc.servers.started, len(tc.servers.idle))
	}
	tc.EndServers()
	if left, _ := filepath.Glob(filepath.Join(tc.Cache.TempDir(), "*.server")); len(left) > 0 {
		t.Errorf("left %q", left)
	}
}

// TestExpected: once clang's options are known, the first text of a build has a server that was
// started for it. One that nothing comes for ends.
func TestExpected(t *testing.T) {
	first, flags := serving(t)
	first.Expect(flags)
	dir := t.TempDir()
	object := filepath.Join(dir, "x.o")
	text := writeText(t, dir, 1)
	if len(first.servers.coming) > 0 {
		t.Error("a server was started though the options are not known")
	}
	if _, err := first.serve(flags, text, object); err != nil {
		t.Fatal(err)
	}
	first.EndServers()
	later := func() *Toolchain {
		return &Toolchain{Cache: first.Cache, Clang: first.Clang, march: first.march}
	}
	tc := later()
	tc.Expect(flags)
	tc.Expect(flags)
	if n := len(tc.servers.coming); n != 1 {
		t.Errorf("%d servers were started", n)
	}
	if _, err := tc.serve(flags, text, object); err != nil || tc.servers.started != 1 || len(tc.servers.idle) != 1 {
		t.Errorf("%v, %d servers were started, %d are idle", err, tc.servers.started, len(tc.servers.idle))
	}
	tc.EndServers()
	tc = later()
	tc.Expect(flags)
	tc.EndServers()
	tc.servers.unwanted.Wait()
	if left, _ := filepath.Glob(filepath.Join(tc.Cache.TempDir(), "*.server")); len(left) > 0 {
		t.Errorf("left %q", left)
	}
	tc = later()
	tc.Clang.Path = "/bin/true"
	first.Cache.Note(tc.optionsKey(flags), "-cc1")
	tc.Expect(flags)
	if _, err := tc.serve(flags, text, object); err != errNoServer {
		t.Errorf("a clang that does not serve: %v", err)
	}
}

// TestServerFails: what a server cannot compile, or one that is killed or was never one, is an
// error, and nobody waits for it.
func TestServerFails(t *testing.T) {
	tc, flags := serving(t)
	dir := t.TempDir()
	object, good, bad := filepath.Join(dir, "x.o"), writeText(t, dir, 1), filepath.Join(dir, "bad.ll")
	if err := os.WriteFile(bad, []byte("define nothing\n"), 0o666); err != nil {
		t.Fatal(err)
	}
	fails := func(what, text string) {
		t.Helper()
		if _, err := tc.serve(flags, text, object); err != errNoServer {
			t.Errorf("%s: %v", what, err)
		}
		if len(tc.servers.idle) > 0 {
			t.Errorf("%s: the server waits for more", what)
		}
	}
	works := func() {
		t.Helper()
		if _, err := tc.serve(flags, good, object); err != nil {
			t.Fatal(err)
		}
	}
	works()
	fails("no LLVM text", bad)
	works()
	fails("no file", filepath.Join(dir, "none"))
	works()
	s := tc.servers.idle[0]
	syscall.Kill(s.cmd.Process.Pid, syscall.SIGKILL)
	<-s.ended
	fails("a killed server", good)
	works()
	tc.servers.idle[0].log.WriteString("warning")
	fails("a server that says something", good)
	key := tc.servers.options
	for k := range key {
		key[k] = []string{"--version"}
	}
	fails("a clang that does not serve", good)
	clear(key)
	clang := tc.Clang.Path
	tc.Clang.Path = "/bin/true"
	fails("a driver that says nothing", good)
	tc.Clang.Path = writeText(t, dir, 2)
	fails("a script", good)
	tc.Clang.Path = clang
	clear(key)
	works()
	for range mostFailures {
		fails("no LLVM text, again", bad)
	}
	started := tc.servers.started
	fails("one failure too many", good)
	if tc.servers.started != started {
		t.Error("a server was started though so many have failed")
	}
}

// TestQuotedWords: clang's driver puts words in quotes.
func TestQuotedWords(t *testing.T) {
	got := quotedWords(` "/usr/bin/clang" "-cc1" "a \"b\" \\c \$d" "" "-x" "open`)
	if want := []string{"/usr/bin/clang", "-cc1", `a "b" \c $d`, "", "-x"}; !slices.Equal(got, want) {
		t.Errorf("%q, want %q", got, want)
	}
}

// TestTunables: what the user sets for glibc holds.
func TestTunables(t *testing.T) {
	const ours = "glibc.malloc.tcache_count=60000:glibc.malloc.hugetlb=1"
	for users, want := range map[string]string{"": ours, "glibc.malloc.hugetlb=0": ours + ":glibc.malloc.hugetlb=0"} {
		if got := store.Tunables(users); got != want {
			t.Errorf("%q: %q, want %q", users, got, want)
		}
	}
}

// TestLoopAlign: loops begin at multiples of 32.
func TestLoopAlign(t *testing.T) {
	tc := new(Toolchain)
	var err error
	if tc.Clang, err = tools.Find(tc.Cache, "LOAM_CLANG", "clang"); err != nil {
		t.Fatal(err)
	}
	tc.march = "-march=x86-64"
	text := filepath.Join(t.TempDir(), "loop.ll")
	err = os.WriteFile(text, []byte(`define i64 @f(ptr %p, i64 %n) {
entry:
  br label %loop
loop:
  %i = phi i64 [ %n, %entry ], [ %m, %loop ]
  %x = load volatile i64, ptr %p
  %m = add i64 %i, %x
  %c = icmp eq i64 %m, 0
  br i1 %c, label %done, label %loop
done:
  ret i64 %m
}
`), 0o666)
	if err != nil {
		t.Fatal(err)
	}
	out, err := exec.Command(tc.Clang.Path, append(tc.Flags("-O2"), "-S", "-x", "ir", text, "-o", "-")...).Output()
	if err != nil || !strings.Contains(string(out), "\t.p2align\t5") {
		t.Errorf("%v: no loop at a multiple of 32:\n%s", err, out)
	}
}
