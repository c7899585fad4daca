package main

import "fmt"

// Ranges over maps of each size: each element comes once, also where the map loses or gains
// elements, grows, or is cleared meanwhile, and in ranges in each other.
func main() {
	for n := range 300 {
		m := map[int]string{}
		for i := range n {
			m[i*7] = fmt.Sprint(i)
		}
		seen := map[int]int{}
		for k := range m {
			seen[k]++
			delete(m, (k+7)%(7*max(n, 1)))
		}
		for k, c := range seen {
			if c != 1 {
				panic(fmt.Sprint("twice ", k))
			}
		}
		left := 0
		for k, v := range m {
			if v != fmt.Sprint(k/7) {
				panic("wrong")
			}
			left++
		}
		if left != len(m) {
			panic("count")
		}
		// grow
		seen = map[int]int{}
		had := map[int]bool{}
		for k := range m {
			had[k] = true
		}
		i := 0
		for k := range m {
			seen[k]++
			if i < 200 {
				m[100000+i] = "x"
				i++
			}
		}
		for k := range had {
			if seen[k] != 1 {
				panic(fmt.Sprint("old ", k, seen[k]))
			}
		}
		for k, c := range seen {
			if c != 1 {
				panic(fmt.Sprint("twice ", k))
			}
		}
		i = 0
		for range m {
			clear(m)
			i++
		}
		if i > 1 || len(m) != 0 {
			panic("clear")
		}
		for k := range n {
			m[k] = "y"
		}
		pairs := 0
		for a := range m {
			for b := range m {
				if a != b {
					pairs++
				}
			}
		}
		if pairs != n*n-n {
			panic("pairs")
		}
		big := map[[40]int][50]int{}
		for k := range n {
			big[[40]int{k}] = [50]int{k}
		}
		c := 0
		for k, v := range big {
			if k[0] != v[0] {
				panic("big")
			}
			c++
		}
		if c != n {
			panic("big count")
		}
	}
	fmt.Println("ok")
}
