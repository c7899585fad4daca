// Atomicity, list: it is moved under the lock.
package main

import (
	"container/list"
	"fmt"
	"sync"
)

type entry struct{ key string }

type lru struct {
	sync.Mutex
	l   *list.List
	m   map[string]*list.Element
	max int
}

func (c *lru) get(k string) bool {
	c.Lock()
	e, ok := c.m[k]
	defer c.Unlock()
	if ok {
		c.l.MoveToFront(e)
	}
	return ok
}

func (c *lru) put(k string) {
	c.Lock()
	defer c.Unlock()
	c.m[k] = c.l.PushFront(&entry{k})
	if c.l.Len() > c.max {
		last := c.l.Back()
		c.l.Remove(last)
		delete(c.m, last.Value.(*entry).key)
	}
}

func main() {
	c := &lru{l: list.New(), m: map[string]*list.Element{}, max: 2}
	c.put("a")
	c.put("b")
	var wg sync.WaitGroup
	wg.Add(3)
	go func() { defer wg.Done(); c.get("a") }()
	go func() { defer wg.Done(); c.get("b") }()
	go func() { defer wg.Done(); c.put("c") }()
	wg.Wait()
	n := 0
	for e := c.l.Front(); e != nil; e = e.Next() {
		n++
	}
	if n != c.l.Len() || n != 2 {
		panic(fmt.Sprintf("list of %d has %d", c.l.Len(), n))
	}
}
