// Values of all kinds go to C and come back.
package main

/*
#include <errno.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

typedef struct { int8_t a; double b; int16_t c; char text[5]; } mixed;
typedef struct { double x, y, z, w; int n; } big;
typedef union { int i; float f; } either;
enum color { RED, GREEN = 5, BLUE };
typedef int (*operation)(int, int);
typedef struct node { int value; struct node *next; } node;

static int8_t i8(int8_t x) { return -x; }
static uint16_t u16(uint16_t x) { return x + 1; }
static int64_t i64(int64_t x) { return x * 2; }
static float f32(float x) { return x / 3; }
static double f64(double x, float y, int8_t z) { return x + y + z; }
static mixed turn(mixed m) { m.a++; m.b *= 2; m.c--; m.text[0] = 'X'; return m; }
static big grow(big b, int8_t by) { b.x += by; b.w -= by; b.n++; return b; }
static either choose(int i) { either e = { i }; return e; }
static enum color next(enum color c) { return c == RED ? GREEN : BLUE; }
static int plus(int a, int b) { return a + b; }
static operation chosen(void) { return plus; }
static int apply(operation f, int a, int b) { return f(a, b); }
static int many(int a, int b, int c, int d, int e, int f, int g, int8_t h, int64_t i) { return a+b+c+d+e+f+g+h+i; }
static int fails(int x) { errno = x ? ENOENT : 0; return x; }
static void fails2(void) { errno = EPERM; }
static int sum(int *p, int n) { int s = 0; while (n--) s += *p++; return s; }
static node *push(node *n, int v) { node *m = malloc(sizeof *m); m->value = v; m->next = n; return m; }
static int type_(int t) { return t; }
typedef struct unknown unknown;
static unknown *some(void) { static int x; return (unknown *)&x; }
const char *greeting = "hello";
int counter;
#define ANSWER 42
#define NAME "name"
#define HALF 0.5
static uintptr_t stack(void) { char big[100000]; memset(big, 1, sizeof big); return big[5000]; }
*/
import "C"

import (
	"fmt"
	"reflect"
	"unsafe"
)

func main() {
	fmt.Println(C.i8(5), C.u16(65535), C.i64(1<<40), C.f32(1), C.f64(1, 2, -3))
	m := C.turn(C.mixed{a: 127, b: 1.5, c: -32768, text: [5]C.char{'a', 'b'}})
	fmt.Println(m.a, m.b, m.c, C.GoString(&m.text[0]))
	fmt.Println(C.grow(C.big{x: 1, y: 2, z: 3, w: 4, n: 5}, -1))
	e := C.choose(1 << 30)
	fmt.Println(*(*float32)(unsafe.Pointer(&e)), len(e))
	fmt.Println(C.next(C.RED), C.next(C.GREEN), C.BLUE)
	fmt.Println(C.apply(C.chosen(), 3, 4), C.many(1, 2, 3, 4, 5, 6, 7, -8, 1<<20))
	for _, x := range []C.int{0, 7} {
		r, err := C.fails(x)
		fmt.Println(r, err)
	}
	_, err := C.fails2()
	fmt.Println(err)
	list := []C.int{1, 2, 3, 4}
	fmt.Println(C.sum(&list[0], C.int(len(list))))
	var n *C.node
	for i := range C.int(3) {
		n = C.push(n, i)
	}
	for n != nil {
		fmt.Print(n.value, " ")
		next := n.next
		C.free(unsafe.Pointer(n))
		n = next
	}
	fmt.Println(C.type_(9), C.GoString(C.greeting), C.ANSWER, C.NAME, C.HALF)
	C.counter += 3
	fmt.Println(C.counter, C.sizeof_big, C.sizeof_mixed)
	s := C.CString("some text")
	fmt.Println(C.strlen(s), C.GoStringN(s, 4), C.GoBytes(unsafe.Pointer(s), 4))
	C.free(unsafe.Pointer(s))
	b := C.CBytes([]byte("bytes"))
	fmt.Println(C.GoBytes(b, 5), C.GoString(nil) == "")
	C.free(b)
	done := make(chan C.uintptr_t)
	for range 10 {
		go func() { done <- C.stack() }()
	}
	for range 10 {
		fmt.Print(<-done)
	}
	fmt.Println()
	incomplete()
}

// handle has methods, though C's struct has no fields.
type handle C.unknown

func (h *handle) null() bool { return h == nil }

type pair struct{ a, b int }

func (p pair) sum() int { return p.a + p.b }

// incomplete has a struct of C whose fields nobody knows: there are only pointers to it.
func incomplete() {
	var held any = C.some()
	fmt.Println(held == any(C.some()), held.(*C.unknown) == C.some(), reflect.TypeOf(held).Kind(), reflect.ValueOf(held).Pointer() != 0)
	var nuller interface{ null() bool } = (*handle)(C.some())
	var summer interface{ sum() int } = pair{1, 2}
	fmt.Println(nuller.null(), nuller.(*handle).null(), (*handle).null(nil), summer.sum())
	list := map[any]int{held: 1}
	fmt.Println(list[C.some()], reflect.ValueOf([]*C.unknown{C.some()}).Index(0).Interface() == held)
	defer func() { fmt.Println(recover()) }()
	reflect.New(reflect.TypeOf(C.unknown{}))
}
