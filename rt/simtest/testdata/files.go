// Files: what package os can do with them. "same" prints what is the same on any disk, "differs"
// what the seed decides.
package main

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"log"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"syscall"
	"time"
)

func main() {
	log.SetFlags(log.Lshortfile)
	dir, err := os.MkdirTemp("", "files")
	check(err)
	defer os.RemoveAll(dir)
	check(os.Chdir(dir))
	switch os.Args[1] {
	case "same":
		contents()
		names()
		trees()
		roots()
		locks()
		mapped()
		input()
	case "differs":
		order()
		durations()
	case "faults":
		faults()
	}
}

func check(err error) {
	if err != nil {
		log.Output(2, err.Error())
		os.Exit(1)
	}
}

// show prints an error without the directory's name.
func show(what string, err error) {
	var p *fs.PathError
	var l *os.LinkError
	switch {
	case errors.As(err, &p):
		err = p.Err
	case errors.As(err, &l):
		err = l.Err
	}
	fmt.Println(what, err)
}

func contents() {
	f, err := os.OpenFile("f", os.O_RDWR|os.O_CREATE|os.O_EXCL, 0o640)
	check(err)
	_, err = os.OpenFile("f", os.O_RDWR|os.O_CREATE|os.O_EXCL, 0o640)
	show("exclusive", err)
	fmt.Fprint(f, "hello, world")
	_, err = f.WriteAt([]byte("W"), 7)
	check(err)
	_, err = f.WriteAt([]byte("far"), 10000)
	check(err)
	st, err := f.Stat()
	check(err)
	fmt.Println(st.Name(), st.Size(), st.Mode(), st.IsDir())
	at, err := f.Seek(-3, io.SeekEnd)
	fmt.Println(at, err)
	rest, err := io.ReadAll(f)
	fmt.Printf("%q %v\n", rest, err)
	check(f.Truncate(12))
	check(f.Truncate(14))
	check(f.Sync())
	b, err := os.ReadFile("f")
	fmt.Printf("%q %v\n", b, err)
	_, err = f.Seek(-1, io.SeekStart)
	show("seek", err)
	_, err = f.ReadAt(make([]byte, 1), 100)
	show("behind", err)
	check(f.Close())
	_, err = f.Write(nil)
	show("closed", err)

	a, err := os.OpenFile("f", os.O_APPEND|os.O_WRONLY, 0)
	check(err)
	fmt.Fprint(a, "+1")
	fmt.Fprint(a, "+2")
	_, err = a.Read(make([]byte, 1))
	show("read", err)
	check(a.Close())
	b, err = os.ReadFile("f")
	fmt.Printf("%q %v\n", b, err)
	check(os.WriteFile("f", []byte("short"), 0o600))
	st, err = os.Stat("f")
	fmt.Println(st.Size(), st.Mode(), err)

	// A file without a name is there until it is closed.
	g, err := os.Create("g")
	check(err)
	check(os.Remove("g"))
	fmt.Fprint(g, "nameless")
	_, err = g.Seek(0, 0)
	check(err)
	b, err = io.ReadAll(g)
	fmt.Printf("%q %v\n", b, err)
	check(g.Close())
	src, err := os.Open("f")
	check(err)
	dst, err := os.Create("copy")
	check(err)
	n, err := io.Copy(dst, src)
	fmt.Println("copied", n, err)
}

