// Datagrams, names, ends and failures of connections. "same" prints what is the same under all
// seeds, the others what the seed or a setting decides.
package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log"
	"net"
	"os"
	"strings"
	"sync"
	"syscall"
	"time"
)

func main() {
	log.SetFlags(log.Lshortfile)
	switch os.Args[1] {
	case "same":
		udp()
		unixgram()
		packets()
		pair()
		ends()
		refusals()
		options()
		files()
	case "families":
		families()
	case "names":
		names()
	case "race":
		race()
	case "pieces":
		pieces()
	case "lossy":
		lossy()
	case "slow":
		slow()
	case "resets":
		resets()
	case "partitions":
		partitions()
	case "signal":
		sleepUntilTerm()
	}
}

func check(err error) {
	if err != nil {
		log.Output(2, err.Error())
		os.Exit(1)
	}
}

// cause is the innermost error.
func cause(err error) error {
	for {
		inner := errors.Unwrap(err)
		if inner == nil {
			return err
		}
		err = inner
	}
}

func listenUDP(addr string) *net.UDPConn {
	a, err := net.ResolveUDPAddr("udp", addr)
	check(err)
	c, err := net.ListenUDP("udp", a)
	check(err)
	return c
}

func udp() {
	server := listenUDP("127.0.0.1:0")
	go func() {
		b := make([]byte, 100)
		for {
			n, from, err := server.ReadFromUDP(b)
			if err != nil {
				return
			}
			server.WriteToUDP([]byte(strings.ToUpper(string(b[:n]))), from)
		}
	}()
	c, err := net.Dial("udp", server.LocalAddr().String())
	check(err)
	for _, s := range []string{"one", "", "three"} {
		_, err = c.Write([]byte(s))
		check(err)
		b := make([]byte, 100)
		n, err := c.Read(b)
		fmt.Printf("udp %q %v\n", b[:n], err)
	}
	_, err = c.Write(make([]byte, 70000))
	fmt.Println("long", cause(err))
	c.SetReadDeadline(time.Now().Add(10 * time.Millisecond))
	_, err = c.Read(nil)
	_, err = c.Read(make([]byte, 1))
	fmt.Println("deadline", cause(err))
	_, err = net.ListenPacket("udp", server.LocalAddr().String())
	fmt.Println("taken", cause(err))
	server.Close()
	c.SetReadDeadline(time.Time{})
	c.Write([]byte("nobody"))
	_, err = c.Read(make([]byte, 1))
	fmt.Println("nobody", cause(err))
	c.Close()
	truncated("127.0.0.1:0")
}

func unixgram() {
	dir, err := os.MkdirTemp("", "talk")
	check(err)
	defer os.RemoveAll(dir)
	check(os.Chdir(dir))
	a, err := net.ListenUnixgram("unixgram", &net.UnixAddr{Name: "a", Net: "unixgram"})
	check(err)
	b, err := net.ListenUnixgram("unixgram", &net.UnixAddr{Name: "b", Net: "unixgram"})
	check(err)
	_, err = a.WriteTo([]byte("to b"), b.LocalAddr())
	check(err)
	buf := make([]byte, 100)
	n, from, err := b.ReadFrom(buf)
	fmt.Printf("unixgram %q %v %v\n", buf[:n], from, err)
	st, err := os.Stat("a")
	fmt.Println(st.Mode()&os.ModeSocket != 0, err)
	_, err = net.ListenPacket("unixgram", "a")
	fmt.Println("taken", cause(err))
	c, err := net.Dial("unixgram", "b")
	check(err)
	fmt.Fprint(c, "anonymous")
	n, from, err = b.ReadFrom(buf)
	fmt.Printf("%q %v %v\n", buf[:n], from, err)
	b.Close()
	_, err = c.Write([]byte("x"))
	fmt.Println("closed", cause(err))
	_, err = net.Dial("unixgram", "missing")
	fmt.Println("missing", cause(err))
	a.Close()
	l, err := net.Listen("unix", "l")
	check(err)
	l.Close()
	_, err = os.Stat("l")
	fmt.Println("unlinked", errors.Is(err, os.ErrNotExist))
}

