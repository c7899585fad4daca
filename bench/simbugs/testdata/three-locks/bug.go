// Blocking, mutex: zone, node and range are locked in a circle by three who each need two of them.
package main

import (
	"fmt"
	"sync"
)

type zone struct {
	mu    sync.Mutex
	nodes int
}
type node struct {
	mu     sync.RWMutex
	ranges int
}
type rang struct {
	mu   sync.Mutex
	size int
}

type cluster struct {
	z zone
	n node
	r rang
}

func (c *cluster) addNode() {
	c.z.mu.Lock()
	defer c.z.mu.Unlock()
	c.z.nodes++
	c.n.mu.Lock()
	c.n.ranges = 0
	c.n.mu.Unlock()
}

func (c *cluster) split() {
	c.n.mu.Lock()
	defer c.n.mu.Unlock()
	c.n.ranges++
	c.r.mu.Lock()
	c.r.size /= 2
	c.r.mu.Unlock()
}

func (c *cluster) report() (nodes, size int) {
	c.r.mu.Lock()
	defer c.r.mu.Unlock()
	c.z.mu.Lock()
	nodes = c.z.nodes
	c.z.mu.Unlock()
	return nodes, c.r.size
}

func main() {
	var c cluster
	c.r.size = 1 << 20
	var wg sync.WaitGroup
	for _, f := range []func(){c.addNode, c.split, func() { c.report() }} {
		wg.Add(1)
		go func() {
			defer wg.Done()
			f()
		}()
	}
	wg.Wait()
	if nodes, size := c.report(); nodes != 1 || size != 1<<19 {
		panic(fmt.Sprint(nodes, size))
	}
}
