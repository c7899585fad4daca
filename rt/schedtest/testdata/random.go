// Random bytes come from the vDSO where it makes them: each thread has a state, which is in memory
// that the kernel may take back ("dp" in smaps). No two reads give the same bytes, whichever threads
// make them, and a read is whole however long it is.
package main

import (
	"bytes"
	"crypto/rand"
	"fmt"
	"os"
	"runtime"
	"sync"
	_ "unsafe" // go:linkname
)

//go:linkname vgetrandom runtime.vgetrandom
func vgetrandom(p []byte, flags uint32) (ret int, supported bool)

func main() {
	var (
		group sync.WaitGroup
		lock  sync.Mutex
		seen  = map[[16]byte]bool{}
	)
	for range 50 {
		group.Go(func() {
			for range 200 {
				var b [16]byte
				rand.Read(b[:])
				lock.Lock()
				if seen[b] {
					fmt.Println("twice:", b)
				}
				seen[b] = true
				lock.Unlock()
				runtime.Gosched()
			}
		})
	}
	group.Wait()
	fmt.Println("reads:", len(seen))

	for _, size := range []int{0, 1, 255, 257, 4095, 4096, 4097, 8192, 100_000, 1 << 20} {
		p := make([]byte, size+2)
		n, supported := vgetrandom(p[1:size+1], 0)
		if !supported {
			n, _ = rand.Read(p[1 : size+1])
		}
		zeros := bytes.Count(p[1:size+1], []byte{0})
		tail := p[size-min(size, 16)+1 : size+1]
		if n != size || p[0] != 0 || p[size+1] != 0 || zeros > size/128+3 || len(tail) == 16 && bytes.Equal(tail, make([]byte, 16)) {
			fmt.Println("size", size, "gives", n, zeros, tail)
		}
	}
	if n, supported := vgetrandom(make([]byte, 8), 1<<20); supported && n != -22 {
		fmt.Println("flags that do not exist:", n)
	}
	fmt.Println("states:", states() == makesRandom())
}

// states tells whether the process has memory that the kernel may take back.
func states() bool {
	smaps, err := os.ReadFile("/proc/self/smaps")
	if err != nil {
		panic(err)
	}
	for line := range bytes.Lines(smaps) {
		if flags, ok := bytes.CutPrefix(line, []byte("VmFlags:")); ok && bytes.Contains(flags, []byte(" dp")) {
			return true
		}
	}
	return false
}

// makesRandom tells whether the vDSO has a function that makes random bytes.
func makesRandom() bool {
	maps, err := os.ReadFile("/proc/self/maps")
	if err != nil {
		panic(err)
	}
	memory, err := os.Open("/proc/self/mem")
	if err != nil {
		panic(err)
	}
	for line := range bytes.Lines(maps) {
		var from, to int64
		if fmt.Sscanf(string(line), "%x-%x", &from, &to); bytes.Contains(line, []byte("[vdso]")) {
			code := make([]byte, to-from)
			if _, err := memory.ReadAt(code, from); err != nil {
				panic(err)
			}
			return bytes.Contains(code, []byte("__vdso_getrandom\x00"))
		}
	}
	return false
}

// Output:
// reads: 10000
// states: true