func names() {
	check(os.Mkdir("d", 0o755))
	show("mkdir", os.Mkdir("d", 0o755))
	show("mkdir under a file", os.Mkdir("f/x", 0o755))
	check(os.Symlink("nowhere", "dangling"))
	show("mkdir of a link", os.Mkdir("dangling/", 0o755))
	check(os.Mkdir("slashed//", 0o755))
	show("rmdir of a file", syscall.Rmdir("f"))
	check(os.Symlink("d/target", "link"))
	_, err := os.Stat("link")
	show("dangling", err)
	check(os.WriteFile("link", []byte("through"), 0o644))
	b, err := os.ReadFile("d/target")
	fmt.Printf("%q %v\n", b, err)
	to, err := os.Readlink("link")
	fmt.Println(to, err)
	check(os.Link("d/target", "hard"))
	st, err := os.Stat("hard")
	check(err)
	st2, err := os.Stat("link")
	check(err)
	st3, err := os.Lstat("link")
	check(err)
	fmt.Println(os.SameFile(st, st2), os.SameFile(st, st3), st.Sys().(*syscall.Stat_t).Nlink, st3.Mode())
	check(os.Symlink("loop", "loop"))
	_, err = os.Open("loop")
	show("loop", err)
	show("rename to a directory", os.Rename("f", "d"))
	show("rename into itself", os.Rename("d", "d/e"))
	check(os.Rename("hard", "d/renamed"))
	_, err = os.Stat("hard")
	show("renamed", err)
	show("not empty", syscall.Rmdir("d"))
	check(os.Chmod("f", 0o400))
	check(os.Chtimes("f", time.Unix(100, 5), time.Unix(200, 7)))
	st, err = os.Stat("f")
	fmt.Println(st.Mode(), st.ModTime().UnixNano(), err)
	_, err = os.Stat(strings.Repeat("x", 300))
	show("long", err)
	_, err = os.OpenFile("d", os.O_WRONLY, 0)
	show("write a directory", err)
	_, err = os.OpenFile("new/", os.O_CREATE|os.O_WRONLY, 0)
	show("slash", err)
	_, err = os.Open("")
	show("empty", err)
	d, err := os.Open("d")
	check(err)
	all, err := d.Readdirnames(-1)
	slices.Sort(all)
	fmt.Println(all, err)
	check(d.Close())
}

func trees() {
	check(os.MkdirAll("t/a/b/c", 0o755))
	for i := range 300 {
		check(os.WriteFile(fmt.Sprintf("t/a/b/%d", i), bytes.Repeat([]byte{byte(i)}, i*50), 0o644))
	}
	check(os.CopyFS("t2", os.DirFS("t")))
	n, size := 0, int64(0)
	check(fs.WalkDir(os.DirFS("t2"), ".", func(path string, e fs.DirEntry, err error) error {
		n++
		if info, err := e.Info(); err == nil && !e.IsDir() {
			size += info.Size()
		}
		return err
	}))
	fmt.Println("tree", n, size)
	check(os.RemoveAll("t2"))
	_, err := os.Stat("t2")
	show("removed", err)
	matches, err := filepath.Glob("t/a/b/29*")
	fmt.Println(matches, err)
	check(os.Chdir("t/a"))
	wd, err := os.Getwd()
	fmt.Println(filepath.Base(wd), err)
	check(os.Chdir("../.."))
}

func roots() {
	r, err := os.OpenRoot("t")
	check(err)
	check(r.WriteFile("in", []byte("inside"), 0o644))
	check(r.MkdirAll("x/y", 0o755))
	check(r.Rename("in", "x/y/moved"))
	b, err := r.ReadFile("x/../x/y/moved")
	fmt.Printf("%q %v\n", b, err)
	_, err = r.Open("../f")
	show("escapes", err)
	check(os.Symlink("../f", "t/out"))
	_, err = r.Open("out")
	show("escapes by link", err)
	check(r.RemoveAll("x"))
	check(r.Close())
}

func locks() {
	f, err := os.Create("lock")
	check(err)
	g, err := os.Open("lock")
	check(err)
	check(syscall.Flock(int(f.Fd()), syscall.LOCK_EX))
	show("locked", syscall.Flock(int(g.Fd()), syscall.LOCK_SH|syscall.LOCK_NB))
	var wg sync.WaitGroup
	wg.Go(func() {
		check(syscall.Flock(int(g.Fd()), syscall.LOCK_SH)) // waits
		fmt.Println("shared")
	})
	time.Sleep(20 * time.Millisecond)
	fmt.Println("exclusive")
	check(f.Close())
	wg.Wait()
	check(g.Close())
}

