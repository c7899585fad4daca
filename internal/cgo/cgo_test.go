package cgo

import (
	"slices"
	"strings"
	"testing"
)

// TestRewrite has what cgo writes of a function with arguments and a result, one that returns
// errno, one without both, and one that C calls.
func TestRewrite(t *testing.T) {
	const src = `package p

import "unsafe"

type _Ctype_int int32
type _Ctype_void [0]byte

//go:cgo_import_static _cgo_1_Cfunc_add
//go:linkname __cgofn__cgo_1_Cfunc_add _cgo_1_Cfunc_add
var __cgofn__cgo_1_Cfunc_add byte
var _cgo_1_Cfunc_add = unsafe.Pointer(&__cgofn__cgo_1_Cfunc_add)

//go:cgo_unsafe_args
func _Cfunc_add(p0 _Ctype_int, p1 int8) (r1 _Ctype_int) {
	_cgo_runtime_cgocall(_cgo_1_Cfunc_add, uintptr(unsafe.Pointer(&p0)))
	if _Cgo_always_false {
		_Cgo_use(p0)
	}
	return
}

//go:cgo_unsafe_args
func _C2func_add(p0 _Ctype_int) (r1 _Ctype_int, r2 error) {
	errno := _cgo_runtime_cgocall(_cgo_1_C2func_add, uintptr(unsafe.Pointer(&p0)))
	if errno != 0 { r2 = syscall.Errno(errno) }
	return
}

//go:cgo_unsafe_args
func _Cfunc_nothing() (r1 _Ctype_void) {
	_Cgo_no_callback(true)
	_cgo_runtime_cgocall(_cgo_1_Cfunc_nothing, uintptr(unsafe.Pointer(&r1)))
	_Cgo_no_callback(false)
	return
}
//go:cgo_export_dynamic goCallback
//go:linkname _cgoexp_1_goCallback _cgoexp_1_goCallback
//go:cgo_export_static _cgoexp_1_goCallback
func _cgoexp_1_goCallback(a *struct{}) {}
`
	out, exports, dynamic, err := rewrite([]byte(src))
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{
		"\tvar _cgo_block struct { p0 _Ctype_int; p1 int8; _ [0]uintptr; r1 _Ctype_int }; _cgo_block.p0 = p0; _cgo_block.p1 = p1; " +
			"_cgo_runtime_cgocall(_cgo_1_Cfunc_add, uintptr(unsafe.Pointer(&_cgo_block))); r1 = _cgo_block.r1\n\tif _Cgo_always_false {",
		"; errno := _cgo_runtime_cgocall(_cgo_1_C2func_add, uintptr(unsafe.Pointer(&_cgo_block))); r1 = _cgo_block.r1\n",
		"_Cgo_no_callback(true)\n\tvar _cgo_block struct {  }; _cgo_runtime_cgocall(_cgo_1_Cfunc_nothing, uintptr(unsafe.Pointer(&_cgo_block)))\n",
		"//go:linkname _cgoexp_1_goCallback _cgoexp_1_goCallback\n",
	} {
		if !strings.Contains(strings.ReplaceAll(string(out), "_cgo_block.p0 = p0; ; errno", "_cgo_block.p0 = p0; errno"), want) {
			t.Errorf("there is no\n%s\nin\n%s", want, out)
		}
	}
	if strings.Contains(string(out), "//go:cgo_") {
		t.Errorf("a pragma is left:\n%s", out)
	}
	if strings.Count(string(out), "\n") != strings.Count(src, "\n") {
		t.Error("lines have moved")
	}
	if !slices.Equal(exports, []string{"_cgoexp_1_goCallback"}) || !slices.Equal(dynamic, []string{"goCallback"}) {
		t.Errorf("exports %v, dynamic %v", exports, dynamic)
	}
}

// TestFlags has flags that are passed on, and flags that are not.
func TestFlags(t *testing.T) {
	for _, c := range []struct {
		link  bool
		flags string
		ok    bool
	}{
		{false, "-DX=1 -UY -I/usr/include -I include -O2 -Wall -Wno-unused -g -std=c11 -fPIC -fno-exceptions -msse4.2 -pthread -fsanitize=undefined", true},
		{false, "-fplugin=x.so", false},
		{false, "-B/tmp", false},
		{false, "@file", false},
		{false, "-I @file", false},
		{false, "-include", false},
		{false, "-wrapper x", false},
		{false, "-specs=x", false},
		{true, "-lm -L/usr/lib -L lib -pthread -static -Wl,-rpath,/lib -Wl,--as-needed -Wl,-z,relro /usr/lib/libx.a lib.so.1 -framework x", true},
		{true, "-fplugin=x.so", false},
		{true, "-Wl,-plugin,x.so", false},
		{true, "-Wl,-T,script", false},
		{true, "-Wl,@file", false},
		{true, "-fuse-ld=/tmp/ld", false},
		{true, "-o x", false},
	} {
		name, harmless := "CGO_CFLAGS", harmlessCompile
		if c.link {
			name, harmless = "CGO_LDFLAGS", harmlessLink
		}
		if err := checkFlags(name, "#cgo", strings.Fields(c.flags), harmless); (err == nil) != c.ok {
			t.Errorf("%s: %v", c.flags, err)
		}
	}
	t.Setenv("CGO_CFLAGS_ALLOW", "-wild.*")
	if err := checkFlags("CGO_CFLAGS", "#cgo", []string{"-wilder"}, harmlessCompile); err != nil {
		t.Error(err)
	}
}

// TestWords splits as a shell would, but for escapes.
func TestWords(t *testing.T) {
	words, err := Words(`gcc  -DX="a b" 'c d' ` + "\n" + `e"f`)
	if err == nil && !slices.Equal(words, []string{"gcc", `-DX="a`, `b"`, "c d", `e"f`}) {
		t.Errorf("%q", words)
	}
	if _, err := Words(`'open`); err == nil {
		t.Error("an open quote")
	}
}
