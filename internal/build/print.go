package build

import (
	"fmt"
	"io"
	"strings"
	"sync"
	"time"
)

// printer writes whole lines and, on a terminal, one progress line below them, which appears
// only when a build takes long enough to wonder.
type printer struct {
	w        io.Writer
	progress bool

	mu      sync.Mutex
	total   int
	done    int
	what    string
	began   time.Time
	visible bool
}

// patience is how long a build stays silent.
const patience = 400 * time.Millisecond

func (p *printer) start(total int) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.total, p.done, p.what, p.began = total, 0, "", time.Now()
}

// step says that one more action is done; at names the one being worked on.
func (p *printer) step(what string) { p.advance(1, what) }
func (p *printer) at(what string)   { p.advance(0, what) }

func (p *printer) advance(by int, what string) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.done += by
	if what != "" {
		p.what = what
	}
	if !p.progress || time.Since(p.began) < patience {
		return
	}
	text := fmt.Sprintf("[%d/%d] %s", p.done, p.total, p.what)
	if len(text) > 78 {
		text = text[:78]
	}
	fmt.Fprintf(p.w, "\r%s%s", text, "\x1b[K")
	p.visible = true
}

// line writes text, without its final newline, above the progress line.
func (p *printer) line(text string) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.hide()
	fmt.Fprintln(p.w, strings.TrimRight(text, "\n"))
}

// clear takes the progress line away.
func (p *printer) clear() {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.hide()
}

func (p *printer) hide() {
	if p.visible {
		fmt.Fprint(p.w, "\r\x1b[K")
		p.visible = false
	}
}