func mapped() {
	check(os.WriteFile("m", bytes.Repeat([]byte("mapped "), 1000), 0o644))
	f, err := os.OpenFile("m", os.O_RDWR, 0)
	check(err)
	private, err := syscall.Mmap(int(f.Fd()), 0, 7000, syscall.PROT_READ|syscall.PROT_WRITE, syscall.MAP_PRIVATE)
	check(err)
	copy(private, "PRIVATE")
	shared, err := syscall.Mmap(int(f.Fd()), 0, 8192, syscall.PROT_READ, syscall.MAP_SHARED)
	check(err)
	_, err = f.WriteAt([]byte("WRITTEN"), 4090)
	check(err)
	fmt.Printf("%q %q %q\n", private[:7], shared[:7], shared[4090:4097])
	check(syscall.Munmap(private))
	check(syscall.Munmap(shared))
	written, err := syscall.Mmap(int(f.Fd()), 0, 7000, syscall.PROT_READ|syscall.PROT_WRITE, syscall.MAP_SHARED)
	check(err)
	copy(written[100:], "by memory")
	b, err := os.ReadFile("m")
	fmt.Printf("%q %v\n", b[100:109], err)
	check(syscall.Munmap(written))
	b, err = os.ReadFile("m")
	fmt.Printf("%q %d %v\n", b[100:109], len(b), err)
	check(f.Close())
}

// input is the real files, which can be changed as any other.
func input() {
	b, err := os.ReadFile(os.Args[2])
	fmt.Printf("%q %v\n", b, err)
	f, err := os.OpenFile(os.Args[2], os.O_RDWR|os.O_APPEND, 0)
	check(err)
	fmt.Fprint(f, "appended")
	_, err = f.WriteAt([]byte("x"), 0)
	show("write at a place", err)
	check(f.Close())
	check(os.Rename(os.Args[2], os.Args[2]+".moved"))
	b, err = os.ReadFile(os.Args[2] + ".moved")
	fmt.Printf("%q %v\n", b, err)
	_, err = os.Stat(os.Args[2])
	show("moved", err)
	z := make([]byte, 10)
	zero, err := os.Open("/dev/zero")
	check(err)
	n, err := zero.Read(z)
	fmt.Println(n, err, z)
	check(os.WriteFile(os.DevNull, []byte("gone"), 0))
}

func order() {
	for i := range 8 {
		check(os.WriteFile(fmt.Sprint(i), nil, 0o644))
	}
	d, err := os.Open(".")
	check(err)
	all, err := d.Readdirnames(-1)
	check(err)
	fmt.Println("order", all)
}

// durations lets two goroutines make their files durable: which is first is the seed's.
func durations() {
	var wg sync.WaitGroup
	var mu sync.Mutex
	start := time.Now()
	done := ""
	for _, name := range []string{"a", "b", "c"} {
		wg.Go(func() {
			f, err := os.Create(name)
			check(err)
			check(f.Sync())
			mu.Lock()
			done += name
			mu.Unlock()
		})
	}
	wg.Wait()
	fmt.Println("synced", done)
	fmt.Println("took", time.Since(start))
}

func faults() {
	var eio, full, short, fine int
	for i := range 200 {
		f, err := os.Create(fmt.Sprint(i))
		if err == nil {
			_, err = syscall.Write(int(f.Fd()), make([]byte, 5000))
			if n, e := syscall.Write(int(f.Fd()), make([]byte, 5000)); err == nil && e == nil && n < 5000 {
				short++
			}
		}
		switch {
		case errors.Is(err, syscall.EIO):
			eio++
		case errors.Is(err, syscall.ENOSPC):
			full++
		default:
			fine++
		}
	}
	fmt.Println("eio", eio > 5, "full", full > 5, "short", short > 5, "fine", fine > 5)
	fmt.Println(eio, full, short, fine)
}
