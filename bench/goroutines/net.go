package main

import (
	"io"
	"net"
	"net/http"
	"slices"
	"sync"
	"time"
)

func check(err error) {
	if err != nil {
		panic(err)
	}
}

// clients runs k goroutines that each call request until n are done, and reports requests a
// second and the median and 99th percentile of their times.
func clients(k, n int, request func(client int)) {
	if *small {
		n /= 10
	}
	times := make([][]time.Duration, k)
	var wg sync.WaitGroup
	start := now()
	for c := range k {
		wg.Go(func() {
			for range n / k {
				t := time.Now()
				request(c)
				times[c] = append(times[c], time.Since(t))
			}
		})
	}
	wg.Wait()
	took := now() - start
	all := slices.Concat(times...)
	slices.Sort(all)
	report("requests", k, float64(len(all))/float64(took)*1e9, "1/s")
	report("p50", k, float64(all[len(all)/2]), "ns")
	report("p99", k, float64(all[len(all)*99/100]), "ns")
}

// echo sends 64 bytes over loopback TCP and waits for them to come back.
func echo() {
	ln, err := net.Listen("tcp", "127.0.0.1:0")
	check(err)
	defer ln.Close()
	go func() {
		for {
			c, err := ln.Accept()
			if err != nil {
				return
			}
			go func() {
				io.Copy(c, c)
				c.Close()
			}()
		}
	}()
	for _, k := range []int{1, 100} {
		conns := make([]net.Conn, k)
		for i := range conns {
			conns[i], err = net.Dial("tcp", ln.Addr().String())
			check(err)
		}
		bufs := make([][64]byte, k)
		clients(k, 50_000, func(i int) {
			_, err := conns[i].Write(bufs[i][:])
			check(err)
			_, err = io.ReadFull(conns[i], bufs[i][:])
			check(err)
		})
		for _, c := range conns {
			c.Close()
		}
	}
}

// serveHTTP has clients fetch a page of 1 KB over loopback, with connections kept alive.
func serveHTTP() {
	ln, err := net.Listen("tcp", "127.0.0.1:0")
	check(err)
	page := make([]byte, 1024)
	srv := &http.Server{Handler: http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) { w.Write(page) })}
	go srv.Serve(ln)
	defer srv.Close()
	url := "http://" + ln.Addr().String() + "/"
	for _, k := range []int{1, 100} {
		client := &http.Client{Transport: &http.Transport{MaxIdleConnsPerHost: k}}
		get := func(int) {
			r, err := client.Get(url)
			check(err)
			if n, err := io.Copy(io.Discard, r.Body); err != nil || n != int64(len(page)) {
				panic(err)
			}
			r.Body.Close()
		}
		for range k {
			get(0)
		}
		clients(k, 20_000, get)
		client.CloseIdleConnections()
	}
}
