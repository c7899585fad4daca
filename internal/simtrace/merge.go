package simtrace

import (
	"bufio"
	"cmp"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"
)

// Part is the trace of a process of a world.
type Part struct {
	Process string
	Text    []byte
}

// Merge writes the trace of a world: the events of all processes by the time at which they were, in
// front of each process's a line with its name. Machines have one clock, and what one of them sends
// arrives later at another. So a cause comes before what it causes.
func Merge(to io.Writer, parts []Part) error {
	var all []piece
	for i, p := range parts {
		pieces, err := p.pieces(i)
		if err != nil {
			return fmt.Errorf("the trace of %s: %w", p.Process, err)
		}
		all = append(all, pieces...)
	}
	slices.SortStableFunc(all, func(a, b piece) int { return cmp.Or(cmp.Compare(a.time, b.time), cmp.Compare(a.part, b.part)) })
	out := bufio.NewWriter(to)
	out.WriteString(Head)
	last := -1
	for _, p := range all {
		if p.part != last {
			fmt.Fprintf(out, "process %s\n", parts[p.part].Process)
			last = p.part
		}
		out.WriteString(p.text)
	}
	return out.Flush()
}

// piece is an event with the lines in front of it, which introduce what it names.
type piece struct {
	time uint64
	part int
	text string
}

// pieces cuts the text of a process. What is behind the last event, as in the file of a process
// that was killed, is left out.
func (p *Part) pieces(part int) (pieces []piece, err error) {
	text, ok := strings.CutPrefix(string(p.Text), Head)
	if !ok {
		return nil, nil // it was killed before it wrote
	}
	begun, at, time := 0, 0, uint64(0)
	for line := range strings.Lines(text) {
		at += len(line)
		if !strings.HasSuffix(line, "\n") {
			break
		}
		words := strings.SplitN(line, " ", 4)
		switch Kind(words[0]) {
		case Turn, Left, Stall, Fault:
		default:
			continue
		}
		if len(words) < 4 {
			return nil, fmt.Errorf("an event without a time: %q", line)
		}
		now, err := strconv.ParseUint(words[2], 10, 64)
		if err != nil {
			return nil, fmt.Errorf("an event without a time: %q", line)
		}
		time = max(time, now) // the order within a process is that of its file
		pieces = append(pieces, piece{time, part, text[begun:at]})
		begun = at
	}
	return pieces, nil
}
