// Package lib has a generic function that makes objects by way of a function that other packages know less of.
package lib

import "fmt"

// Lines is big, so that a caller with less memory for it loses some.
type Lines struct{ first, second, third, fourth, fifth, last [8]int }

// Box holds a value.
type Box[T any] struct{ Value T }

func newLines(n int) *Lines {
	l := &Lines{}
	for i := range l.first {
		l.first[i], l.second[i], l.third[i], l.last[i] = n, n+1, n+2, n+3
	}
	return l
}

// Sum adds two of the numbers.
func (l *Lines) Sum() int { return l.first[0] + l.last[7] }

// Both makes two objects, or one, as far as the package that compiles it knows.
func Both[T any](v T, n int) (*Lines, *Box[T]) {
	if n > 5000 {
		panic(fmt.Sprint("too many ", n, v))
	}
	l := newLines(n)
	for i := range l.first {
		if l.second[i] > 1000 {
			l.second[i]++
		}
	}
	return l, &Box[T]{v}
}

// Use has an instance of Both, as package main does.
func Use(n int) int {
	l, b := Both[int](n, n)
	return l.Sum() + b.Value
}
