// Changes of files that the program watches. What it prints is the same with and without
// simulation.
package main

import (
	"fmt"
	"log"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"time"
	"unsafe"
)

func check(err error) {
	if err != nil {
		log.Output(2, err.Error())
		os.Exit(1)
	}
}

// watcher is a descriptor that tells of changes.
type watcher struct {
	fd    int
	names map[int32]string // of watches
}

func (w *watcher) watch(name string, mask uint32) {
	wd, err := syscall.InotifyAddWatch(w.fd, name, mask)
	check(err)
	w.names[int32(wd)] = filepath.Base(name)
}

// told prints what has happened.
func (w *watcher) told(what string) {
	fmt.Println(what)
	buf := make([]byte, 4096)
	cookies := map[uint32]int{}
	for {
		n, err := syscall.Read(w.fd, buf)
		if err == syscall.EAGAIN {
			return
		}
		check(err)
		for b := buf[:n]; len(b) > 0; {
			e := (*syscall.InotifyEvent)(unsafe.Pointer(&b[0]))
			name := strings.TrimRight(string(b[16:16+e.Len]), "\x00")
			move := 0
			if e.Cookie != 0 {
				if cookies[e.Cookie] == 0 {
					cookies[e.Cookie] = len(cookies) + 1
				}
				move = cookies[e.Cookie]
			}
			if what != "closed it" || name == "" { // it may have its last name for others, still
				fmt.Printf("  %s %q %#x %d\n", w.names[e.Wd], name, e.Mask, move)
			}
			b = b[16+e.Len:]
		}
	}
}

func main() {
	log.SetFlags(log.Lshortfile)
	dir, err := os.MkdirTemp("", "watch")
	check(err)
	defer os.RemoveAll(dir)
	a, b, sub := dir+"/a", dir+"/b", dir+"/sub"
	fd, err := syscall.InotifyInit1(syscall.IN_NONBLOCK | syscall.IN_CLOEXEC)
	check(err)
	w := &watcher{fd: fd, names: map[int32]string{}}
	w.watch(dir, syscall.IN_ALL_EVENTS)
	w.names[1] = "dir"
	w.told("nothing")

	check(os.WriteFile(a, []byte("text"), 0o600))
	w.told("made")
	w.watch(a, syscall.IN_ALL_EVENTS)
	_, err = os.ReadFile(a)
	check(err)
	w.told("read")
	check(os.WriteFile(a, []byte("more"), 0o600))
	w.told("written")
	check(os.Chmod(a, 0o644))
	check(os.Truncate(a, 1))
	w.told("changed")
	check(os.Link(a, b))
	w.told("linked")
	check(os.Remove(b))
	w.told("removed a link")
	check(os.Mkdir(sub, 0o700))
	w.watch(sub, syscall.IN_ALL_EVENTS|syscall.IN_ONLYDIR)
	check(os.Rename(a, sub+"/c"))
	w.told("moved")
	check(os.WriteFile(b, nil, 0o600))
	w.watch(b, syscall.IN_DELETE_SELF|syscall.IN_ATTRIB)
	check(os.Rename(sub+"/c", b))
	w.told("replaced")
	f, err := os.Open(b)
	check(err)
	check(os.Remove(b))
	w.told("removed an open file")
	check(f.Close())
	w.told("closed it")
	check(os.Remove(sub))
	w.told("removed a directory")
	check(os.WriteFile(a, nil, 0o600))
	w.watch(a, syscall.IN_ALL_EVENTS)
	check(os.Remove(a))
	w.told("removed a file")
	w.watch(dir, syscall.IN_CREATE|0x80000000)
	w.names[1] = "dir"
	check(os.Symlink("x", b))
	check(os.Symlink("x", a))
	w.told("once")
	_, err = syscall.InotifyAddWatch(fd, dir+"/none", syscall.IN_CREATE)
	fmt.Println(err)
	_, err = syscall.InotifyRmWatch(fd, 77)
	fmt.Println(err)

	// Package os waits for it.
	file := os.NewFile(uintptr(fd), "watcher")
	w.watch(dir, syscall.IN_CREATE)
	read := make(chan bool)
	go func() {
		time.Sleep(10 * time.Millisecond)
		check(os.Mkdir(sub, 0o700))
		<-read
		time.Sleep(10 * time.Millisecond)
		file.Close()
	}()
	buf := make([]byte, 100)
	n, err := file.Read(buf)
	read <- true
	fmt.Println(n, err)
	_, err = file.Read(buf)
	fmt.Println(strings.Contains(fmt.Sprint(err), "closed"))
}
