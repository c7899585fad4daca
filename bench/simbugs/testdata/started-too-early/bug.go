// Order: the goroutine is started before the field that it uses is set.
package main

type server struct {
	handler func() int
	served  chan int
}

func newServer() *server {
	s := &server{served: make(chan int, 1)}
	go s.run()
	s.handler = func() int { return 1 }
	return s
}

func (s *server) run() { s.served <- s.handler() }

func main() {
	<-newServer().served
}
