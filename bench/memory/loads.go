package main

import (
	"bytes"
	"encoding/json"
	"encoding/xml"
	"fmt"
	"sync"
)

type small struct{ a, b, c, d *small }

// ring keeps the last objects alive, so that marking has something to do.
var ring [1 << 14]*small
var bytesRing [1 << 12][]byte

func alloc32() error {
	for i := range 30_000_000 {
		ring[i%len(ring)] = &small{}
	}
	return nil
}

func alloc1k() error {
	for i := range 3_000_000 {
		bytesRing[i%len(bytesRing)] = make([]byte, 1024)
	}
	return nil
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

// trees is binary-trees: one tree that stays and many that do not, on two goroutines.
func trees() error {
	const depth = 18
	long := grow(depth)
	var wg sync.WaitGroup
	var mu sync.Mutex
	total := 0
	for range 2 {
		wg.Go(func() {
			n := 0
			for d := 4; d <= depth; d += 2 {
				for range 1 << (depth - d + 2) {
					n += grow(d).count()
				}
			}
			mu.Lock()
			total += n
			mu.Unlock()
		})
	}
	wg.Wait()
	if long.count() != 2<<depth-1 || total == 0 {
		return fmt.Errorf("trees: %d nodes in %d", long.count(), total)
	}
	return nil
}

type vertex struct {
	edges [4]*vertex
	id    int
	name  string
}

// graph links n vertices (100 bytes each) at random and moves edges while garbage is made.
func graph(n int) error {
	all := make([]*vertex, n)
	seed := uint64(1)
	random := func() int {
		seed = seed*6364136223846793005 + 1442695040888963407
		return int(seed >> 33 % uint64(n))
	}
	for i := range all {
		all[i] = &vertex{id: i, name: fmt.Sprint(i)}
	}
	for range 6 {
		for i := range all {
			v := all[i]
			v.edges[random()%4] = all[random()]
			if random()%8 == 0 {
				all[i] = &vertex{id: v.id, name: v.name, edges: v.edges}
			}
		}
	}
	for i, v := range all {
		if v.id != i {
			return fmt.Errorf("graph: vertex %d is %d", i, v.id)
		}
	}
	return nil
}

// cache is a map of n strings whose entries are replaced all the time.
func cache(n int) error {
	m := make(map[int]string, n)
	for i := range 5 * n {
		m[i*7919%n] = fmt.Sprintf("value %d", i)
	}
	if len(m) != n {
		return fmt.Errorf("cache: %d entries", len(m))
	}
	return nil
}

type record struct {
	ID    int               `json:"id" xml:"id,attr"`
	Name  string            `json:"name" xml:"name"`
	Tags  []string          `json:"tags" xml:"tags>tag"`
	Attrs map[string]string `json:"attrs" xml:"-"`
	Sub   []record          `json:"sub" xml:"sub>record"`
}

type document struct {
	XMLName xml.Name `json:"-" xml:"document"`
	Records []record `json:"records" xml:"record"`
}

func sample() document {
	var d document
	for i := range 200 {
		r := record{ID: i, Name: fmt.Sprint("record ", i), Tags: []string{"one", "two", "three"},
			Attrs: map[string]string{"k": "v", "l": fmt.Sprint(i)}}
		for j := range 5 {
			r.Sub = append(r.Sub, record{ID: j, Name: "part"})
		}
		d.Records = append(d.Records, r)
	}
	return d
}

func jsonDecode() error {
	text, err := json.Marshal(sample())
	if err != nil {
		return err
	}
	return decode(400, func() (d document, err error) {
		err = json.Unmarshal(text, &d)
		return d, err
	})
}

func xmlDecode() error {
	text, err := xml.Marshal(sample())
	if err != nil {
		return err
	}
	return decode(100, func() (d document, err error) {
		err = xml.NewDecoder(bytes.NewReader(text)).Decode(&d)
		return d, err
	})
}

// decode decodes n times on each of two goroutines.
func decode(n int, f func() (document, error)) error {
	errs := make(chan error, 2)
	for range 2 {
		go func() {
			for range n {
				d, err := f()
				if err == nil && (len(d.Records) != 200 || len(d.Records[7].Sub) != 5) {
					err = fmt.Errorf("decoded %d records", len(d.Records))
				}
				if err != nil {
					errs <- err
					return
				}
			}
			errs <- nil
		}()
	}
	return errors(<-errs, <-errs)
}

func errors(a, b error) error {
	if a != nil {
		return a
	}
	return b
}

// buffers passes buffers of 256 KB from producers to consumers.
func buffers() error {
	ch := make(chan []byte, 16)
	var producers, consumers sync.WaitGroup
	for p := range 2 {
		producers.Go(func() {
			for i := range 4000 {
				b := make([]byte, 256<<10)
				b[0], b[len(b)-1] = byte(i), byte(p)
				ch <- b
			}
		})
	}
	counts := make([]int, 2)
	for c := range counts {
		consumers.Go(func() {
			for b := range ch {
				counts[c] += len(b)
			}
		})
	}
	producers.Wait()
	close(ch)
	consumers.Wait()
	if counts[0]+counts[1] != 8000*256<<10 {
		return fmt.Errorf("buffers: %d bytes", counts[0]+counts[1])
	}
	return nil
}

// pool gets and puts buffers on four goroutines, with garbage that makes collections.
func pool() error {
	p := sync.Pool{New: func() any { return new([4096]byte) }}
	var wg sync.WaitGroup
	for range 4 {
		wg.Go(func() {
			for i := range 3_000_000 {
				b := p.Get().(*[4096]byte)
				b[i%4096]++
				p.Put(b)
				if i%64 == 0 {
					bytesRing[i%len(bytesRing)] = make([]byte, 128)
				}
			}
		})
	}
	wg.Wait()
	return nil
}
