package main

func main() {
	select {
	case <-make(chan int):
		fallthrough
	sel:
		println()
	}
	goto sel
	goto over
	const k = 1
	p, q := 1, 2
over:
	p, q = q, p
	func() {
		goto over
	in:
		break in
	}()
	continue
dup:
	for {
		break nowhere
	}
dup:
	goto dup
_:
	func() int {
		return "x"
	}()
}
