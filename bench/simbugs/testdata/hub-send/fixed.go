// Blocking, RWMutex and channel: the event is dropped if nobody takes it.
package main

import (
	"sync"
	"time"
)

type event struct{ key string }

type watcher struct {
	id int
	ch chan event
}

type watchHub struct {
	sync.RWMutex
	watchers map[int]*watcher
	next     int
}

func (h *watchHub) watch() *watcher {
	h.Lock()
	defer h.Unlock()
	h.next++
	w := &watcher{id: h.next, ch: make(chan event)}
	h.watchers[w.id] = w
	return w
}

func (h *watchHub) notify(e event) {
	h.RLock()
	defer h.RUnlock()
	for _, w := range h.watchers {
		select {
		case w.ch <- e:
		default:
		}
	}
}

func (h *watchHub) cancel(w *watcher) {
	h.Lock()
	delete(h.watchers, w.id)
	h.Unlock()
}

func main() {
	h := &watchHub{watchers: map[int]*watcher{}}
	w := h.watch()
	go func() {
		for i := 0; i < 3; i++ {
			h.notify(event{"a"})
		}
	}()
	go func() {
		select {
		case <-w.ch:
		case <-time.After(10 * time.Millisecond):
		}
		h.cancel(w)
	}()
	time.Sleep(50 * time.Millisecond)
}
