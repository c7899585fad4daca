package main

import (
	"syscall"
	"testing"

	"golang.org/x/arch/x86/x86asm"
)

var few = machine{cores: 8, transfer: 50, atomic: 6}

// TestModel: what cores have for themselves costs the same however many there are; a line that all
// write goes from one to the next; so does a lock, with all that is done while it is held; and what
// all only read stays.
func TestModel(t *testing.T) {
	many := machine{cores: 64, transfer: 50, atomic: 6}
	alone := operation{tail: 100}
	counter := operation{events: []event{{gap: 10, kind: update}}, tail: 10}
	locked := operation{events: []event{{gap: 10, kind: lock}, {gap: 100, kind: unlock}}, tail: 10}
	reading := operation{events: []event{{gap: 10, kind: read}}, tail: 90}
	for _, c := range []struct {
		name      string
		m         machine
		op        operation
		low, high float64
	}{
		{"alone", few, alone, 99, 106},
		{"alone", many, alone, 99, 106},
		{"counter", few, counter, 8 * 50, 8 * 62},
		{"counter", many, counter, 64 * 50, 64 * 62},
		{"lock", few, locked, 8 * 150, 8 * 180},
		{"lock", many, locked, 64 * 150, 64 * 180},
		{"reading", few, reading, 99, 130},
		{"one core", machine{cores: 1, transfer: 50, atomic: 6}, counter, 20, 35},
	} {
		if got := c.m.cost(c.op, 100); got < c.low || got > c.high {
			t.Errorf("%s on %d cores: %.1f ns, want %g to %g", c.name, c.m.cores, got, c.low, c.high)
		}
	}
}

// TestLooks: who looks at a line of each other core pays for each, if they write it.
func TestLooks(t *testing.T) {
	op := operation{events: []event{{gap: 5, kind: write, line: 1, own: true}, {gap: 5, line: 1, rest: true}}}
	got := few.cost(op, 50)
	if want := 7 * few.transfer; got < want || got > 3*want {
		t.Errorf("%.1f ns for looks at 7 lines", got)
	}
}

// TestShared finds out which lines of two windows are shared, and how.
func TestShared(t *testing.T) {
	at := func(line uint64, k kind) step {
		return step{accesses: []access{{address: line * lineBytes, size: 8, kind: k}}}
	}
	swap := func(line, old, new uint64) step {
		return step{accesses: []access{{address: line * lineBytes, size: 4, kind: update, swaps: true, old: old, new: new}}}
	}
	mine := []step{at(1, read), at(2, write), at(3, read), swap(4, 0, 1), at(5, write), swap(4, 1, 0), at(6, write)}
	other := []step{at(1, read), at(2, read), at(3, write), swap(4, 0, 1), at(5, write), swap(4, 1, 0)}
	op := shared(mine, other, nil, 1, 0)
	want := []event{
		{gap: 2, kind: write, line: 0, own: true},
		{gap: 1, kind: read, line: 1, rest: true},
		{gap: 1, kind: lock, line: 2},
		{gap: 1, kind: write, line: 3},
		{gap: 1, kind: unlock, line: 2},
	}
	if len(op.events) != len(want) || op.tail != 1 {
		t.Fatalf("%+v, tail %g", op.events, op.tail)
	}
	for i := range want {
		if op.events[i] != want[i] {
			t.Errorf("event %d: %+v, want %+v", i, op.events[i], want[i])
		}
	}
	if n := writesOf(op); n != 4 {
		t.Errorf("%d lines written", n)
	}
}

// TestDecode finds addresses and kinds of instructions.
func TestDecode(t *testing.T) {
	regs := &syscall.PtraceRegs{Rax: 0x1000, Rbx: 2, Rcx: 0xffffffff00000010, Fs_base: 0x7000, Rip: 0x400}
	for _, c := range []struct {
		code    []byte
		address uint64
		kind    kind
		none    bool
	}{
		// mov 8(%rax), %rax
		{[]byte{0x48, 0x8b, 0x40, 0x08}, 0x1008, read, false},
		// mov %rax, 16(%rax,%rbx,4)
		{[]byte{0x48, 0x89, 0x44, 0x98, 0x10}, 0x1018, write, false},
		// lock cmpxchg
		{[]byte{0xf0, 0x48, 0x0f, 0xb1, 0x08}, 0x1000, update, false},
		// xchg
		{[]byte{0x87, 0x08}, 0x1000, update, false},
		// mov %fs:0x70, %rax
		{[]byte{0x64, 0x48, 0x8b, 0x04, 0x25, 0x70, 0x00, 0x00, 0x00}, 0x7070, read, false},
		// mov 16(%rip), %rax
		{[]byte{0x48, 0x8b, 0x05, 0x10, 0x00, 0x00, 0x00}, 0x417, read, false},
		// lea
		{[]byte{0x48, 0x8d, 0x40, 0x08}, 0, read, true},
		// cmpl $0, (%rax)
		{[]byte{0x83, 0x38, 0x00}, 0x1000, read, false},
		// mov %rax, %rbx
		{[]byte{0x48, 0x89, 0xc3}, 0, read, true},
		// mov (%ecx), %eax
		{[]byte{0x67, 0x8b, 0x01}, 0x10, read, false},
		// vmovdqu (%rax), %ymm0
		{[]byte{0xc5, 0xfe, 0x6f, 0x00}, 0x1000, read, false},
		// vmovdqu %ymm0, (%rax)
		{[]byte{0xc5, 0xfe, 0x7f, 0x00}, 0x1000, write, false},
	} {
		inst, err := x86asm.Decode(append(c.code, make([]byte, 15-len(c.code))...), 64)
		if err != nil {
			t.Errorf("% x: %v", c.code, err)
			continue
		}
		list := ofInstruction(inst, regs)
		if c.none != (len(list) == 0) {
			t.Errorf("% x: %+v", c.code, list)
			continue
		}
		if !c.none && (list[0].address != c.address || list[0].kind != c.kind) {
			t.Errorf("% x: %+v, want %#x, kind %d", c.code, list[0], c.address, c.kind)
		}
	}
}
