// System calls that programs make themselves: interfaces of the machine, descriptors and
// credentials that messages carry, poll, select, epoll and eventfd, and pipes with names. What it
// prints is the same with and without simulation.
package main

import (
	"errors"
	"fmt"
	"io"
	"log"
	"net"
	"os"
	"runtime"
	"slices"
	"strings"
	"syscall"
	"time"
	"unsafe"
)

func main() {
	log.SetFlags(log.Lshortfile)
	interfaces()
	rights()
	streams()
	credentials()
	polling()
	selecting()
	epoll()
	edges()
	counters()
	fifos()
	self()
}

func check(err error) {
	if err != nil {
		log.Output(2, err.Error())
		os.Exit(1)
	}
}

func interfaces() {
	i, err := net.InterfaceByName("lo")
	check(err)
	fmt.Println("interface", i.Index, i.MTU, i.Name, i.HardwareAddr, i.Flags)
	addresses, err := i.Addrs()
	check(err)
	fmt.Println("its first address", addresses[0])
	_, err = net.InterfaceByName("none")
	fmt.Println("no such one", err)
}

// pair is a pair of Unix sockets of a kind.
func pair(kind int) [2]int {
	fds, err := syscall.Socketpair(syscall.AF_UNIX, kind, 0)
	check(err)
	return fds
}

// receive receives a message, and prints what it is.
func receive(fd int, room int) (fds []int) {
	data, control := make([]byte, 100), make([]byte, room)
	n, m, flags, _, err := syscall.Recvmsg(fd, data, control, syscall.MSG_CMSG_CLOEXEC)
	check(err)
	messages, err := syscall.ParseSocketControlMessage(control[:m])
	check(err)
	fmt.Printf("received %q, flags %#x, %d messages", data[:n], flags&^syscall.MSG_CMSG_CLOEXEC, len(messages))
	for _, m := range messages {
		if m.Header.Type == syscall.SCM_CREDENTIALS {
			c, err := syscall.ParseUnixCredentials(&m)
			check(err)
			fmt.Print(", from this process: ", int(c.Pid) == os.Getpid() && int(c.Uid) == os.Getuid())
			continue
		}
		more, err := syscall.ParseUnixRights(&m)
		check(err)
		fds = append(fds, more...)
	}
	fmt.Println(", descriptors", len(fds))
	return fds
}

// rights sends both ends of a pipe, of which only one is closed otherwise.
func rights() {
	for _, kind := range []int{syscall.SOCK_DGRAM, syscall.SOCK_SEQPACKET} {
		s := pair(kind)
		var p [2]int
		check(syscall.Pipe(p[:]))
		check(syscall.Sendmsg(s[0], []byte("both"), syscall.UnixRights(p[0], p[1]), nil, 0))
		check(syscall.Close(p[0]))
		check(syscall.Close(p[1]))
		got := receive(s[1], 100)
		_, err := syscall.Write(got[1], []byte("through"))
		check(err)
		check(syscall.Close(got[1]))
		text, err := io.ReadAll(os.NewFile(uintptr(got[0]), "pipe"))
		fmt.Printf("%q %v\n", text, err)

		// Nobody receives the end of the pipe, so it is closed.
		check(syscall.Pipe(p[:]))
		check(syscall.Sendmsg(s[0], []byte("lost"), syscall.UnixRights(p[1]), nil, 0))
		check(syscall.Close(p[1]))
		check(syscall.Close(s[0]))
		check(syscall.Close(s[1]))
		n, err := syscall.Read(p[0], make([]byte, 1))
		fmt.Println("end", n, err)
		check(syscall.Close(p[0]))
	}
	s := pair(syscall.SOCK_DGRAM)
	fmt.Println("none", syscall.Sendmsg(s[0], []byte("x"), syscall.UnixRights(999), nil, 0))
	check(syscall.Sendmsg(s[0], []byte("two"), syscall.UnixRights(0, 1), nil, 0))
	receive(s[1], syscall.CmsgSpace(4)-4)
	check(syscall.Sendmsg(s[0], []byte("without"), nil, nil, 0))
	receive(s[1], 0)
	syscall.Close(s[0])
	syscall.Close(s[1])
}

