package main

import "runtime"

func main() {
	defer func() { println(recover().(runtime.Error).Error()); var e any = recover(); println(e == nil); panic(e) }()
	var a []int
	a[3] = 1
}
