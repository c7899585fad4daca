package escape

import (
	"bufio"
	"os"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"loam/internal/mid"
)

var gcLine = regexp.MustCompile(`^(\S+\.go):(\d+):(\d+): (.*)$`)

// TestCompareStd looks for objects that gc puts on the heap and we do not, which is where a
// hole in our reasoning would show. ESCAPE_GC names a file with gc's messages:
//
//	CGO_ENABLED=0 go build -gcflags=-m PACKAGES 2>gc.txt
//	ESCAPE_GC=gc.txt ESCAPE_PKGS="PACKAGES" go test -run CompareStd -v ./internal/escape
//
// Each difference is listed; most are cases where we are more precise.
func TestCompareStd(t *testing.T) {
	if os.Getenv("ESCAPE_GC") == "" {
		t.Skip("no ESCAPE_GC")
	}
	file, err := os.Open(os.Getenv("ESCAPE_GC"))
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	type place struct {
		file string
		line int
	}
	moved := map[place]string{} // gc: moved to heap, made on the heap
	stays := map[place]int{}
	sc := bufio.NewScanner(file)
	for sc.Scan() {
		m := gcLine.FindStringSubmatch(sc.Text())
		if m == nil {
			continue
		}
		n, _ := strconv.Atoi(m[2])
		p := place{m[1], n}
		switch {
		case strings.HasPrefix(m[4], "moved to heap: "):
			moved[p] = m[4]
		case strings.HasSuffix(m[4], " escapes to heap") && (strings.HasPrefix(m[4], "&") || strings.HasPrefix(m[4], "new(") ||
			strings.HasPrefix(m[4], "func literal") || strings.HasPrefix(m[4], "[]")):
			moved[p] = m[4]
		case strings.HasSuffix(m[4], "does not escape"):
			stays[p]++
		}
	}
	p := loadProgram(t, strings.Fields(os.Getenv("ESCAPE_PKGS"))...)
	both, only, lost := 0, 0, 0
	for _, root := range p.roots {
		f := p.facts[root]
		for v := range f.objects {
			pos := f.fset.Position(Position(v))
			gc, ok := moved[place{pos.Filename, pos.Line}]
			a, isAlloc := v.(*mid.Alloc)
			_, isClosure := v.(*mid.MakeClosure)
			if !isAlloc && !isClosure || isAlloc && (!a.Heap || a.Made == mid.VariadicArgs) {
				continue
			}
			switch {
			case !ok && !f.OnStack(v):
				lost++
				if os.Getenv("ESCAPE_LOST") != "" {
					t.Logf("lost %s: %v %s", pos, v, f.Explain(v))
				}
			case ok && !f.OnStack(v):
				both++
			case ok && stays[place{pos.Filename, pos.Line}] == 0:
				only++
				t.Logf("%s: gc: %s; we: on the stack: %s in %s", pos, gc, v, v.Parent())
			}
		}
	}
	t.Logf("both on the heap %d, only gc's %d, only ours %d", both, only, lost)
}
