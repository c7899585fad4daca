package main

import (
	"fmt"
	"strconv"
)

// mapBenchmarks: gc matches groups of eight slots by SSE instructions and hashes by AES ones.
func mapBenchmarks() {
	for _, size := range []int{6, 100, 10_000, 1_000_000} {
		ints := make(map[int]int, size)
		strs := make(map[string]int, size)
		keys := make([]string, size)
		type pair struct{ a, b int }
		pairs := make(map[pair]int, size)
		for i := range size {
			ints[i*7] = i
			keys[i] = "key-" + strconv.Itoa(i*7)
			strs[keys[i]] = i
			pairs[pair{i, i}] = i
		}
		order := make([]int, 1<<16)
		for i := range order {
			order[i] = i * 7919 % size
		}
		name := func(s string) string { return fmt.Sprintf("map-%s-%d", s, size) }
		measure(name("int-hit"), func(n int) {
			for i := range n {
				sinkInt += ints[order[i&0xffff]*7]
			}
		})
		measure(name("int-miss"), func(n int) {
			for i := range n {
				sinkInt += ints[order[i&0xffff]*7+1]
			}
		})
		measure(name("int-update"), func(n int) {
			for i := range n {
				ints[order[i&0xffff]*7]++
			}
		})
		measure(name("string-hit"), func(n int) {
			for i := range n {
				sinkInt += strs[keys[order[i&0xffff]]]
			}
		})
		measure(name("string-update"), func(n int) {
			for i := range n {
				strs[keys[order[i&0xffff]]]++
			}
		})
		measure(name("struct-hit"), func(n int) {
			for i := range n {
				k := order[i&0xffff]
				sinkInt += pairs[pair{k, k}]
			}
		})
		if size > 10_000 {
			continue
		}
		measure(name("iterate"), func(n int) {
			for range n {
				for k, v := range ints {
					sinkInt += k ^ v
				}
			}
		})
		measure(name("fill"), func(n int) {
			for range n {
				m := map[int]int{}
				for i := range size {
					m[i] = i
				}
				sinkInt += len(m)
			}
		})
		measure(name("delete"), func(n int) {
			m := make(map[int]int, size)
			for range n {
				for i := range size {
					m[i] = i
				}
				for i := range size {
					delete(m, i)
				}
			}
		})
	}
}
