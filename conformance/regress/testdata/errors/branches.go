package main

func f(x any) int {
unused:
	for {
		goto later
		var (
			a, b = 1, 2
			c    int
		)
		_, _, _ = a, b, c
	later:
		println()
	}
	goto into
	switch x.(type) {
	case int:
		fallthrough
	into:
		println()
	case string:
		continue after
	}
	if x == nil {
	} else {
	blk:
		break blk
	}
	goto blk
after:
	return 0
}

func main() {
	break
	y := f(0) + "a"
}
