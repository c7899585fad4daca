package main

import (
	"fmt"
	"os"
	"os/exec"
	"strings"
)

// The address of a fault is that of the field, not of the object.

type pair struct{ x, y int }

type object struct {
	first  int
	second int32
	name   string
	items  []int
	pair   pair
	next   *object
	any    any
	table  [4]int
	wide   [5000]byte
	far    int
}

var (
	nilObject *object
	nilInt    *int
	nilTable  *[10]int
	nilIface  fmt.Stringer
	nilFunc   func()
	three     = 3
	sink      any
)

var accesses = []func(p *object){
	func(p *object) { println(p.first) },
	func(p *object) { println(p.second) },
	func(p *object) { println(len(p.name)) },
	func(p *object) { println(p.items[1]) },
	func(p *object) { println(cap(p.items)) },
	func(p *object) { println(p.pair.y) },
	func(p *object) { println(p.next) },
	func(p *object) { println(p.any) },
	func(p *object) { println(p.table[2]) },
	func(p *object) { println(p.table[three]) },
	func(p *object) { println(p.far) },
	func(p *object) { sink = &p.pair },
	func(p *object) { sink = p.pair },
	func(p *object) { p.second = 1 },
	func(p *object) { p.second++ },
	func(p *object) { p.name = "name" },
	func(p *object) { p.items = nil },
	func(p *object) { p.next = nilObject },
	func(p *object) { println(*nilInt) },
	func(p *object) { println(nilTable[3]) },
	func(p *object) { println(nilTable[three]) },
	func(p *object) { println(nilIface.String()) },
	func(p *object) { nilFunc() },
}

func main() {
	if len(os.Args) > 1 {
		var i int
		fmt.Sscan(os.Args[1], &i)
		accesses[i](nilObject)
	}
	for i := range accesses {
		out, _ := exec.Command(os.Args[0], fmt.Sprint(i)).CombinedOutput()
		_, at, ok := strings.Cut(string(out), " addr=0x")
		at, _, _ = strings.Cut(at, " ")
		fmt.Println(i, ok, at)
	}
}
