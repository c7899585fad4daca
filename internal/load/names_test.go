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

// Sources that the go command and cgo made are in nobody's directory.
func TestNamesOfMade(t *testing.T) {
	c := &Config{Shadow: &Shadow{Dir: "/cache/shadow", GOROOT: "/usr/local/go"}, Overlay: map[string]string{"/home/p/b.go": "/home/q/b.go"}}
	for _, trim := range []bool{false, true} {
		c.TrimPath = trim
		n := c.Names([]*Package{
			{ImportPath: "p", Dir: "/home/p", Files: Files{GoFiles: []string{"/home/p/a.go", "/home/q/b.go"}}},
			{ImportPath: "p.test", Name: "main", Dir: "/home/p", Files: Files{GoFiles: []string{"/cache/main.go"}}},
		}, func(*Package) (source, assembly Rewrites) { return nil, nil })
		n.NameC([]string{"/cache/1.cgo.go"})
		dir := "/home/"
		if trim {
			dir = ""
		}
		for name, want := range map[string]string{
			"/cache/1.cgo.go": "_cgo_gotypes.go", "/home/p/a.go": dir + "p/a.go", "/home/q/b.go": dir + "p/b.go",
			"/cache/main.go": "_testmain.go",
		} {
			if have := n.Show(name); have != want {
				t.Errorf("-trimpath=%v: %s is shown as %s, want %s", trim, name, have, want)
			}
		}
	}
}

// With -trimpath files that the command line names have no package's path.
func TestNamesOfFiles(t *testing.T) {
	c := &Config{TrimPath: true, Shadow: &Shadow{Dir: "/cache/shadow", GOROOT: "/usr/local/go"}}
	none := func(*Package) (source, assembly Rewrites) { return nil, nil }
	n := c.Names([]*Package{{ImportPath: "command-line-arguments", Dir: "/home/p", Files: Files{GoFiles: []string{"/home/p/a.go"}}}}, none)
	if have := n.Show("/home/p/a.go"); have != "./a.go" || n.Find(have) != "/home/p/a.go" {
		t.Errorf("a.go is shown as %s, and that is %s", have, n.Find(have))
	}
}
