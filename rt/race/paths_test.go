package race

import (
	"math/rand/v2"
	"slices"
	"sync"
	"testing"
)

// frames are the return addresses of a stack.
func (d *Detector) frames(number uint32) []uintptr {
	var pcs [4 * Depth]uintptr
	return pcs[:d.Frames(number, pcs[:])]
}

// walked is Walked of a stack whose frames have no words.
func (d *Detector) walked(w *Walk, pcs ...uintptr) uint32 {
	frames, _ := d.Words()
	n := copy(w.PCs[:frames], pcs)
	clear(w.Words[:n])
	return w.Walked(d, n, 0, n < len(pcs))
}

// frame is one of a stack in TestWords: where it was called, and its word.
type frame struct {
	pc   uintptr
	word Word
}

// look walks a stack, whose innermost frame is the last, for an access at pc.
func (d *Detector) look(w *Walk, stack []frame, pc uintptr) (number uint32, looked int) {
	n := 0
	for i := len(stack) - 1; ; i-- {
		if n == Reach {
			return w.Walked(d, n, 0, true), n
		}
		w.PCs[n], w.Words[n] = pc, nil
		n++
		if i < 0 {
			return w.Walked(d, n, 0, false), n
		}
		if stack[i].word.Ends(d, n) {
			return w.Walked(d, n, stack[i].word, false), n
		}
		w.Words[n-1] = &stack[i].word
		pc = stack[i].pc
	}
}

// TestWords: whatever is called and returns between looks, each finds all of the stack, or so many
// of the innermost frames as are kept, and those that it has looked at need not be looked at again.
func TestWords(t *testing.T) {
	p := begin(t)
	w := p.NewWalk()
	random := rand.New(rand.NewPCG(1, 2))
	var stack []frame
	for range 20000 {
		switch depth := len(stack); {
		case random.IntN(3) > 0 && depth < 7*Depth:
			for range 1 + random.IntN(1+random.IntN(2*Depth)) {
				stack = append(stack, frame{pc: 1 + uintptr(random.IntN(3))})
			}
		case depth > 0:
			stack = stack[:random.IntN(depth)]
		}
		if n := len(stack); n > 0 && random.IntN(8) == 0 {
			stack[n-1].word = Word(random.Uint64() >> 17) // no word, but something else
		}
		pc := 1 + uintptr(random.IntN(3))
		number, _ := p.look(w, stack, pc)
		want := []uintptr{pc}
		for _, f := range slices.Backward(stack) {
			want = append(want, f.pc)
		}
		got := p.frames(number)
		if least := min(len(want), Depth); len(got) < least || len(got) > 3*Depth || !slices.Equal(got, want[:len(got)]) {
			t.Fatalf("%v is %v", want, got)
		}
		again, looked := p.look(w, stack, pc)
		if again != number || looked > 1 && len(stack) > 0 && stack[len(stack)-1].word.Ends(&p.Detector, 1) {
			t.Fatalf("%d and then %d, after %d frames of %d", number, again, looked, len(stack))
		}
	}
}

// TestPaths: a stack has one number, whatever the walk before, and the number stands for it.
func TestPaths(t *testing.T) {
	p := begin(t)
	w := p.NewWalk()
	numbers := map[uint32][]uintptr{}
	for _, stack := range [][]uintptr{
		{1, 2, 3}, {1, 2, 3}, {4, 2, 3}, {2, 3}, {3}, {1, 2, 3}, {1, 2, 4}, {1, 1, 1, 1}, {}, {1, 1, 1}, {9, 1, 2, 4},
	} {
		number := p.walked(w, stack...)
		if got := p.frames(number); !slices.Equal(got, stack) && len(stack) > 0 {
			t.Errorf("%v is %v", stack, got)
		}
		if again := p.Number(stack); again != number {
			t.Errorf("%v is %d and %d", stack, number, again)
		}
		if old, ok := numbers[number]; ok && !slices.Equal(old, stack) {
			t.Errorf("%v and %v are one", old, stack)
		}
		numbers[number] = stack
	}
	if len(numbers) != 9 {
		t.Errorf("%d stacks", len(numbers))
	}
}

// TestManyPaths: when there are many, only the innermost frames are kept, and at the end none.
func TestManyPaths(t *testing.T) {
	p := begin(t)
	w := p.NewWalk()
	var long [Reach]uintptr
	for i := range long {
		long[i] = uintptr(i + 1)
	}
	p.paths.n = fullPaths + 1
	if got := p.frames(p.walked(w, long[:]...)); !slices.Equal(got, long[:framesShort]) {
		t.Errorf("when there are many: %v", got)
	}
	known := p.Number([]uintptr{7, 8})
	p.paths.n = maxPaths - 1
	if n := p.Number([]uintptr{9}); n != 0 {
		t.Errorf("one too many is %v", p.frames(n))
	}
	if got := p.Number([]uintptr{7, 8}); got != known {
		t.Errorf("%d is %d now", known, got)
	}
}

// TestPathsTogether: threads that look for the same stacks find the same numbers.
func TestPathsTogether(t *testing.T) {
	p := begin(t)
	const threads, stacks = 4, 2000
	var got [threads][stacks]uint32
	var wg sync.WaitGroup
	for i := range threads {
		w := p.NewWalk()
		wg.Go(func() {
			for k := range stacks {
				got[i][k] = p.walked(w, uintptr(k), uintptr(k%40), uintptr(k%7+1), 5)
			}
		})
	}
	wg.Wait()
	for i := range threads {
		if got[i] != got[0] {
			t.Fatalf("thread %d has other numbers", i)
		}
	}
	for k, n := range got[0] {
		if want := []uintptr{uintptr(k), uintptr(k % 40), uintptr(k%7 + 1), 5}; !slices.Equal(p.frames(n), want) {
			t.Fatalf("%v is %v", want, p.frames(n))
		}
	}
}
