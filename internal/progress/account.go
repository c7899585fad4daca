package progress

import "fmt"

// An account is how much of a build is done, in bytes of LLVM text, by which clang's time goes. A
// count of packages would say nothing of the time: most of their text is compiled long after their
// front halves are done, and the greatest first.
type account struct {
	source, read    int  // bytes of sources to be compiled, and of those whose front halves are done
	asked, compiled int  // bytes of text
	known           bool // all is asked for

	percent float64 // the most that was said
}

// What a byte of sources costs, in bytes of text: the front half itself, and the text that programs
// need of it, as long as nobody knows better. The packages of a program with net/http have 10 MB of
// sources. Clang compiles 100 MB of text for it, which takes five times as long as the front
// halves.
const (
	frontCost = 2
	usualText = 10
)

// String is the account in front of the names of packages.
func (a *account) String() string {
	text := a.asked
	if !a.known {
		text = max(text, usualText*a.source)
	}
	all := frontCost*a.source + text
	if all == 0 {
		return ""
	}
	a.percent = max(a.percent, 100*float64(frontCost*a.read+a.compiled)/float64(all))
	return fmt.Sprintf("[%d%%] ", min(int(a.percent), 100))
}

// Open begins the account of a build with so many bytes of sources to be compiled. note is printed
// once, when the line appears; "" for none.
func (p *Printer) Open(source int, note string) {
	p.change(func(a *account) {
		a.source = source
		if note != "" {
			p.note = note
		}
	})
}

// Found notes that so many bytes of sources need not be compiled after all.
func (p *Printer) Found(source int) { p.change(func(a *account) { a.source -= source }) }

// Read notes that the front half of so many bytes of sources is done.
func (p *Printer) Read(source int) { p.change(func(a *account) { a.read += source }) }

// Asked notes that so many bytes of text are to be compiled.
func (p *Printer) Asked(text int) { p.change(func(a *account) { a.asked += text }) }

// Compiled notes that so many bytes of text are compiled.
func (p *Printer) Compiled(text int) { p.change(func(a *account) { a.compiled += text }) }

// AllAsked notes that no more text will be asked for.
func (p *Printer) AllAsked() { p.change(func(a *account) { a.known = true }) }

// change changes what the line says of how much is done.
func (p *Printer) change(change func(*account)) {
	p.mu.Lock()
	defer p.mu.Unlock()
	change(&p.work)
	p.draw()
}
