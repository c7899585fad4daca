// Package p: the elements of a literal that is a variable's value are statements of their own,
// the initialisers of the others are ordered like statements.
package p

var count int

func next() int { count++; return count }

var list = []int{count, next(), count}

var sum = count + next()
