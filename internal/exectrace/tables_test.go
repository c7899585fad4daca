package exectrace

import (
	"math/rand/v2"
	"testing"
)

func TestSum(t *testing.T) {
	tr := &Trace{
		Extent: Extent{Duration: 1000},
		Curves: Curves{Heap: []Point{{0, 10}, {150, 70}, {160, 20}, {350, 90}, {700, 500}}},
		Collections: []Collection{
			{Start: 100, End: 200, Pauses: 2, Paused: 7, Assist: 5},
			{Start: 300, End: 340, Pauses: 2, Paused: 3},
			{Start: 600, End: 660, Pauses: 1, Paused: 1, Assist: 2},
		},
	}
	for _, c := range []struct {
		selected []int
		want     Sum
	}{
		{nil, Sum{}},
		{[]int{-1, 3}, Sum{}},
		{[]int{0}, Sum{Count: 1, First: 100, Last: 200, Wall: 100, Mean: 100, Min: 100, Max: 100, Share: 0.1, Pauses: 2,
			Paused: 7, Assist: 5, Peak: 70}},
		{[]int{2, 1}, Sum{Count: 2, First: 300, Last: 660, Wall: 100, Mean: 50, Min: 40, Max: 60, Share: 0.1, Pauses: 3,
			Paused: 4, Assist: 2, Peak: 90}},
		{[]int{0, 1, 2}, Sum{Count: 3, First: 100, Last: 660, Wall: 200, Mean: 66, Min: 40, Max: 100, Share: 0.2, Pauses: 5,
			Paused: 11, Assist: 7, Peak: 90}},
	} {
		if got := tr.Sum(c.selected); got != c.want {
			t.Errorf("%v: %+v, want %+v", c.selected, got, c.want)
		}
	}
}

func TestDistribution(t *testing.T) {
	list := make([]int64, 200)
	for i := range list {
		list[i] = int64(i + 1)
	}
	rand.Shuffle(len(list), func(i, j int) { list[i], list[j] = list[j], list[i] })
	if got, want := distribution(list), (Distribution{Sum: 20100, P50: 100, P95: 190, P99: 198, Max: 200}); got != want {
		t.Errorf("%+v, want %+v", got, want)
	}
	if got, want := distribution([]int64{7}), (Distribution{7, 7, 7, 7, 7}); got != want {
		t.Errorf("%+v, want %+v", got, want)
	}
}

func TestBuckets(t *testing.T) {
	for i := range 100 {
		low, high := bucketStart(i), bucketStart(i+1)
		if low >= high || bucketOf(low) != i || bucketOf(high-1) != i || bucketOf(high) != i+1 {
			t.Fatalf("bucket %d from %d to %d: %d, %d, %d", i, low, high, bucketOf(low), bucketOf(high-1), bucketOf(high))
		}
	}
}

// TestWindow clips spans at the edges of a window.
func TestWindow(t *testing.T) {
	tr := &Trace{
		Extent:     Extent{Duration: 100},
		Goroutines: []Goroutine{{ID: 1, Func: "f", First: 0, Last: 4}},
		Names:      []string{markAssist},
		Reasons:    []string{"network"},
		Schedule: Schedule{Spans: []Span{
			{Start: 0, End: 10, State: Runnable, Reason: None},
			{Start: 10, End: 50, State: Running, Reason: None},
			{Start: 50, End: 80, State: Waiting, Reason: 0},
			{Start: 80, End: 100, State: Syscall, Reason: None},
		}},
		Marks: []Range{{Start: 20, End: 40, Name: 0, G: 0}},
	}
	for _, c := range []struct {
		from, to int64
		want     Account
	}{
		{0, 100, Account{ID: 1, Total: 100, Running: 40, Waiting: 30, Network: 30, Runnable: 10, Syscall: 20, Assist: 20}},
		{5, 30, Account{ID: 1, Total: 25, Running: 20, Runnable: 5, Assist: 10}},
		{60, 61, Account{ID: 1, Total: 1, Waiting: 1, Network: 1}},
	} {
		if got := tr.Members(ByFunc, "f", c.from, c.to, 9); len(got) != 1 || got[0] != c.want {
			t.Errorf("from %d to %d: %+v, want %+v", c.from, c.to, got, c.want)
		}
	}
	if l := tr.Latency(ByFunc, "", 0, 100); l.Count != 1 || l.Summary.Max != 10 {
		t.Errorf("latency %+v", l)
	}
	if l := tr.Latency(ByFunc, "g", 0, 100); l.Count != 0 {
		t.Errorf("latency of another group %+v", l)
	}
}
