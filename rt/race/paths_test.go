package race

import (
	"slices"
	"sync"
	"testing"
)

// frames are the return addresses of a stack.
func (d *Detector) frames(number uint32) []uintptr {
	var pcs [2 * Depth]uintptr
	return pcs[:d.Frames(number, pcs[:])]
}

// walked is Walked of a stack.
func (d *Detector) walked(w *Walk, pcs ...uintptr) uint32 {
	return d.Walked(w, copy(w.Found[:], pcs))
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
	var long [Depth]uintptr
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
