package p

type node struct {
	next *node
	n    int32
	name string
}

func link(a, b *node) { a.next = b }

func local(b *node) int32 {
	a := node{next: b, n: 3}
	return a.n
}

func fill(a *node, s string) { *a = node{name: s} }
