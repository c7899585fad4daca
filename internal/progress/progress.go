// Package progress tells the user of a build how it goes on: whole lines and, on a terminal, one
// Line below them that says how much is done, and of what.
package progress

import (
	"fmt"
	"io"
	"os"
	"slices"
	"strings"
	"sync"
	"syscall"
	"time"
	"unsafe"
)

// A Printer writes whole lines and, on a terminal, one progress line below them, which appears
// only when a build takes long enough to wonder.
type Printer struct {
	w        io.Writer
	progress bool

	mu      sync.Mutex
	work    account
	note    string      // is printed once, when the line appears
	now     []string    // what is being worked on
	wait    *time.Timer // until the line may appear; nil outside of Start and Clear
	shown   bool        // the line may appear
	visible bool
	midLine bool // the last that was printed by others has no newline yet
}

// patience is how long a build stays silent.
const patience = 400 * time.Millisecond

// New returns a printer to w, with a progress line if that makes sense there.
func New(w io.Writer, line bool) *Printer { return &Printer{w: w, progress: line} }

// Shows reports whether there is a progress line.
func (p *Printer) Shows() bool { return p.progress }

// Start begins a progress line.
func (p *Printer) Start() {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.work, p.now, p.note = account{}, nil, ""
	if p.progress && p.wait == nil {
		p.wait = time.AfterFunc(patience, func() {
			p.mu.Lock()
			defer p.mu.Unlock()
			p.shown = p.wait != nil
			p.draw()
		})
	}
}

// Begin says that name is being worked on; End that it is not any more, for now.
func (p *Printer) Begin(name string) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.now = append(p.now, name)
	p.draw()
}

func (p *Printer) End(name string) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if i := slices.Index(p.now, name); i >= 0 {
		p.now = slices.Delete(p.now, i, i+1)
	}
}

// draw shows the progress line, if its time has come. The caller holds the lock.
func (p *Printer) draw() {
	if !p.shown || p.midLine {
		return
	}
	if p.note != "" {
		p.hide()
		fmt.Fprintln(p.w, p.note)
		p.note = ""
	}
	text := p.work.String() + strings.Join(p.now, ", ")
	if most := p.width() - 2; len(text) > most {
		text = text[:most]
	}
	fmt.Fprintf(p.w, "\r%s%s", text, "\x1b[K")
	p.visible = true
}

// width is the number of columns of the terminal.
func (p *Printer) width() int {
	var size struct{ rows, columns, x, y uint16 }
	if f, ok := p.w.(*os.File); ok {
		syscall.Syscall(syscall.SYS_IOCTL, f.Fd(), syscall.TIOCGWINSZ, uintptr(unsafe.Pointer(&size)))
	}
	if size.columns < 20 {
		return 80
	}
	return int(size.columns)
}

// line writes text, without its final newline, above the progress line.
func (p *Printer) Line(text string) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.hide()
	fmt.Fprintln(p.w, strings.TrimRight(text, "\n"))
}

// Clear ends the progress line and takes it away.
func (p *Printer) Clear() {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.wait != nil {
		p.wait.Stop()
		p.wait = nil
	}
	p.shown = false
	p.hide()
}

func (p *Printer) hide() {
	if p.visible {
		fmt.Fprint(p.w, "\r\x1b[K")
		p.visible = false
	}
}

// aside is a writer for what others print to the same terminal, not always in whole lines.
type aside struct {
	p *Printer
	w io.Writer
}

func (a aside) Write(text []byte) (int, error) {
	a.p.mu.Lock()
	defer a.p.mu.Unlock()
	a.p.hide()
	if len(text) > 0 {
		a.p.midLine = text[len(text)-1] != '\n'
	}
	return a.w.Write(text)
}

// Aside returns a writer to w that does not get in the way of the progress line.
func (p *Printer) Aside(w io.Writer) io.Writer { return aside{p, w} }
