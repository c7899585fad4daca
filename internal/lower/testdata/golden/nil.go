package p

// What has been found not to be nil on each way is not asked again.

type node struct {
	key, value int
	next       *node
}

func both(n *node) int { return n.key + n.value }

func onOneWay(n *node, key bool) int {
	if key {
		return n.key
	}
	return n.value
}

func onOneWayAndThen(n *node, key bool) (s int) {
	if key {
		s = n.key
	}
	return s + n.value
}

func asked(n *node) int {
	if n == nil {
		return 0
	}
	return n.value
}

func askedOtherwise(n *node) int {
	if n != nil {
		n.key = 1
	}
	return n.value
}

func inLoop(n *node) (s int) {
	for n != nil {
		s += n.value
		n = n.next
	}
	return s
}

func calls(f func() int) int { return f() + f() }

func methods(s interface{ Len() int }) int { return s.Len() + s.Len() }

func elements(a *[4]int, i int) int { return a[0] + a[i] + len(a[1:i]) }
