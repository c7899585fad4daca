package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"math/rand/v2"
	"net/http"
	"net/http/httptest"
	"slices"
	"sort"
	"strings"
	"sync"
	"sync/atomic"
)

const workers = 8

// together runs do in so many goroutines.
func together(do func(worker int)) {
	var all sync.WaitGroup
	for w := range workers {
		all.Go(func() { do(w) })
	}
	all.Wait()
}

// counters counts in a struct that a lock guards.
func counters(n int) {
	var guarded struct {
		sync.Mutex
		sum, most int
		by        [workers]int
	}
	together(func(w int) {
		for i := range n * 100 {
			guarded.Lock()
			guarded.sum += i
			guarded.by[w]++
			guarded.most = max(guarded.most, guarded.by[w])
			guarded.Unlock()
		}
	})
}

// pipeline hands values on, from goroutine to goroutine.
func pipeline(n int) {
	type item struct{ a, b int }
	in := make(chan *item, 16)
	last := in
	for range workers {
		from, out := last, make(chan *item, 16)
		go func() {
			for x := range from {
				x.a, x.b = x.b, x.a+x.b
				out <- x
			}
			close(out)
		}()
		last = out
	}
	go func() {
		for i := range n * 20 {
			in <- &item{i, i + 1}
		}
		close(in)
	}()
	sum := 0
	for x := range last {
		sum += x.a
	}
	kept = sum
}

var kept any

// words counts words by maps, a worker each, and adds them up.
func words(n int) {
	var all sync.Mutex
	total := map[string]int{}
	together(func(w int) {
		for i := range n {
			own := map[string]int{}
			for k := range 200 {
				own[names[(i+k*w)%len(names)]]++
			}
			all.Lock()
			for word, times := range own {
				total[word] += times
			}
			all.Unlock()
		}
	})
	kept = total
}

var names = func() (list []string) {
	for i := range 1000 {
		list = append(list, fmt.Sprintf("name%d", i*i))
	}
	return list
}()

type record struct {
	name  string
	score float64
	id    int
}

// sorting sorts records in each way that std has.
func sorting(n int) {
	random := rand.New(rand.NewPCG(1, 2))
	for range n {
		list := make([]record, 2000)
		for i := range list {
			list[i] = record{names[random.IntN(len(names))], random.Float64(), i}
		}
		slices.SortFunc(list, func(a, b record) int { return strings.Compare(a.name, b.name) })
		sort.Slice(list, func(i, j int) bool { return list[i].score < list[j].score })
	}
}

type tree struct{ left, right *tree }

func grow(depth int) *tree {
	if depth == 0 {
		return &tree{}
	}
	return &tree{grow(depth - 1), grow(depth - 1)}
}

func (t *tree) count() int {
	if t.left == nil {
		return 1
	}
	return 1 + t.left.count() + t.right.count()
}

// trees makes trees, a worker each, while one of 2^16 leaves is kept.
func trees(n int) {
	if kept == nil {
		kept = grow(16)
	}
	together(func(int) {
		sum := 0
		for range n {
			sum += grow(10).count()
		}
		if sum < n {
			panic("a tree is lost")
		}
	})
}

// matrices multiplies two, a part of the rows by each worker.
func matrices(n int) {
	const size = 96
	type matrix [size][size]float64
	a, b, c := new(matrix), new(matrix), new(matrix)
	for i := range a {
		for j := range a[i] {
			a[i][j], b[i][j] = float64(i+j), float64(i-j)
		}
	}
	for range n {
		together(func(w int) {
			for i := w; i < size; i += workers {
				for j := range size {
					sum := 0.0
					for k := range size {
						sum += a[i][k] * b[k][j]
					}
					c[i][j] = sum
				}
			}
		})
	}
	kept = c
}

// documents writes and reads JSON.
func documents(n int) {
	type entry struct {
		ID    int               `json:"id"`
		Name  string            `json:"name"`
		Tags  []string          `json:"tags"`
		Extra map[string]string `json:"extra"`
		Inner *struct{ X, Y float64 }
	}
	var list []entry
	for i := range 50 {
		list = append(list, entry{i, names[i], names[i : i+4], map[string]string{names[i]: "v"}, &struct{ X, Y float64 }{1.5, float64(i)}})
	}
	for range n {
		text, err := json.Marshal(list)
		if err != nil {
			panic(err)
		}
		var back []entry
		if err := json.Unmarshal(text, &back); err != nil || len(back) != len(list) {
			panic("documents differ")
		}
	}
}

// text splits, formats and joins.
func text(n int) {
	for range n {
		var out bytes.Buffer
		for i, word := range strings.Fields(strings.Join(names[:200], " ")) {
			fmt.Fprintf(&out, "%s=%d;", strings.ToUpper(word), i)
		}
		kept = strings.Split(out.String(), ";")
	}
}

// atomics shares a list without a lock, and counts.
func atomics(n int) {
	type node struct {
		next *node
		n    int
	}
	var head atomic.Pointer[node]
	var count atomic.Int64
	together(func(int) {
		for i := range n * 50 {
			x := &node{n: i}
			for {
				x.next = head.Load()
				if head.CompareAndSwap(x.next, x) {
					break
				}
			}
			if count.Add(1)%64 == 0 {
				head.Store(nil)
			}
		}
	})
}

var server = sync.OnceValue(func() *httptest.Server {
	return httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		fmt.Fprintf(w, "hello %s", r.URL.Path)
	}))
})

// requests are answered by a server in the process.
func requests(n int) {
	s := server()
	together(func(w int) {
		for i := range n {
			answer, err := s.Client().Get(fmt.Sprintf("%s/%d/%d", s.URL, w, i))
			if err != nil {
				panic(err)
			}
			if _, err := io.Copy(io.Discard, answer.Body); err != nil {
				panic(err)
			}
			answer.Body.Close()
		}
	})
}