// streams are not read beyond what carries descriptors.
func streams() {
	s := pair(syscall.SOCK_STREAM)
	send := func(text string, fds ...int) {
		check(syscall.Sendmsg(s[0], []byte(text), syscall.UnixRights(fds...), nil, 0))
	}
	_, err := syscall.Write(s[0], []byte("plain"))
	check(err)
	send("first", 0)
	send("second", 0, 1)
	_, err = syscall.Write(s[0], []byte("plain again"))
	check(err)
	time.Sleep(time.Second)
	for range 3 {
		for _, fd := range receive(s[1], 100) {
			check(syscall.Close(fd))
		}
	}
	syscall.Close(s[0])
	syscall.Close(s[1])
}

func credentials() {
	s := pair(syscall.SOCK_STREAM)
	check(syscall.SetsockoptInt(s[1], syscall.SOL_SOCKET, syscall.SO_PASSCRED, 1))
	_, err := syscall.Write(s[0], []byte("who"))
	check(err)
	receive(s[1], 100)
	own := &syscall.Ucred{Pid: int32(os.Getpid()), Uid: uint32(os.Getuid()), Gid: uint32(os.Getgid())}
	check(syscall.Sendmsg(s[0], []byte("am I"), syscall.UnixCredentials(own), nil, 0))
	receive(s[1], 100)
	syscall.Close(s[0])
	syscall.Close(s[1])
}

type pollFD struct {
	fd              int32
	events, revents int16
}

func poll(timeout int, fds ...pollFD) {
	began := time.Now()
	n, _, errno := syscall.Syscall(syscall.SYS_POLL, uintptr(unsafe.Pointer(&fds[0])), uintptr(len(fds)), uintptr(timeout))
	fmt.Print("poll ", n, errno == 0, time.Since(began) >= time.Duration(timeout)*time.Millisecond)
	for _, f := range fds {
		fmt.Printf(" %#x", f.revents)
	}
	fmt.Println()
}

func polling() {
	const in, out = 1, 4
	s := pair(syscall.SOCK_STREAM)
	a, b := int32(s[0]), int32(s[1])
	poll(0, pollFD{fd: a, events: in | out}, pollFD{fd: b, events: in}, pollFD{fd: 999, events: in}, pollFD{fd: -1})
	poll(20, pollFD{fd: b, events: in})
	go func() {
		time.Sleep(10 * time.Millisecond)
		syscall.Write(s[0], []byte("x"))
	}()
	poll(-1, pollFD{fd: b, events: in})
	check(syscall.Close(s[0]))
	time.Sleep(10 * time.Millisecond)
	poll(0, pollFD{fd: b, events: in | out})
	check(syscall.Close(s[1]))
	var p [2]int
	check(syscall.Pipe(p[:]))
	poll(0, pollFD{fd: int32(p[0]), events: in}, pollFD{fd: int32(p[1]), events: out})
	check(syscall.Close(p[1]))
	poll(0, pollFD{fd: int32(p[0]), events: in})
	check(syscall.Close(p[0]))
	l, err := net.Listen("tcp", "127.0.0.1:0")
	check(err)
	f, err := l.(*net.TCPListener).File()
	check(err)
	poll(0, pollFD{fd: int32(f.Fd()), events: in | out})
	c, err := net.Dial("tcp", l.Addr().String())
	check(err)
	poll(-1, pollFD{fd: int32(f.Fd()), events: in | out})
	c.Close()
	l.Close()
	f.Close()
}

