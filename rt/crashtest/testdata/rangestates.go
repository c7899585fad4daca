package main

import (
	"fmt"
	"os"
	"os/exec"
	"strings"
)

// What iterators do wrong, and where the report says that it happened.

type body = func(int) bool

var ends = []func(){
	func() { // goes on after break
		iterate := func(yield body) { yield(1); yield(2) }
		for range iterate {
			break
		}
	},
	func() { // goes on after the loop
		var kept body
		iterate := func(yield body) { kept = yield; yield(1) }
		for range iterate {
		}
		kept(2)
	},
	func() { // goes on after a panic
		iterate := func(yield body) {
			defer func() { recover(); yield(1) }()
			yield(1)
		}
		for range iterate {
			panic("x")
		}
	},
	func() { // keeps a panic to itself
		iterate := func(yield body) {
			defer func() { recover() }()
			yield(1)
		}
		for range iterate {
			panic("x")
		}
	},
	func() { // in a loop of two
		one := func(yield body) { yield(1) }
		iterate := func(yield body) {
			defer func() { recover() }()
			yield(1)
		}
		for i := range one {
			for j := range iterate {
				fmt.Println(i,
					j)
				panic("x")
			}
			fmt.Println(i)
		}
	},
}

func main() {
	if len(os.Args) > 1 {
		ends[len(os.Args[1])]()
		return
	}
	for i := range ends {
		out, err := exec.Command(os.Args[0], strings.Repeat("x", i)).CombinedOutput()
		fmt.Println(i, err)
		for line := range strings.Lines(string(out)) {
			line, _, _ = strings.Cut(line, " +0x")
			if !strings.Contains(line, "(") && !strings.Contains(line, "/runtime/") {
				fmt.Println(strings.TrimSpace(line))
			}
		}
	}
}
