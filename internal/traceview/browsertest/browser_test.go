// Package browsertest looks at the pages of loam trace in a real browser: it opens them on
// traces that it has just made, zooms, selects, reads the figures off the page and compares
// them with those that it computes from the trace file itself, by other code than loam's.
//
// It is a module of its own, so that a build of loam need not have the browser's driver. It
// needs chromium (setup.sh in this directory installs Debian's). Without one the tests are
// skipped, but in continuous integration (CI is set) they fail.
package browsertest

import (
	"bufio"
	"context"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/chromedp"
)

var (
	documents = flag.Int("documents", 300, "how many documents examples/feeds searches")
	pictures  = flag.String("pictures", "", "put pictures of the views into this `directory`")
)

// root is the project's directory.
var root, _ = filepath.Abs("../../..")

// findBrowser returns a chromium, or ends the test.
func findBrowser(t testing.TB) string {
	for _, name := range []string{os.Getenv("LOAM_CHROMIUM"), "chromium", "chromium-browser", "google-chrome", "headless-shell"} {
		if path, err := exec.LookPath(name); err == nil {
			return path
		}
	}
	const missing = "no chromium: run internal/traceview/browsertest/setup.sh as root, or name one in LOAM_CHROMIUM"
	if os.Getenv("CI") != "" {
		t.Fatal(missing)
	}
	t.Skip(missing)
	return ""
}

// open starts a browser with an empty page; whatever goes wrong in the page fails the test.
func open(t testing.TB) context.Context {
	options := append(chromedp.DefaultExecAllocatorOptions[:],
		chromedp.ExecPath(findBrowser(t)), chromedp.NoSandbox)
	ctx, cancel := chromedp.NewExecAllocator(context.Background(), options...)
	t.Cleanup(cancel)
	ctx, closePage := chromedp.NewContext(ctx)
	t.Cleanup(closePage)
	do(t, ctx, chromedp.EmulateViewport(1400, 900))
	if _, err := chromedp.Call(ctx, emulation.SetEmulatedMedia, emulation.SetEmulatedMediaParams{
		Features: []*emulation.MediaFeature{{Name: "prefers-color-scheme", Value: "light"}},
	}); err != nil {
		t.Fatal(err)
	}
	console := chromedp.Console(ctx)
	done := make(chan struct{})
	go func() {
		defer close(done)
		for m, err := range console {
			if err != nil {
				return // the test has ended
			}
			if m.IsException() || m.Type == "error" {
				t.Errorf("in the page: %v", m)
			}
		}
	}()
	t.Cleanup(func() { closePage(); <-done })
	ctx, cancel = context.WithTimeout(ctx, 4*time.Minute)
	t.Cleanup(cancel)
	return ctx
}

// do runs actions, or ends the test.
func do(t testing.TB, ctx context.Context, actions ...chromedp.Action[chromedp.Void]) {
	t.Helper()
	if err := chromedp.Do(ctx, actions...); err != nil {
		t.Fatal(err)
	}
}

// get runs an action and returns its value, or ends the test.
func get[T any](t testing.TB, ctx context.Context, action chromedp.Action[T]) T {
	t.Helper()
	v, err := chromedp.Run(ctx, action)
	if err != nil {
		t.Fatal(err)
	}
	return v
}

// eval returns the value of an expression in the page.
func eval[T any](t testing.TB, ctx context.Context, expression string) T {
	t.Helper()
	return get(t, ctx, chromedp.Evaluate[T](expression))
}

// await returns what the promise that an expression in the page makes comes to.
func await[T any](t testing.TB, ctx context.Context, expression string) T {
	t.Helper()
	eval[bool](t, ctx, `(window.answer = undefined, `+expression+`.then(v => window.answer = v), true)`)
	wait(t, ctx, `window.answer !== undefined`)
	return eval[T](t, ctx, `window.answer`)
}

// wait waits until an expression in the page is true. It asks again and again rather than
// with chromedp.Poll, which does not survive a navigation.
func wait(t testing.TB, ctx context.Context, expression string) {
	t.Helper()
	var yes bool
	var err error
	for end := time.Now().Add(20 * time.Second); time.Now().Before(end); time.Sleep(20 * time.Millisecond) {
		if yes, err = chromedp.Run(ctx, chromedp.Evaluate[bool](expression)); yes && err == nil {
			return
		}
	}
	t.Fatalf("waited in vain for %s (%v)", expression, err)
}

// serve starts loam trace and returns the page's address.
func serve(t testing.TB, args ...string) string {
	cmd := exec.Command(command(), append([]string{"trace"}, args...)...)
	cmd.Stderr = os.Stderr
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		cmd.Process.Signal(os.Interrupt)
		if err := cmd.Wait(); err != nil {
			t.Errorf("loam trace: %v", err)
		}
	})
	line, err := bufio.NewReader(out).ReadString('\n')
	if err != nil {
		t.Fatalf("loam trace %s printed no address: %v", strings.Join(args, " "), err)
	}
	return strings.TrimSpace(line)
}

// command returns the loam that is tested.
func command() string {
	if loam := os.Getenv("LOAM"); loam != "" {
		return loam
	}
	return filepath.Join(root, "bin", "loam")
}

// programs holds examples/feeds, made by both compilers when it is first asked for.
var programs struct {
	directory string
	feeds     map[string]func() (string, error) // by compiler
}

func TestMain(m *testing.M) {
	flag.Parse()
	dir, err := os.MkdirTemp("", "loam-browsertest")
	if err == nil {
		err = os.Mkdir(filepath.Join(dir, "documents"), 0o777)
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	programs.directory = dir
	programs.feeds = map[string]func() (string, error){}
	for name, compiler := range map[string]string{"gc": "go", "loam": command()} {
		programs.feeds[name] = sync.OnceValues(func() (string, error) {
			exe := filepath.Join(dir, "feeds-"+name)
			cmd := exec.Command(compiler, "build", "-o", exe, "./examples/feeds")
			cmd.Dir = root
			cmd.Env = append(os.Environ(), "CGO_ENABLED=0")
			if out, err := cmd.CombinedOutput(); err != nil {
				return "", fmt.Errorf("%v\n%s", err, out)
			}
			return exe, nil
		})
	}
	code := m.Run()
	os.RemoveAll(dir)
	os.Exit(code)
}

// record makes a trace, with CPU samples, of one version of examples/feeds.
func record(t testing.TB, compiler, mode string) string {
	exe, err := programs.feeds[compiler]()
	if err != nil {
		t.Fatal(err)
	}
	// The page shows the path, and pictures of it are in the documentation.
	file := filepath.Join(programs.directory, compiler+"-"+mode+".trace")
	cmd := exec.Command(exe, "-run", "-mode", mode, "-n", fmt.Sprint(*documents),
		"-dir", filepath.Join(programs.directory, "documents"), "-trace", file, "-cpuprofile", file+".cpu")
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("feeds: %v\n%s", err, out)
	}
	return file
}