func packets() {
	l, err := net.Listen("unixpacket", "@packets")
	check(err)
	go func() {
		c, err := l.Accept()
		check(err)
		fmt.Fprint(c, "first")
		fmt.Fprint(c, "second")
		c.(*net.UnixConn).CloseWrite()
		_, err = c.Read(make([]byte, 1))
		fmt.Println("other half", err)
		c.Close()
	}()
	c, err := net.Dial("unixpacket", "@packets")
	check(err)
	time.Sleep(time.Second / 10)
	b := make([]byte, 100)
	for range 3 {
		n, err := c.Read(b)
		fmt.Printf("packet %q %v\n", b[:n], err)
	}
	c.Close()
	time.Sleep(time.Second / 10)
}

func pair() {
	fds, err := syscall.Socketpair(syscall.AF_UNIX, syscall.SOCK_STREAM, 0)
	check(err)
	go func() {
		time.Sleep(time.Millisecond)
		syscall.Write(fds[1], []byte("through"))
		syscall.Close(fds[1])
	}()
	b := make([]byte, 100)
	n, err := syscall.Read(fds[0], b) // waits
	fmt.Printf("pair %q %v\n", b[:n], err)
	n, err = syscall.Read(fds[0], b)
	fmt.Println(n, err)
	_, err = syscall.Write(fds[0], b)
	fmt.Println(err)
	syscall.Close(fds[0])
}

// both returns the ends of a TCP connection.
func both() (client, server *net.TCPConn) {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	check(err)
	defer l.Close()
	c, err := net.Dial("tcp", l.Addr().String())
	check(err)
	s, err := l.Accept()
	check(err)
	return c.(*net.TCPConn), s.(*net.TCPConn)
}

func ends() {
	// Half-closed: the other half goes on.
	c, s := both()
	c.CloseWrite()
	b, err := io.ReadAll(s)
	fmt.Println("end", len(b), err)
	fmt.Fprint(s, "still")
	s.Close()
	b, err = io.ReadAll(c)
	fmt.Printf("half %q %v\n", b, err)
	c.Close()

	// Closed with unread bytes: the other end gets a reset.
	c, s = both()
	fmt.Fprint(c, "unread")
	time.Sleep(100 * time.Millisecond)
	s.Close()
	time.Sleep(100 * time.Millisecond)
	_, err = c.Read(make([]byte, 1))
	fmt.Println("reset", cause(err))
	_, err = c.Write([]byte("x"))
	fmt.Println("then", cause(err))
	c.Close()

	// A write to a side that has closed goes well, and the next one does not.
	c, s = both()
	s.Close()
	time.Sleep(100 * time.Millisecond)
	_, err = c.Write([]byte("x"))
	fmt.Println("first", err)
	time.Sleep(100 * time.Millisecond)
	_, err = c.Write([]byte("x"))
	fmt.Println("second", cause(err))
	c.Close()

	// Many bytes to a side that has closed: only so many go astray.
	c, s = both()
	s.Close()
	_, err = c.Write(make([]byte, 64<<20))
	fmt.Println("many", err != nil)
	c.Close()

	// A file.
	c, s = both()
	f, err := os.CreateTemp("", "sent")
	check(err)
	check(os.Remove(f.Name()))
	_, err = f.WriteAt(make([]byte, 300_000), 0)
	check(err)
	go func() {
		n, err := io.Copy(c, f)
		fmt.Println("sent", n, err)
		c.Close()
	}()
	b, err = io.ReadAll(s)
	time.Sleep(time.Second / 10)
	fmt.Println("sendfile", len(b), err)
	s.Close()

	// An abort.
	c, s = both()
	s.SetLinger(0)
	s.Close()
	_, err = c.Read(make([]byte, 1))
	fmt.Println("linger", cause(err))
	c.Close()
}

func refusals() {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	check(err)
	addr := l.Addr().String()
	_, err = net.Listen("tcp", addr)
	fmt.Println("taken", cause(err))
	l.Close()
	_, err = net.Dial("tcp", addr)
	fmt.Println("refused", cause(err))
	_, err = net.Dial("unix", "/missing/socket")
	fmt.Println("missing", cause(err))
}

