package load

import "testing"

// -overlay names files of std as users know them.
func TestOverlayOfStd(t *testing.T) {
	c := &Config{
		Shadow:  &Shadow{Dir: "/cache/shadow", GOROOT: "/usr/local/go"},
		Overlay: map[string]string{"/usr/local/go/src/time/tick_test.go": "/home/tick.go", "/home/a.go": "/home/b.go"},
	}
	p := &Package{Files: Files{GoFiles: []string{"/cache/shadow/src/time/tick_test.go", "/cache/shadow/src/time/time.go", "/home/a.go"}}}
	c.applyOverlay(p)
	for i, want := range []string{"/home/tick.go", "/cache/shadow/src/time/time.go", "/home/b.go"} {
		if p.GoFiles[i] != want {
			t.Errorf("%s, want %s", p.GoFiles[i], want)
		}
	}
}
