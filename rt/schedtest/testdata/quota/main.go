// Prints what the kernel has counted of the CPU quota; then writes the second argument to the file
// that the first one names, and prints it again.
package main

import (
	"fmt"
	"os"
	"runtime/metrics"
)

func show() {
	list := []metrics.Sample{
		{Name: "/loam/sched/quota/total:periods"}, {Name: "/loam/sched/quota/cut:periods"}, {Name: "/loam/sched/quota/waits:seconds"},
	}
	metrics.Read(list)
	fmt.Println(list[0].Value.Uint64(), list[1].Value.Uint64(), list[2].Value.Float64())
}

func main() {
	show()
	if err := os.WriteFile(os.Args[1], []byte(os.Args[2]), 0o666); err != nil {
		panic(err)
	}
	show()
}
