package main

import (
	"fmt"
	"os"
	"os/exec"
	"runtime"
	"strconv"
	"syscall"
	"time"
	"unsafe"
)

// GOMAXPROCS did not follow changes of the affinity mask. The variable and the function end that, SetDefaultGOMAXPROCS begins it again.

type cpus [128]uint64

// setAffinity has all threads run on the CPUs of mask.
func setAffinity(mask *cpus) {
	tasks, err := os.ReadDir("/proc/self/task")
	if err != nil {
		panic(err)
	}
	for _, t := range tasks {
		tid, _ := strconv.Atoi(t.Name())
		syscall.RawSyscall(syscall.SYS_SCHED_SETAFFINITY, uintptr(tid), unsafe.Sizeof(*mask), uintptr(unsafe.Pointer(mask)))
	}
}

// becomes waits until GOMAXPROCS is n.
func becomes(n int) bool {
	for range 2000 {
		if runtime.GOMAXPROCS(0) == n {
			return true
		}
		time.Sleep(5 * time.Millisecond)
	}
	return false
}

// stays waits for somewhat longer than there is between two looks.
func stays(n int) bool {
	for range 250 {
		if runtime.GOMAXPROCS(0) != n {
			return false
		}
		time.Sleep(5 * time.Millisecond)
	}
	return true
}

func main() {
	var all, one cpus
	syscall.RawSyscall(syscall.SYS_SCHED_GETAFFINITY, 0, unsafe.Sizeof(all), uintptr(unsafe.Pointer(&all)))
	for i, w := range all {
		if w != 0 {
			one[i] = w & -w
			break
		}
	}
	before := runtime.GOMAXPROCS(0)
	if len(os.Args) > 1 { // a child, which is not to follow
		setAffinity(&one)
		fmt.Println(os.Args[1], before == 3, stays(before))
		return
	}
	fmt.Println("default:", before <= runtime.NumCPU())
	setAffinity(&one)
	fmt.Println("one CPU:", becomes(1))
	setAffinity(&all)
	fmt.Println("as before:", becomes(before))
	runtime.GOMAXPROCS(before)
	setAffinity(&one)
	fmt.Println("chosen:", stays(before))
	runtime.SetDefaultGOMAXPROCS()
	fmt.Println("default:", becomes(1))
	setAffinity(&all)
	fmt.Println("as before:", becomes(before))

	for _, setting := range []string{"GOMAXPROCS=3", "GODEBUG=updatemaxprocs=0"} {
		child := exec.Command("/proc/self/exe", setting)
		child.Env = append(os.Environ(), setting)
		out, err := child.CombinedOutput()
		fmt.Printf("%s%v\n", out, err)
	}
}
