// What a go or defer statement does whose function or receiver is nil, or whose call panics: each
// case in a process of its own.
package main

import (
	"fmt"
	"os"
	"os/exec"
	"runtime"
	"strconv"
	"time"
)

type iface interface{ M(int) int }
type val struct{ n [3]int }

func (v val) M(x int) int  { return v.n[x%3] }
func (v *val) P(x int) int { fmt.Println("P", v == nil); return v.n[0] }
func (v *val) Q()          { fmt.Println("Q", v == nil) }

func generic[T any](x T) { fmt.Println("generic", x) }

type holder struct {
	f func(int)
	g func()
	i iface
}
type embeds struct{ *val }

func main() {
	if len(os.Args) < 2 {
		for n := range 45 {
			out, err := exec.Command(os.Args[0], strconv.Itoa(n)).CombinedOutput()
			fmt.Printf("case %d: %v\n%s\n", n, err, out)
		}
		return
	}
	n, _ := strconv.Atoi(os.Args[1])
	var (
		f  func(int)
		g  func()
		r  func(int) int
		vf func(...int)
		i  iface
		p  *val
		h  *holder
		hh = new(holder)
		e  embeds
		ff func(string, []int, any) (int, error)
		gg func(func(int))
		m  map[string]func(int)
		fs = make([]func(), 1)
	)
	fmt.Println("before")
	switch n {
	case 0:
		go f(3)
	case 1:
		go g()
	case 2:
		go r(3)
	case 3:
		go vf(1, 2, 3)
	case 4:
		go i.M(1)
	case 6:
		go p.P(1)
	case 7:
		go p.Q()
	case 8:
		go h.f(1)
	case 9:
		go hh.f(1)
	case 10:
		go hh.g()
	case 11:
		go hh.i.M(2)
	case 12:
		go e.M(1)
	case 13:
		go e.Q()
	case 14:
		go ff("x", nil, 1)
	case 15:
		go gg(f)
	case 16:
		go m["x"](3)
	case 17:
		go fs[0]()
	case 18:
		go func() { f(3) }()
	case 19:
		defer f(3)
	case 20:
		defer g()
	case 21:
		defer i.M(3)
	case 23:
		defer p.Q()
	case 24:
		defer hh.f(4)
	case 25:
		defer vf()
	case 26:
		for range 2 {
			defer f(5)
		}
	case 28:
		go panic("x")
	case 29:
		go print("hello\n")
	case 30:
		go delete(map[int]int(nil), 3)
	case 31:
		go copy([]int{1}, []int{2})
	case 32:
		var a any
		go a.(func())()
	case 33:
		go (*val).M(p, 1)
	case 34:
		go val.M(*p, 1)
	case 35:
		go iface.M(i, 2)
	case 36:
		x := p.Q
		go x()
	case 37:
		x := i.M
		go x(2)
	case 38:
		defer func() { fmt.Println("recovered", recover()) }()
		go g()
	case 39:
		defer func() { fmt.Println("recovered", recover()) }()
		defer f(2)
	case 40:
		go generic(*p)
	case 41:
		defer close((chan int)(nil))
	case 42:
		defer panic("d")
	case 43:
		go recover()
	case 44:
		go vf()
	default:
		os.Exit(77)
	}
	for runtime.NumGoroutine() > 1 { // if it does not die it ends
		time.Sleep(time.Millisecond)
	}
	fmt.Println("after")
}
