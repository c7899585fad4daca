// Order, channel: the end comes on another channel than the lines, and is chosen while lines are
// waiting.
package main

func main() {
	lines := make(chan int, 3)
	end := make(chan bool)
	go func() {
		for i := range 3 {
			lines <- i
		}
		close(end)
	}()
	n := 0
loop:
	for {
		select {
		case <-lines:
			n++
		case <-end:
			break loop
		}
	}
	if n != 3 {
		panic("lines are lost")
	}
}