// families is what needs IPv6, which machines may lack.
func families() {
	// One that listens on all addresses serves those of both families.
	l, err := net.Listen("tcp", ":0")
	check(err)
	_, port, err := net.SplitHostPort(l.Addr().String())
	check(err)
	for _, host := range []string{"127.0.0.1", "127.0.0.7", "::1"} {
		c, err := net.Dial("tcp", net.JoinHostPort(host, port))
		if err != nil {
			fmt.Println(host, err)
			continue
		}
		there, _, _ := net.SplitHostPort(c.RemoteAddr().String())
		here, _, _ := net.SplitHostPort(c.LocalAddr().String())
		fmt.Println(host, here, there)
		c.Close()
	}
	l.Close()

	truncated("[::1]:0")
}

// truncated reads into a short buffer, which gets the beginning, and the rest is lost.
func truncated(addr string) {
	a, b := listenUDP(addr), listenUDP(addr)
	_, _, err := a.WriteMsgUDP([]byte("truncated"), nil, b.LocalAddr().(*net.UDPAddr))
	check(err)
	short := make([]byte, 5)
	n, _, flags, from, err := b.ReadMsgUDP(short, nil)
	there := from.String() == a.LocalAddr().String()
	fmt.Printf("%q %t %t %v\n", short[:n], flags&syscall.MSG_TRUNC != 0, there, err)
	a.Close()
	b.Close()
}

func options() {
	c, s := both()
	check(c.SetNoDelay(false))
	check(c.SetKeepAlive(true))
	raw, err := c.SyscallConn()
	check(err)
	check(raw.Control(func(fd uintptr) {
		v, err := syscall.GetsockoptInt(int(fd), syscall.IPPROTO_TCP, syscall.TCP_NODELAY)
		fmt.Println("nodelay", v, err)
		v, err = syscall.GetsockoptInt(int(fd), syscall.SOL_SOCKET, syscall.SO_KEEPALIVE)
		fmt.Println("keepalive", v, err)
		v, err = syscall.GetsockoptInt(int(fd), syscall.SOL_SOCKET, syscall.SO_TYPE)
		fmt.Println("type", v, err)
	}))
	c.Close()
	s.Close()
}

// files makes a descriptor of its own of a connection.
func files() {
	c, s := both()
	f, err := c.File()
	check(err)
	c.Close()
	d, err := net.FileConn(f)
	check(err)
	f.Close()
	fmt.Fprint(d, "by another descriptor")
	d.Close()
	b, err := io.ReadAll(s)
	fmt.Printf("file %q %v\n", b, err)
	s.Close()
}

func names() {
	host, err := os.Hostname()
	check(err)
	for _, name := range []string{"localhost", host, "db.example", "DB.Example.", "other.example"} {
		addrs, err := net.LookupHost(name)
		var dns *net.DNSError
		if errors.As(err, &dns) {
			err = fmt.Errorf("not found: %t, timeout: %t", dns.IsNotFound, dns.IsTimeout)
		}
		fmt.Println(name, addrs, err)
	}
	l, err := net.Listen("tcp", "127.0.0.5:80")
	check(err)
	go func() {
		c, err := l.Accept()
		check(err)
		fmt.Fprint(c, "found")
		c.Close()
	}()
	c, err := net.Dial("tcp", "db.example:80")
	check(err)
	b, err := io.ReadAll(c)
	fmt.Printf("%s %q %v\n", c.RemoteAddr(), b, err)
}

// race lets three clients ask a server once each: the seed decides who is first.
func race() {
	server := listenUDP("127.0.0.1:0")
	var wg sync.WaitGroup
	for _, name := range []string{"a", "b", "c", "d"} {
		wg.Go(func() {
			c, err := net.Dial("udp", server.LocalAddr().String())
			check(err)
			fmt.Fprint(c, name)
		})
	}
	order := ""
	for range 4 {
		b := make([]byte, 10)
		n, _, err := server.ReadFrom(b)
		check(err)
		order += string(b[:n])
	}
	wg.Wait()
	_, port, _ := net.SplitHostPort(server.LocalAddr().String())
	fmt.Println("order", order)
	fmt.Println("port", port)
}

