package main

import (
	"iter"
	"maps"
	"slices"
	"strings"
)

// Range over functions: own sequences, those of std, chains, recursion, and one that is pulled.

// upTo yields 0 to n-1.
func upTo(n int) iter.Seq[int] {
	return func(yield func(int) bool) {
		for i := 0; i < n; i++ {
			if !yield(i) {
				return
			}
		}
	}
}

func rangeOwn() {
	n := 0
	for range 10_000 {
		for i := range upTo(100) {
			n = n*31 + i
		}
	}
	sink += n
}

// rangeShort ends each loop after a few turns: what a loop costs.
func rangeShort() {
	for n := range 100_000 {
		for i := range upTo(100) {
			sink += i ^ n
			if i == 3 {
				break
			}
		}
	}
}

var hundred = slices.Collect(upTo(100))

func rangeValues() {
	for range 10_000 {
		for v := range slices.Values(hundred) {
			sink += v
		}
	}
}

func rangeBackward() {
	for range 10_000 {
		for i, v := range slices.Backward(hundred) {
			sink += i ^ v
		}
	}
}

var csv = strings.Repeat("alpha,beta,gamma,delta,", 250)

func rangeSplit() {
	for range 20 {
		for part := range strings.SplitSeq(csv, ",") {
			sink += len(part)
		}
	}
}

var byNumber = func() map[int]int {
	m := map[int]int{}
	for i := range 1000 {
		m[i*7] = i
	}
	return m
}()

func rangeKeys() {
	for range 100 {
		for k := range maps.Keys(byNumber) {
			sink += k
		}
	}
}

func filter[T any](s iter.Seq[T], keep func(T) bool) iter.Seq[T] {
	return func(yield func(T) bool) {
		for v := range s {
			if keep(v) && !yield(v) {
				return
			}
		}
	}
}

func convert[T, U any](s iter.Seq[T], f func(T) U) iter.Seq[U] {
	return func(yield func(U) bool) {
		for v := range s {
			if !yield(f(v)) {
				return
			}
		}
	}
}

func rangeFilter() {
	for n := range 5_000 {
		odd := filter(upTo(100), func(i int) bool { return (i+n)&1 == 1 })
		for v := range convert(odd, func(i int) int { return i * i }) {
			sink += v
		}
	}
}

// all visits a tree in order, by iterators that call themselves.
func (n *node) all(yield func(*node) bool) bool {
	return n == nil || n.left.all(yield) && yield(n) && n.right.all(yield)
}

func (n *node) nodes() iter.Seq[*node] {
	return func(yield func(*node) bool) { n.all(yield) }
}

var tree = grow(12)

func rangeTree() {
	for range 20 {
		for n := range tree.nodes() {
			if n.left == nil {
				sink++
			}
		}
	}
}

func rangePull() {
	next, stop := iter.Pull(upTo(20_000))
	defer stop()
	for {
		v, ok := next()
		if !ok {
			return
		}
		sink += v
	}
}

// found returns out of two loops.
func found(limit int) int {
	for i := range upTo(limit) {
		for j := range upTo(limit) {
			if i*j == 42*limit {
				return i + j
			}
		}
	}
	return -1
}

func rangeNested() {
	for range 20 {
		sink += found(100)
	}
}
