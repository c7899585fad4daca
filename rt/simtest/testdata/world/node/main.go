// Node does what lines that come by the network say.
package main

import (
	"bufio"
	"fmt"
	"net"
	"os"
	"os/signal"
	"strconv"
	"strings"
	"syscall"
	"time"
)

func main() {
	host, err := os.Hostname()
	if err != nil {
		panic(err)
	}
	text, _ := os.ReadFile("file")
	fmt.Printf("%s begins with %q, arguments %q\n", host, text, os.Args[1:])
	term := make(chan os.Signal, 1)
	signal.Notify(term, syscall.SIGTERM)
	go func() {
		<-term
		fmt.Println("terminated")
		os.Exit(7)
	}()
	l, err := net.Listen("tcp", ":80")
	if err != nil {
		panic(err)
	}
	go datagrams()
	for {
		c, err := l.Accept()
		if err != nil {
			panic(err)
		}
		go serve(c)
	}
}

func serve(c net.Conn) {
	lines := bufio.NewScanner(c)
	lines.Buffer(nil, 1<<20)
	for lines.Scan() {
		words := strings.Fields(lines.Text())
		answer := "?"
		switch words[0] {
		case "environment":
			answer = fmt.Sprintf("%q %s", os.Environ(), os.Args[0])
		case "exit":
			code, _ := strconv.Atoi(words[1])
			os.Exit(code)
		case "panic":
			panic("asked for")
		case "write":
			answer = fmt.Sprint(write(words[1], len(words) > 2))
		case "dial":
			began := time.Now()
			o, err := net.DialTimeout("tcp", words[1]+":80", 3*time.Second)
			if err == nil {
				o.Close()
			}
			answer = fmt.Sprint(err == nil, " ", time.Since(began) > time.Second)
		case "hosts":
			text, err := os.ReadFile("/etc/hosts")
			answer = fmt.Sprint(strings.Count(string(text), "\n"), err)
		case "interface":
			i, err := net.InterfaceByName("eth0")
			if err != nil {
				panic(err)
			}
			addresses, err := i.Addrs()
			answer = fmt.Sprint(i.Index, i.HardwareAddr, addresses, err)
		case "year":
			answer = fmt.Sprint(time.Now().Year())
		case "echo":
			answer = words[1]
		}
		fmt.Fprintln(c, answer)
	}
	c.Close()
}

// write writes the file, and syncs it and its name on request.
func write(text string, sync bool) error {
	f, err := os.Create("file")
	if err == nil {
		_, err = f.WriteString(text)
	}
	if err == nil && sync {
		err = f.Sync()
		if err == nil {
			var dir *os.File
			if dir, err = os.Open("."); err == nil {
				err = dir.Sync()
			}
		}
	}
	return err
}

// datagrams sends them back.
func datagrams() {
	c, err := net.ListenPacket("udp", ":90")
	if err != nil {
		panic(err)
	}
	var buf [100]byte
	for {
		n, from, err := c.ReadFrom(buf[:])
		if err != nil {
			panic(err)
		}
		c.WriteTo(buf[:n], from)
	}
}