// lossy counts what becomes of numbered datagrams.
func lossy() {
	a, b := listenUDP("127.0.0.1:0"), listenUDP("127.0.0.1:0")
	const n = 300
	go func() {
		for i := range n {
			a.WriteTo([]byte{byte(i >> 8), byte(i)}, b.LocalAddr())
			time.Sleep(time.Millisecond / 10)
		}
	}()
	seen := map[int]int{}
	last, late := -1, 0
	b.SetReadDeadline(time.Now().Add(time.Minute))
	for {
		buf := make([]byte, 2)
		if _, err := io.ReadFull(b, buf); err != nil {
			break
		}
		i := int(buf[0])<<8 | int(buf[1])
		if seen[i]++; i < last {
			late++
		}
		last = max(last, i)
	}
	twice := 0
	for _, times := range seen {
		if times > 1 {
			twice++
		}
	}
	fmt.Println("lost", len(seen) < n, "twice", twice > 0, "late", late > 0)
	fmt.Println(len(seen), twice, late)
}

// slow measures how long a byte, and a megabyte, are on their way.
func slow() {
	c, s := both()
	start := time.Now()
	fmt.Fprint(c, "x")
	_, err := io.ReadFull(s, make([]byte, 1))
	check(err)
	byteTook := time.Since(start)
	start = time.Now()
	go c.Write(make([]byte, 1<<20))
	_, err = io.ReadFull(s, make([]byte, 1<<20))
	check(err)
	fmt.Println(byteTook > 50*time.Millisecond, time.Since(start) > time.Second)
}

func resets() {
	lost := 0
	for range 50 {
		c, s := both()
		go func() {
			io.Copy(s, s)
			s.Close()
		}()
		fmt.Fprint(c, "x")
		c.CloseWrite()
		if _, err := io.ReadAll(c); errors.Is(err, syscall.ECONNRESET) {
			lost++
		}
		c.Close()
	}
	fmt.Println("resets", lost > 0, lost < 50)
	fmt.Println(lost)
}

// pieces reads what single writes have sent, by TCP and by a Unix socket.
func pieces() {
	c, s := both()
	defer c.Close()
	defer s.Close()
	divided, sizes := parts(c, s)
	l, err := net.Listen("unix", "@pieces")
	check(err)
	defer l.Close()
	u, err := net.Dial("unix", "@pieces")
	check(err)
	defer u.Close()
	v, err := l.Accept()
	check(err)
	defer v.Close()
	unixDivided, _ := parts(u, v)
	fmt.Println("pieces", divided, unixDivided)
	fmt.Println(sizes)
}

// parts sends fifty messages, each when the one before has been read, and says how the first reads
// of divided ones went.
func parts(from, to net.Conn) (divided bool, sizes []int) {
	const message = "a message of some length"
	for range 50 {
		_, err := io.WriteString(from, message)
		check(err)
		b := make([]byte, 100)
		n, err := to.Read(b)
		check(err)
		if n < len(message) {
			divided, sizes = true, append(sizes, n)
			_, err = io.ReadFull(to, b[n:len(message)])
			check(err)
		}
		if string(b[:len(message)]) != message {
			panic(string(b))
		}
	}
	return divided, sizes
}

// partitions pings from one address to another: connections wait, datagrams are lost.
func partitions() {
	l, err := net.Listen("tcp", "127.0.0.2:0")
	check(err)
	go func() {
		for {
			c, err := l.Accept()
			if err != nil {
				return
			}
			go io.Copy(c, c)
		}
	}()
	d := net.Dialer{LocalAddr: &net.TCPAddr{IP: net.IPv4(127, 0, 0, 1)}}
	c, err := d.DialContext(context.Background(), "tcp", l.Addr().String())
	check(err)
	long := 0
	for range 200 {
		start := time.Now()
		_, err := c.Write([]byte("x"))
		check(err)
		_, err = io.ReadFull(c, make([]byte, 1))
		check(err)
		if time.Since(start) > 500*time.Millisecond {
			long++
		}
		time.Sleep(10 * time.Millisecond)
	}
	fmt.Println("partitions", long > 0, long < 200)
	fmt.Println(long)
}

func sleepUntilTerm() {
	time.Sleep(time.Hour)
	fmt.Println("not killed")
}
