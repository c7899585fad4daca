package tracer

import "loam/rt/sys"

// Writing out what a generation's events refer to, after the generation is over. One goroutine at a
// time; any stack that is pinned, because a buffer that fills up goes to the queue.

// TableWriter writes batches of one kind of table.
type TableWriter struct {
	buf  *buffer
	gen  uint64
	kind uint8
}

// NewTableWriter begins the batches of the given kind: EvStacks, EvStrings, EvSync or EvCPUSamples.
func NewTableWriter(gen uint64, kind uint8) TableWriter {
	return TableWriter{gen: gen, kind: kind}
}

// need makes room for n bytes.
func (w *TableWriter) need(n uintptr) {
	if w.buf != nil && w.buf.room() >= n {
		return
	}
	w.Close()
	w.buf = newBuffer()
	w.buf.begin(w.gen, NoThread)
	w.buf.byte(w.kind)
}

// Close hands over what was written.
func (w *TableWriter) Close() {
	if w.buf != nil {
		w.buf.end()
		queue.push(w.buf, w.gen)
		w.buf = nil
	}
}

// Stack begins a stack of n frames; Frame follows n times.
func (w *TableWriter) Stack(id uint64, n int) {
	w.need(uintptr(1 + 2*maxVarint + n*4*maxVarint))
	w.buf.byte(EvStack)
	w.buf.varint(id)
	w.buf.varint(uint64(n))
}

// Frame writes one frame of a stack; function and file are numbers of strings.
func (w *TableWriter) Frame(pc uintptr, function, file, line uint64) {
	w.buf.varint(uint64(pc))
	w.buf.varint(function)
	w.buf.varint(file)
	w.buf.varint(line)
}

// Sample writes a sample of the CPU profile.
func (w *TableWriter) Sample(time, m, p, g, stack uint64) {
	w.need(1 + 5*maxVarint)
	w.buf.byte(EvCPUSample)
	w.buf.varint(time)
	w.buf.varint(m)
	w.buf.varint(p)
	w.buf.varint(g)
	w.buf.varint(stack)
}

func (w *TableWriter) string(id uint64, s string) {
	w.need(uintptr(1 + 2*maxVarint + len(s)))
	b := w.buf
	b.byte(EvString)
	b.varint(id)
	b.varint(uint64(len(s)))
	b.n += uintptr(copy(b.data[b.n:], s))
}

// WriteStrings writes the generation's string table.
func WriteStrings(gen uint64) {
	w := NewTableWriter(gen, EvStrings)
	for i := Text(1); i < numTexts; i++ {
		w.string(uint64(i), texts[i])
	}
	strings[gen&1].forEach(func(e *entry) {
		w.string(e.id, stringAt(e))
	})
	w.Close()
}

// WriteSync writes the frequency of the generation's clock and what other clocks say at one moment.
func WriteSync(gen uint64) {
	w := NewTableWriter(gen, EvSync)
	w.need(2 + 6*maxVarint)
	b := w.buf
	b.byte(EvFrequency)
	b.varint(1e9 / TickNs)
	sec, nsec := sys.Walltime()
	mono := sys.Nanotime()
	now := max(uint64(mono)/TickNs, b.last)
	b.byte(EvClockSnapshot)
	b.varint(now - b.last)
	b.varint(uint64(mono))
	b.varint(uint64(sec))
	b.varint(uint64(nsec))
	w.Close()
}
