// Blocking, channel: what does not fit is kept in a list.
package main

func main() {
	queue := make(chan int, 2)
	go func() {
		queue <- 2
		queue <- 0
	}()
	var more []int
	for left := 4; left > 0; left-- {
		var v int
		if len(more) > 0 {
			v, more = more[0], more[1:]
		} else {
			v = <-queue
		}
		for range v {
			more = append(more, 0)
		}
	}
}