func selecting() {
	var p [2]int
	check(syscall.Pipe(p[:]))
	set := func(fd int) *syscall.FdSet {
		s := new(syscall.FdSet)
		s.Bits[fd/64] = 1 << (fd % 64)
		return s
	}
	r, w := set(p[0]), set(p[1])
	n, err := syscall.Select(p[1]+1, r, w, nil, nil)
	fmt.Println("select", n, err, *r == syscall.FdSet{}, *w == *set(p[1]))
	r = set(p[0])
	n, err = syscall.Select(p[0]+1, r, nil, nil, &syscall.Timeval{Usec: 1000})
	fmt.Println("select", n, err, *r == syscall.FdSet{})
	syscall.Close(p[0])
	syscall.Close(p[1])
	_, err = syscall.Select(p[0]+1, set(p[0]), nil, nil, nil)
	fmt.Println("select", err)
}

func wait(e, timeout int) {
	var events [4]syscall.EpollEvent
	n, err := syscall.EpollWait(e, events[:], timeout)
	slices.SortFunc(events[:n], func(a, b syscall.EpollEvent) int { return int(a.Pad - b.Pad) })
	fmt.Print("epoll ", n, err)
	for _, ev := range events[:n] {
		fmt.Printf(" %d:%#x", ev.Pad, ev.Events)
	}
	fmt.Println()
}

func epoll() {
	e, err := syscall.EpollCreate1(syscall.EPOLL_CLOEXEC)
	check(err)
	s := pair(syscall.SOCK_STREAM)
	add := func(op, fd int, events uint32, number int32) error {
		return syscall.EpollCtl(e, op, fd, &syscall.EpollEvent{Events: events, Fd: int32(fd), Pad: number})
	}
	check(add(syscall.EPOLL_CTL_ADD, s[0], syscall.EPOLLIN, 1))
	check(add(syscall.EPOLL_CTL_ADD, s[1], syscall.EPOLLIN|syscall.EPOLLRDHUP, 2))
	fmt.Println(add(syscall.EPOLL_CTL_ADD, s[0], syscall.EPOLLIN, 1), add(syscall.EPOLL_CTL_MOD, 0, syscall.EPOLLIN, 1), add(syscall.EPOLL_CTL_ADD, e, syscall.EPOLLIN, 1))
	wait(e, 10)
	go func() {
		time.Sleep(10 * time.Millisecond)
		syscall.Write(s[0], []byte("x"))
	}()
	wait(e, -1)
	wait(e, 0) // it is there until it is read
	check(add(syscall.EPOLL_CTL_MOD, s[0], syscall.EPOLLOUT|syscall.EPOLLONESHOT, 3))
	wait(e, 0)
	wait(e, 0)
	check(syscall.Close(s[0]))
	time.Sleep(100 * time.Millisecond) // the end may be on its way for 20
	wait(e, 0)
	check(add(syscall.EPOLL_CTL_DEL, s[1], 0, 0))
	wait(e, 0)
	check(syscall.Close(s[1]))
	check(syscall.Close(e))
}

// edges are reported once each.
func edges() {
	e, err := syscall.EpollCreate1(0)
	check(err)
	s := pair(syscall.SOCK_DGRAM)
	check(syscall.EpollCtl(e, syscall.EPOLL_CTL_ADD, s[1], &syscall.EpollEvent{Events: syscall.EPOLLIN | 1<<31, Pad: 7}))
	wait(e, 0)
	for range 2 {
		_, err = syscall.Write(s[0], []byte("x"))
		check(err)
		wait(e, 0)
		wait(e, 0)
	}
	check(syscall.Close(s[0]))
	check(syscall.Close(s[1]))
	check(syscall.Close(e))
}

