package cacheprog

import (
	"bytes"
	"crypto/sha256"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"loam/internal/loamtest"
)

// server makes the server of testdata and returns a function that starts a client with it.
func server(t *testing.T) func(flags ...string) (*Client, string, error) {
	t.Helper()
	exe := filepath.Join(t.TempDir(), "server")
	loamtest.Do(t, "go", "build", "-o", exe, "./testdata/server")
	dir := t.TempDir()
	return func(flags ...string) (*Client, string, error) {
		log := filepath.Join(t.TempDir(), "log")
		c, err := Start(append([]string{exe, "-dir=" + dir, "-log=" + log}, flags...), os.Stderr)
		return c, log, err
	}
}

func bodyOf(i int) []byte { return bytes.Repeat([]byte{byte(i)}, i*i*100) }

// TestConcurrent puts and gets from many goroutines at once, contents empty and large, and gets
// them again from a second server.
func TestConcurrent(t *testing.T) {
	start := server(t)
	for round := range 2 {
		c, log, err := start()
		if err != nil {
			t.Fatal(err)
		}
		var all sync.WaitGroup
		for i := range 40 {
			all.Go(func() {
				action, body := sha256.Sum256([]byte{byte(i)}), bodyOf(i)
				if file, _, err := c.Get(action); (file == "") != (round == 0) || err != nil {
					t.Errorf("round %d: %d is in %q, %v", round, i, file, err)
				}
				if round == 0 {
					if err := c.Put(action, sha256.Sum256(body), int64(len(body)), bytes.NewReader(body)); err != nil {
						t.Error(err)
					}
				}
				file, output, err := c.Get(action)
				got, readErr := os.ReadFile(file)
				if err != nil || readErr != nil || !bytes.Equal(got, body) || output != sha256.Sum256(body) {
					t.Errorf("%d: %d bytes, %v %v", i, len(got), err, readErr)
				}
			})
		}
		all.Wait()
		if err := c.Close(); err != nil {
			t.Error(err)
		}
		text, _ := os.ReadFile(log)
		if gets, puts := strings.Count(string(text), "get\n"), strings.Count(string(text), "put\n"); gets != 80 ||
			puts != 40*(1-round) || !strings.HasSuffix(string(text), "close\n") {
			t.Errorf("round %d: %d gets, %d puts", round, gets, puts)
		}
	}
}

// TestCommands: a program gets only the commands that it knows.
func TestCommands(t *testing.T) {
	start := server(t)
	c, log, err := start("-knows=get")
	if err != nil {
		t.Fatal(err)
	}
	if err := c.Put(ID{1}, ID{2}, 1, strings.NewReader("x")); err != nil {
		t.Error(err)
	}
	if file, _, err := c.Get(ID{1}); file != "" || err != nil {
		t.Error(file, err)
	}
	if err := c.Close(); err != nil {
		t.Error(err)
	}
	if text, _ := os.ReadFile(log); string(text) != "get\nend\n" {
		t.Errorf("%q", text)
	}
	if _, _, err := start("-knows="); err == nil || !strings.HasSuffix(err.Error(), "declared no supported commands") {
		t.Error(err)
	}
	missing := filepath.Join(t.TempDir(), "none")
	if _, err := Start([]string{missing}, os.Stderr); err == nil ||
		!strings.HasPrefix(err.Error(), fmt.Sprintf("error starting GOCACHEPROG program %q: ", missing)) {
		t.Error(err)
	}
}

// TestWrong: what is wrong with one answer is that request's error; a program that breaks off, or
// speaks something else, has an error for all requests, and nobody waits for ever.
func TestWrong(t *testing.T) {
	start := server(t)
	for _, test := range []struct {
		how, want string
		broken    bool
	}{
		{"exit", "GOCACHEPROG exited pre-Close with 1 pending requests", true},
		{"garbage", "error reading JSON from GOCACHEPROG: invalid character 'h' in literal true (expecting 'r')", true},
		{"unknown", "GOCACHEPROG sent response for unknown request ID 1002", true},
		{"error", "the disk is on fire", false},
		{"nopath", "GOCACHEPROG didn't return DiskPath in put response", false},
	} {
		c, _, err := start("-wrong="+test.how, "-after=1")
		if err != nil {
			t.Fatal(err)
		}
		put := func() error { return c.Put(ID{1}, ID{2}, 3, strings.NewReader("abc")) }
		if err := put(); err != nil {
			t.Errorf("%s: %v", test.how, err)
		}
		if err := put(); err == nil || err.Error() != test.want {
			t.Errorf("%s: %v, want %s", test.how, err, test.want)
		}
		if err := c.Broken(); (err != nil) != test.broken {
			t.Errorf("%s: broken: %v", test.how, err)
		}
		if _, _, err := c.Get(ID{1}); err == nil && test.how != "nopath" {
			t.Errorf("%s: and then a get works", test.how)
		}
		c.Close()
	}
	// A body that ends early.
	c, _, err := start()
	if err != nil {
		t.Fatal(err)
	}
	if err := c.Put(ID{1}, ID{2}, 4, strings.NewReader("abc")); err == nil || err.Error() != "GOCACHEPROG: a content has 3 bytes, not 4" {
		t.Error(err)
	}
	c.Close()
	if file, _, _ := c.Get(ID{1}); file != "" {
		t.Error("half of a body was kept")
	}
}
