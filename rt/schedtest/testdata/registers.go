// A preempting signal must bring back every register, vectors included: each loop computes
// what it can check.
package main

import (
	"fmt"
	"sync"
	"time"
)

func ints(n int) (r uint64) {
	a, b, c, d, e, f, g, h := uint64(1), uint64(2), uint64(3), uint64(4), uint64(5), uint64(6), uint64(7), uint64(8)
	for i := 0; i < n; i++ {
		a, b, c, d, e, f, g, h = b+a*3, c^d, d+e*5, e-f, f*7+g, g^h>>3, h+a, a*11+b
	}
	return a ^ b ^ c ^ d ^ e ^ f ^ g ^ h
}

func floats(n int) (r float64) {
	a, b, c, d := 1.0, 2.0, 3.0, 4.0
	for i := 0; i < n; i++ {
		a, b, c, d = b*0.5+1, c*0.25+a, d*0.125+b, a*0.0625+c
	}
	return a + b + c + d
}

func vectors(v []int32) (s int32) {
	for k := 0; k < 200; k++ {
		for i := range v {
			v[i] = v[i]*3 + int32(i)
		}
	}
	for _, x := range v {
		s ^= x
	}
	return s
}

func main() {
	const n = 3000000
	wantI, wantF, wantV := ints(n), floats(n), vectors(make([]int32, 1000))
	end := time.Now().Add(time.Second)
	var wg sync.WaitGroup
	for range 6 {
		wg.Add(1)
		go func() {
			defer wg.Done()
			for time.Now().Before(end) {
				if ints(n) != wantI || floats(n) != wantF || vectors(make([]int32, 1000)) != wantV {
					panic("wrong result")
				}
			}
		}()
	}
	wg.Wait()
	fmt.Println("ok")
}

// Output:
// ok
