package build

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

// printer writes whole lines and, on a terminal, one progress line below them, which appears
// only when a build takes long enough to wonder.
type printer struct {
	w        io.Writer
	progress bool

	mu      sync.Mutex
	work    account
	note    string      // is printed once, when the line appears
	now     []string    // what is being worked on
	wait    *time.Timer // until the line may appear; nil outside of start and clear
	shown   bool        // the line may appear
	visible bool
	midLine bool // the last that was printed by others has no newline yet
}

// patience is how long a build stays silent.
const patience = 400 * time.Millisecond

// start begins a progress line.
func (p *printer) start() {
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

// account changes what the line says of how much is done.
func (p *printer) account(change func(*account)) {
	p.mu.Lock()
	defer p.mu.Unlock()
	change(&p.work)
	p.draw()
}

// begin says that name is being worked on; end that it is not any more, for now.
func (p *printer) begin(name string) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.now = append(p.now, name)
	p.draw()
}

func (p *printer) end(name string) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if i := slices.Index(p.now, name); i >= 0 {
		p.now = slices.Delete(p.now, i, i+1)
	}
}

// draw shows the progress line, if its time has come. The caller holds the lock.
func (p *printer) draw() {
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
func (p *printer) width() int {
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
func (p *printer) line(text string) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.hide()
	fmt.Fprintln(p.w, strings.TrimRight(text, "\n"))
}

// clear ends the progress line and takes it away.
func (p *printer) clear() {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.wait != nil {
		p.wait.Stop()
		p.wait = nil
	}
	p.shown = false
	p.hide()
}

func (p *printer) hide() {
	if p.visible {
		fmt.Fprint(p.w, "\r\x1b[K")
		p.visible = false
	}
}

// aside is a writer for what others print to the same terminal, not always in whole lines.
type aside struct {
	p *printer
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

// Aside returns a writer to w that does not get in the way of the builder's progress line.
func (b *Builder) Aside(w io.Writer) io.Writer { return aside{b.print, w} }
