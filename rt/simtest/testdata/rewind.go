// What a process that makes many runs has to take back, and what spoils it. The argument says what a
// run does; it prints what it finds, which is the same for each run.
package main

import (
	"errors"
	"fmt"
	"os"
	"os/signal"
	"runtime"
	"runtime/debug"
	"syscall"
	"time"
	"unsafe"
)

var (
	count  int
	filled = make([]byte, 64<<10)
	mapped []byte
	open   *os.File
	table  = map[string]int{}
	large  [24 << 20]byte
)

func init() {
	for i := range filled {
		filled[i] = 7
	}
	var err error
	if mapped, err = syscall.Mmap(-1, 0, 1<<20, syscall.PROT_READ|syscall.PROT_WRITE, syscall.MAP_PRIVATE|syscall.MAP_ANON); err != nil {
		panic(err)
	}
	copy(mapped, "mapped")
	if open, err = os.Open("/proc/self/exe"); err != nil {
		panic(err)
	}
}

func main() {
	count++
	table[fmt.Sprint(len(table))]++
	fmt.Println(count, len(table), sum(filled), string(mapped[:6]), cap(mapped))
	for i := range filled {
		filled[i]++
	}
	copy(mapped, "MAPPED")
	what := ""
	if len(os.Args) > 1 {
		what = os.Args[1]
	}
	switch what {
	case "files":
		head := make([]byte, 4)
		n, err := open.Read(head)
		fmt.Println(n, err, head)
		text, err := os.ReadFile("/etc/passwd")
		fmt.Println(len(text) > 0, err, os.WriteFile("left", []byte("behind"), 0o666))
		open.Close()
	case "discard":
		debug.FreeOSMemory()
		fmt.Println(syscall.Madvise(mapped, syscall.MADV_DONTNEED), mapped[0])
	case "large":
		parts := make([][]byte, 64)
		for i := range parts {
			parts[i] = make([]byte, 1<<20)
			parts[i][i] = byte(i)
		}
		runtime.GC()
		fmt.Println(parts[63][63])
	case "deep":
		fmt.Println(deep(100_000))
	case "faults":
		for range 3 {
			fmt.Println(fault(nil))
		}
	case "signals":
		arrived := make(chan os.Signal, 1)
		signal.Notify(arrived, syscall.SIGTERM)
		fmt.Println(syscall.Kill(syscall.Getpid(), syscall.SIGTERM), <-arrived)
		signal.Stop(arrived)
	case "timers":
		time.AfterFunc(time.Hour, func() {})
		time.Sleep(time.Minute)
	case "unmap": // what spoils a process, from here on
		fmt.Println(syscall.Munmap(mapped))
	case "protect":
		fmt.Println(syscall.Mprotect(mapped, syscall.PROT_READ))
	case "ignore":
		signal.Ignore(syscall.SIGINT)
	case "pages":
		for i := 0; i < len(large); i += 4096 {
			large[i]++
		}
		fmt.Println(large[0], large[len(large)-4096])
	case "damage": // the run-time system's own memory
		if time.Now().UnixNano()%3 == 0 {
			fmt.Println("whole")
			return
		}
		p := uintptr(unsafe.Pointer(&count)) &^ 4095
		for i := range uintptr(4096) {
			*(*byte)(unsafe.Pointer(p + i)) = 0xee
		}
		var nobody *int
		*nobody = 1
	}
}

func sum(b []byte) (n int) {
	for _, c := range b {
		n += int(c)
	}
	return n
}

func deep(n int) int {
	var room [64]byte
	if n == 0 {
		return int(room[0])
	}
	return deep(n-1) + int(room[n%64]) + 1
}

func fault(p *int) (err error) {
	defer func() {
		if r, ok := recover().(runtime.Error); ok {
			err = errors.New(r.Error())
		}
	}()
	*p = 1
	return nil
}
