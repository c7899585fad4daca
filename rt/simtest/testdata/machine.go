// What a program can see of the machine and of how it was started.
package main

import (
	"fmt"
	"os"
	"os/user"
	"runtime"
	"runtime/debug"
	"syscall"
	"time"
)

func main() {
	fmt.Printf("environment %q\n", os.Environ())
	fmt.Printf("arguments %q\n", os.Args)
	exe, err := os.Executable()
	check(err)
	info, err := os.Stat(exe)
	check(err)
	text, err := os.ReadFile(exe)
	check(err)
	fmt.Println("program", exe, info.Mode(), info.ModTime(), int64(len(text)) == info.Size(), string(text[1:4]))
	groups, err := os.Getgroups()
	check(err)
	fmt.Println("numbers", os.Getuid(), os.Geteuid(), os.Getgid(), os.Getegid(), groups, os.Getpid(), os.Getppid())
	who, err := user.Current()
	check(err)
	fmt.Println("user", *who)
	host, err := os.Hostname()
	check(err)
	fmt.Println("host", host)
	fmt.Println("time", time.Now().Round(time.Hour), time.Local)
	home, err := os.UserHomeDir()
	check(err)
	check(os.WriteFile(home+"/file", nil, 0o666))
	fmt.Println("directories", home, os.TempDir())
	tmp, err := os.Stat(os.TempDir())
	check(err)
	names, err := os.ReadDir(os.TempDir())
	check(err)
	fmt.Println("temporary", tmp.ModTime(), len(names)) // what leads to the working directory
	fmt.Println("processors", runtime.NumCPU(), runtime.GOMAXPROCS(0))
	var files, stack syscall.Rlimit
	check(syscall.Getrlimit(syscall.RLIMIT_NOFILE, &files))
	check(syscall.Getrlimit(syscall.RLIMIT_STACK, &stack))
	mask := syscall.Umask(0)
	syscall.Umask(mask)
	fmt.Println("limits", files, stack, mask)
	fmt.Println("collector", debug.SetGCPercent(100), debug.SetMemoryLimit(-1))
	for _, f := range []*os.File{os.Stdin, os.Stdout, os.Stderr} {
		info, err := f.Stat()
		check(err)
		fmt.Println("file", info.Mode())
	}
	order := ""
	done := make(chan int)
	for i := range 5 {
		go func() {
			order += fmt.Sprint(i)
			done <- i
		}()
	}
	for range 5 {
		<-done
	}
	fmt.Println("order", order)
}

func check(err error) {
	if err != nil {
		panic(err)
	}
}