func fifos() {
	dir, err := os.MkdirTemp("", "calls")
	check(err)
	defer os.RemoveAll(dir)
	name := dir + "/fifo"
	check(syscall.Mkfifo(name, 0o600))
	info, err := os.Stat(name)
	check(err)
	fmt.Println("fifo", info.Mode())
	_, err = os.OpenFile(name, os.O_WRONLY|syscall.O_NONBLOCK, 0)
	fmt.Println("nobody reads:", errors.Is(err, syscall.ENXIO))

	// Each end is open when the other is.
	for _, text := range []string{"first", "second"} {
		go func() {
			time.Sleep(10 * time.Millisecond)
			w, err := os.OpenFile(name, os.O_WRONLY, 0)
			check(err)
			_, err = w.WriteString(text)
			check(err)
			time.Sleep(10 * time.Millisecond)
			check(w.Close())
		}()
		began := time.Now()
		r, err := os.Open(name)
		check(err)
		waited := time.Since(began) >= 10*time.Millisecond
		info, err := r.Stat()
		check(err)
		got, err := io.ReadAll(r)
		fmt.Printf("read %q %v %v %v\n", got, err, waited, info.Mode())
		check(r.Close())
	}

	// Two write, one reads; then it does not.
	r, err := os.OpenFile(name, os.O_RDONLY|syscall.O_NONBLOCK, 0)
	check(err)
	var w [2]*os.File
	for i := range w {
		w[i], err = os.OpenFile(name, os.O_WRONLY, 0)
		check(err)
		fmt.Fprint(w[i], i)
		poll(0, pollFD{fd: int32(r.Fd()), events: 1}, pollFD{fd: int32(w[i].Fd()), events: 4})
	}
	check(w[0].Close())
	buf := make([]byte, 10)
	n, err := r.Read(buf)
	fmt.Printf("read %q %v\n", buf[:n], err)
	check(r.Close())
	_, err = w[1].WriteString("x")
	fmt.Println("nobody reads:", errors.Is(err, syscall.EPIPE))
	check(w[1].Close())

	// One does both.
	f, err := os.OpenFile(name, os.O_RDWR, 0)
	check(err)
	fmt.Fprint(f, "both")
	n, err = f.Read(buf)
	fmt.Printf("read %q %v\n", buf[:n], err)
	check(f.Close())
}

// self is about what a process can change of itself.
func self() {
	errs := []error{
		syscall.Setpriority(syscall.PRIO_PROCESS, 0, 5), syscall.Setpgid(0, 0), syscall.Setpgid(0, os.Getpid()),
		syscall.Setpgid(999999, 0), syscall.Setuid(os.Getuid()), syscall.Setregid(-1, os.Getgid()),
		syscall.Setresuid(os.Getuid(), -1, -1),
	}
	n, err := syscall.Getpriority(syscall.PRIO_PROCESS, 0)
	_, sid := syscall.Setsid()
	fmt.Println(errs, n, err, sid)
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	name := []byte("a name that is too long\x00")
	_, _, set := syscall.RawSyscall(syscall.SYS_PRCTL, syscall.PR_SET_NAME, uintptr(unsafe.Pointer(&name[0])), 0)
	var is [16]byte
	_, _, get := syscall.RawSyscall(syscall.SYS_PRCTL, syscall.PR_GET_NAME, uintptr(unsafe.Pointer(&is[0])), 0)
	fmt.Printf("%q %d %d\n", is, set, get)
}

func counters() {
	eventfd := func(n, flags int) int {
		fd, _, errno := syscall.Syscall(syscall.SYS_EVENTFD2, uintptr(n), uintptr(flags), 0)
		if errno != 0 {
			check(errno)
		}
		return int(fd)
	}
	fd := eventfd(3, syscall.O_NONBLOCK)
	b := make([]byte, 8)
	n, err := syscall.Read(fd, b)
	fmt.Println("counter", n, err, b)
	_, err = syscall.Read(fd, b)
	fmt.Println("counter", err)
	f := os.NewFile(uintptr(fd), "counter")
	go func() {
		time.Sleep(10 * time.Millisecond)
		f.Write(b)
		time.Sleep(10 * time.Millisecond)
		f.Close()
	}()
	n, err = f.Read(b)
	fmt.Println("counter", n, err, b)
	_, err = f.Read(b)
	fmt.Println("counter", strings.Contains(fmt.Sprint(err), "closed"))
	fd = eventfd(2, 1)
	for range 2 {
		n, err = syscall.Read(fd, b)
		fmt.Println("semaphore", n, err, b)
	}
	check(syscall.Close(fd))
}
