// Blocking, mutex and channel: the token is handed over when the lock has been given back.
package main

import (
	"sync"
	"time"
)

type keeper struct {
	tokens map[string]time.Time
	add    chan string
	stop   chan struct{}
	done   chan struct{}
	expire func(string)
}

func (k *keeper) run() {
	tick := time.NewTicker(7 * time.Millisecond)
	defer tick.Stop()
	defer close(k.done)
	for {
		select {
		case name := <-k.add:
			k.tokens[name] = time.Now().Add(20 * time.Millisecond)
		case now := <-tick.C:
			for name, end := range k.tokens {
				if now.After(end) {
					k.expire(name)
					delete(k.tokens, name)
				}
			}
		case <-k.stop:
			return
		}
	}
}

type store struct {
	mu    sync.RWMutex
	users map[string]string
	k     *keeper
}

func newStore() *store {
	s := &store{users: map[string]string{}}
	s.k = &keeper{tokens: map[string]time.Time{}, add: make(chan string)}
	s.k.stop, s.k.done = make(chan struct{}), make(chan struct{})
	s.k.expire = func(name string) {
		s.mu.Lock()
		delete(s.users, name)
		s.mu.Unlock()
	}
	go s.k.run()
	return s
}

func (s *store) login(name string) {
	s.mu.Lock()
	s.users[name] = "token of " + name
	s.mu.Unlock()
	s.k.add <- name
}

func (s *store) close() {
	close(s.k.stop)
	<-s.k.done
}

func main() {
	s := newStore()
	defer s.close()
	for _, name := range []string{"ann", "bob", "cid", "dan", "eve"} {
		s.login(name)
		time.Sleep(9 * time.Millisecond)
	}
}
