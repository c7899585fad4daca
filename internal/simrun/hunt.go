package simrun

import (
	"bytes"
	"cmp"
	"encoding/binary"
	"fmt"
	"os"
	"sync"
	"time"

	"loam/rt/sim"
)

// Found is what came of many runs.
type Found struct {
	Runs      uint64
	Decisions uint64
	Hashes    int  // different ones among the runs: how many ways the program went
	Failure   *Run // of the lowest seed that failed, nil if none did
	Places    Places
	Again     uint64 // runs that were repeated, and were the same
	Only      *Run   // if one seed was asked for
	Tried     Tried
	Coverage  Coverage // if the program was asked for it
}

// Coverage is how many different decisions the runs came to, and at how many of them they have
// tried all that they could do there.
type Coverage struct{ Decisions, Whole int }

// coverage reads the table that runs share.
func (p *Program) coverage() (c Coverage, err error) {
	if p.Cover == "" {
		return c, nil
	}
	text, err := os.ReadFile(p.Cover)
	table := make(sim.Coverage, len(text)/8)
	for i := range table {
		table[i] = binary.LittleEndian.Uint64(text[8*i:])
	}
	c.Decisions, c.Whole = table.Count()
	return c, err
}

// Twice is how often a run is repeated, to see that it is the same, if Program.Twice does not say.
const Twice = 64

// Hunt runs the seeds from first on, n of them or as many as begin before the end, but one at
// least, with so many workers. It ends early when a seed fails and all lower ones have been run.
// progress may be nil.
func (p *Program) Hunt(first, n uint64, end time.Time, workers int, progress func(done uint64)) (*Found, error) {
	h := &hunt{p: p, first: first, n: n, end: end, next: first, hashes: map[uint64]struct{}{}, progress: progress}
	h.found.Places = Places{}
	var wg sync.WaitGroup
	for i := range max(1, min(workers, int(min(n, 1<<10)))) {
		wg.Go(func() { h.work(i) })
	}
	wg.Wait()
	h.found.Hashes = len(h.hashes)
	if h.err == nil {
		h.found.Coverage, h.err = p.coverage()
	}
	return &h.found, h.err
}

// hunt is the state that the workers share.
type hunt struct {
	p        *Program
	first, n uint64
	end      time.Time // zero: none
	progress func(done uint64)

	mu     sync.Mutex
	next   uint64
	found  Found
	hashes map[uint64]struct{}
	err    error
}

// take gives out the next seed.
func (h *hunt) take() (seed uint64, ok bool) {
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.err != nil || h.next-h.first >= h.n || h.found.Failure != nil && h.next > h.found.Failure.Seed ||
		!h.end.IsZero() && h.next > h.first && time.Now().After(h.end) {
		return 0, false
	}
	seed = h.next
	h.next++
	return seed, true
}

func (h *hunt) work(i int) {
	s, err := h.p.Serve(fmt.Sprint("worker", i))
	if err != nil {
		h.fail(err)
		return
	}
	defer s.Close()
	for {
		seed, ok := h.take()
		if !ok {
			return
		}
		r, err := s.Run(seed)
		if err == nil && r.NeedsWorld {
			err = ErrWorld
		}
		again := err == nil && r.Reported && (seed-h.first)%cmp.Or(h.p.Twice, Twice) == 0
		if again {
			err = check(s, r)
		}
		if err != nil {
			h.fail(err)
			return
		}
		h.note(r, again)
	}
}

func (h *hunt) fail(err error) {
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.err == nil {
		h.err = err
	}
}

func (h *hunt) note(r *Run, again bool) {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.found.Runs++
	if again {
		h.found.Again++
	}
	h.found.Decisions += r.Decisions
	h.hashes[r.Hash] = struct{}{}
	h.found.Places.Add(r.Places)
	if h.n == 1 {
		h.found.Only = r
	}
	if r.Failed() && (h.found.Failure == nil || r.Seed < h.found.Failure.Seed) {
		h.found.Failure = r
	}
	if h.progress != nil {
		h.progress(h.found.Runs)
	}
}

// check makes the run again, in a process of its own, and says where the two differ if they do.
func check(s Runner, r *Run) error {
	again, err := s.Run(r.Seed, Alone)
	if err != nil || again.Hash == r.Hash && again.Status == r.Status && bytes.Equal(again.Output, r.Output) {
		return err
	}
	return fmt.Errorf("two runs with seed %d differ: status %#x and %#x, hash %#x and %#x%s\n"+
		"Something that the simulation does not know decides what the program does",
		r.Seed, uint32(r.Status), uint32(again.Status), r.Hash, again.Hash, firstDifference(s, r.Seed))
}

// firstDifference traces two runs and describes where they part.
func firstDifference(s Runner, seed uint64) string {
	var traces [2][][]byte
	for i := range traces {
		name := fmt.Sprint(s.base(), ".trace", i) // other workers may do so, too
		how := []string{"trace=" + name, Alone}
		if _, err := s.Run(seed, how[:1+i]...); err != nil {
			return ""
		}
		text, _ := os.ReadFile(name)
		os.Remove(name)
		traces[i] = bytes.Split(text, []byte("\n"))
	}
	for i := range min(len(traces[0]), len(traces[1])) {
		if a, b := traces[0][i], traces[1][i]; !bytes.Equal(a, b) {
			return fmt.Sprintf("; event %d is %q in one and %q in the other", i, a, b)
		}
	}
	return ""
}
