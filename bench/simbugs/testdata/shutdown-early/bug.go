// Order, HTTP: Serve returns when Shutdown begins, and what follows it is done while requests are
// still being answered.
package main

import (
	"context"
	"errors"
	"io"
	"net"
	"net/http"
	"sync"
	"time"
)

type database struct {
	mu     sync.Mutex
	open   bool
	stored int
}

func (d *database) store() error {
	d.mu.Lock()
	defer d.mu.Unlock()
	if !d.open {
		return errors.New("the database is closed")
	}
	d.stored++
	return nil
}

func (d *database) close() {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.open = false
}

func main() {
	db := &database{open: true}
	mux := http.NewServeMux()
	mux.HandleFunc("/store", func(w http.ResponseWriter, r *http.Request) {
		time.Sleep(5 * time.Millisecond)
		if err := db.store(); err != nil {
			http.Error(w, err.Error(), 500)
		}
	})
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		panic(err)
	}
	srv := &http.Server{Handler: mux}
	stop := make(chan bool)
	stopped := make(chan bool)
	go func() {
		<-stop
		srv.Shutdown(context.Background())
		close(stopped)
	}()
	ended := make(chan bool)
	go func() {
		srv.Serve(l)
		db.close()
		close(ended)
	}()
	status := make(chan int, 1)
	go func() {
		r, err := http.Get("http://" + l.Addr().String() + "/store")
		if err != nil {
			status <- 0 // refused: it came too late
			return
		}
		io.Copy(io.Discard, r.Body)
		r.Body.Close()
		status <- r.StatusCode
	}()
	time.Sleep(3 * time.Millisecond)
	close(stop)
	if s := <-status; s == 500 {
		panic("a request was let in, and failed")
	}
	<-ended
	<-stopped
	http.DefaultClient.CloseIdleConnections()
}
