// Arguments of calls that are made later, behind one that is so big that it is kept in memory: what
// reads memory comes first.
package main

import "fmt"

//go:noinline
func called() int { fmt.Println("called"); return 1 }

func try(name string, f func()) {
	defer func() { fmt.Println(name, recover().(error).Error()) }()
	f()
}

type big struct{ a [17]int }
type mid struct{ a [16]int }
type ptr struct {
	a [15]int
	p *int
	q *int
}

//go:noinline
func show(va big, vb int) {}

//go:noinline
func showm(va mid, vb int) {}

//go:noinline
func show2(vb int, va big, vc int) {}

//go:noinline
func showi(va big, vb any) {}

//go:noinline
func shown(va big, vb ...int) {}

//go:noinline
func showp(va ptr, vb mid, vc int, vd *int) {}

func (b big) val(n int)      {}
func (b *big) pointer(n int) {}
func (b mid) val(n int)      {}

type outer struct{ *big }

var gp *big
var gs []int

func generic[T any](v T, n int) {}

func main() {
	var px *big
	var pm *mid
	var pp *ptr
	var pi *int
	var s []int
	var o outer
	var po *outer
	var e interface{ val(int) }
	k := 7
	try("a", func() { defer show(*px, s[k]) })
	try("b", func() { go show(*px, s[k]) })
	try("c", func() { show(*px, s[k]) })
	try("d", func() { defer showm(*pm, s[k]) })
	try("e", func() { defer show2(*pi, *px, s[k]) })
	try("f", func() { defer show2(s[k], *px, *pi) })
	try("g", func() { defer showi(*px, s[k]) })
	try("h", func() { defer shown(*px, s[k]) })
	try("i", func() { defer showp(*pp, *pm, s[k], pp.p) })
	try("j", func() { defer px.val(s[k]) })
	try("k", func() { px.val(s[k]) })
	try("l", func() { defer px.pointer(s[k]) })
	try("m", func() { defer pm.val(s[k]) })
	try("n", func() { go px.val(s[k]) })
	try("o", func() { defer o.val(s[k]) })
	try("p", func() { defer po.val(s[k]) })
	try("q", func() { defer big.val(*px, s[k]) })
	try("r", func() { defer (*big).val(px, s[k]) })
	try("s", func() { defer show(*gp, gs[k]) })
	try("t", func() { defer func(b big, n int) {}(*px, s[k]) })
	try("u", func() { defer generic(*px, s[k]) })
	try("v", func() { defer e.val(s[k]) })
	try("w", func() { f := show; defer f(*px, s[k]) })
	try("x", func() { defer show(*px, 100/len(s)) })
	try("y", func() { defer show(*px, called()+s[k]) })
	try("z", func() { defer show(*px, int(*pi)) })
	try("A", func() { var a any; defer show(*px, a.(int)) })
	try("B", func() { var a [3]*int; defer show(*px, *a[0]) })
	try("C", func() { var m map[string]int; m = nil; defer show(*px, s[m["a"]+9]) })
	try("D", func() { defer show(*px, len(*(*[]int)(nil))) })
	try("E", func() { var f func(big, int); defer f(*px, s[k]) })
}
