package main

import (
	"fmt"
	"os"
	"os/exec"
	"runtime"
	"strings"
)

// What an unrecovered panic prints of those before it: values raised again, ended ones, ones of a Goexit, and methods called once each.

type text struct{ n int }

func (t text) String() string { fmt.Println("String", t.n); return fmt.Sprint("text", t.n) }

type failure struct{ n int }

func (f *failure) Error() string { fmt.Println("Error", f.n); return fmt.Sprint("failure", f.n) }

type fails struct{ with any }

func (f fails) Error() string { panic(f.with) }

func again(v any) {
	defer func() { panic(recover()) }()
	panic(v)
}

func twiceAgain(v any) {
	defer func() { panic(recover()) }()
	again(v)
}

var one = &failure{1}

var ends = []func(){
	func() { again(text{3}) },
	func() { twiceAgain(one) },
	func() {
		defer func() { panic(fmt.Errorf("last")) }()
		defer func() { panic(one) }()
		twiceAgain("first")
	},
	func() {
		defer func() { panic("last") }()
		defer runtime.Goexit()
		panic("first")
	},
	func() {
		defer func() { panic("last") }()
		runtime.Goexit()
	},
	func() {
		defer func() { recover(); panic(text{1}) }()
		panic(one)
	},
	func() {
		defer func() { defer func() { panic(one) }(); again(one) }()
		panic(one)
	},
	func() { panic(fails{"text"}) },
	func() { panic(fails{text{2}}) },
}

func main() {
	if len(os.Args) > 1 {
		ends[len(os.Args[1])]()
	}
	for i := range ends {
		out, err := exec.Command(os.Args[0], strings.Repeat("x", i)).CombinedOutput()
		before, _, _ := strings.Cut(string(out), "\n\ngoroutine")
		before, _, _ = strings.Cut(before, "\n\nruntime stack")
		fmt.Println(i, err, before)
	}
}
