// Order: it is started last.
package main

type server struct {
	handler func() int
	served  chan int
}

func newServer() *server {
	s := &server{served: make(chan int, 1)}
	s.handler = func() int { return 1 }
	go s.run()
	return s
}

func (s *server) run() { s.served <- s.handler() }

func main() {
	<-newServer().served
}
