//go:build loam

// Package raftkv is the world of three nodes of a store on hashicorp/raft (server), whose machines
// lose their power and are separated from each other while clients write and read.
package raftkv

import (
	"bufio"
	"fmt"
	"io"
	"net"
	"strings"
	"sync"
	"testing"
	"testing/sim"
	"time"
)

var names = []string{"n1", "n2", "n3"}

// What was acknowledged stays, nobody reads what was overwritten, and nodes that have come as far
// have the same log, whatever happens to machines and network.
func TestStore(t *testing.T) {
	w := start()
	var clients sync.WaitGroup
	for key := range 3 {
		clients.Go(func() { w.use(fmt.Sprint("key", key), 8) })
	}
	done := make(chan bool)
	go func() {
		clients.Wait()
		close(done)
	}()
	w.disturb(done)
	sim.Heal()
	for _, m := range w.nodes {
		if !m.Running() {
			m.Start()
		}
	}
	w.agree(t)
}

type world struct {
	nodes []*sim.Machine

	mu   sync.Mutex
	logs map[string]string // the hash of a log, by its index
}

func start() *world {
	w := &world{logs: map[string]string{}}
	for _, name := range names {
		w.nodes = append(w.nodes, sim.NewMachine(name, "./server", append([]string{name}, names...)...))
	}
	for _, m := range w.nodes {
		m.Start()
	}
	return w
}

// disturb does something to the world now and then, until the clients are done.
func (w *world) disturb(done chan bool) {
	r := sim.Rand()
	for {
		select {
		case <-done:
			return
		case <-time.After(time.Duration(1+r.IntN(3000)) * time.Millisecond):
		}
		i := r.IntN(len(w.nodes))
		m := w.nodes[i]
		switch r.IntN(6) {
		case 0:
			sim.Partition(m.Name)
		case 1:
			sim.Cut(m.Name, names[(i+1)%len(names)])
		case 2:
			m.Restart()
		case 3:
			if m.Running() {
				m.Kill()
			} else {
				m.Start()
			}
		case 4:
			sim.Network(sim.NetworkFaults{Latency: time.Duration(r.IntN(50)) * time.Millisecond, Resets: r.IntN(2) * 200})
		default:
			sim.Heal()
			sim.Network(sim.NetworkFaults{})
			for _, m := range w.nodes {
				if !m.Running() {
					m.Start()
				}
			}
		}
	}
}

// use writes and reads a key, which nobody else does, so many times.
func (w *world) use(key string, times int) {
	r := sim.Rand()
	value := ""                // that was acknowledged or read last
	maybe := map[string]bool{} // values that may have been written, or may yet be
	for i := 0; i < times; {
		node := names[r.IntN(len(names))]
		if r.IntN(3) > 0 {
			next := fmt.Sprint("value", i)
			i++
			switch w.ask(node, "set "+key+" "+next) {
			case "ok":
				value = next
			case "other": // it was not
				i--
				time.Sleep(50 * time.Millisecond)
			default:
				maybe[next] = true
			}
			continue
		}
		got, ok := strings.CutPrefix(w.ask(node, "get "+key), "ok ")
		if !ok {
			time.Sleep(50 * time.Millisecond)
			continue
		}
		sim.Reachable("a value is read")
		sim.Always(got == value || maybe[got], "what is read was written last")
		value = got
		delete(maybe, got)
	}
}

// ask returns a node's answer, "" if there is none in time.
func (w *world) ask(node, line string) string {
	c, err := net.DialTimeout("tcp", node+":8000", time.Second)
	if err != nil {
		return ""
	}
	defer c.Close()
	c.SetDeadline(time.Now().Add(5 * time.Second))
	if _, err := fmt.Fprintln(c, line); err != nil {
		return ""
	}
	answer, err := bufio.NewReader(c).ReadString('\n')
	if err != nil && err != io.EOF {
		return ""
	}
	return strings.TrimSuffix(answer, "\n")
}

// agree waits until all nodes have the same log.
func (w *world) agree(t *testing.T) {
	for range 600 {
		var logs []string
		for _, name := range names {
			answer := w.ask(name, "log")
			logs = append(logs, answer)
			w.compare(answer)
		}
		if logs[0] != "" && logs[0] == logs[1] && logs[1] == logs[2] {
			return
		}
		time.Sleep(200 * time.Millisecond)
	}
	t.Error("the nodes do not come to agree")
}

// compare notes how far a node has come.
func (w *world) compare(answer string) {
	if words := strings.Fields(answer); len(words) == 3 {
		w.mu.Lock()
		defer w.mu.Unlock()
		have := w.logs[words[1]]
		sim.Always(have == "" || have == words[2], "logs of the same length are the same")
		w.logs[words[1]] = words[2]
	}
}
