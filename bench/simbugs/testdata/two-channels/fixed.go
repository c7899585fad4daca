// Order, channel: the lines' channel itself is closed at the end.
package main

func main() {
	lines := make(chan int, 3)
	end := make(chan bool)
	go func() {
		for i := range 3 {
			lines <- i
		}
		close(lines)
		close(end)
	}()
	n := 0
	for range lines {
		n++
	}
	<-end
	if n != 3 {
		panic("lines are lost")
	}
}
