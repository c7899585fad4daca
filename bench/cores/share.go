package main

import "debug/elf"

const lineBytes = 64

// use is what a window does to a line.
type use struct{ reads, writes bool }

// uses returns what a window does to each line.
func uses(window []step) map[uint64]use {
	all := map[uint64]use{}
	for _, s := range window {
		for _, a := range s.accesses {
			line := a.address / lineBytes
			u := all[line]
			if a.kind == read {
				u.reads = true
			} else {
				u.writes = true
			}
			all[line] = u
		}
	}
	return all
}

// variables are where a program's global variables lie.
type variables []elf.SectionHeader

func variablesOf(program string) (list variables, err error) {
	file, err := elf.Open(program)
	if err != nil {
		return nil, err
	}
	defer file.Close()
	for _, s := range file.Sections {
		if s.Flags&(elf.SHF_ALLOC|elf.SHF_WRITE) == elf.SHF_ALLOC|elf.SHF_WRITE {
			list = append(list, s.SectionHeader)
		}
	}
	return list, nil
}

func (v variables) has(address uint64) bool {
	for _, s := range v {
		if address-s.Addr < s.Size {
			return true
		}
	}
	return false
}

// shared makes the operation of a model of a window of one P's, by what the same operation does on
// another P. A line that both write, or that is a variable which one of them writes, is the same
// for all. What only the other one writes is a line that each P has, and that all others look at.
func shared(window, other []step, global variables, instruction, atomic float64) operation {
	mine, theirs := uses(window), uses(other)
	locks := lockPairs(window)
	numbers := map[uint64]int{}
	var op operation
	gap := 0.0
	for i, s := range window {
		gap += instruction
		for k, a := range s.accesses {
			line := a.address / lineBytes
			own, its := mine[line], theirs[line]
			e := event{kind: a.kind}
			switch {
			case !its.reads && !its.writes || !own.writes && !its.writes:
				if a.kind == update {
					gap += atomic
				}
				continue // nobody else's, or nobody writes it
			case own.writes && its.writes || global.has(a.address):
			case its.writes:
				e.rest = true
			default:
				e.own = true
			}
			if l, ok := locks[[2]int{i, k}]; ok && !e.own && !e.rest {
				e.kind = l
			}
			if _, ok := numbers[line]; !ok {
				numbers[line] = len(numbers)
			}
			e.line, e.gap = numbers[line], gap
			gap = 0
			op.events = append(op.events, e)
		}
	}
	op.tail = gap
	return op
}

// lockPairs finds the accesses that take a lock and release it: an exchange makes a word that is 0
// another one, and a later one makes it 0 again.
func lockPairs(window []step) map[[2]int]kind {
	pairs := map[[2]int]kind{}
	taken := map[uint64][2]int{}
	for i, s := range window {
		for k, a := range s.accesses {
			if a.kind != update || !a.swaps {
				continue
			}
			if from, ok := taken[a.address]; ok && a.new == 0 && a.old != 0 {
				pairs[from], pairs[[2]int{i, k}] = lock, unlock
				delete(taken, a.address)
			} else if a.old == 0 && a.new != 0 {
				taken[a.address] = [2]int{i, k}
			}
		}
	}
	return pairs
}

// writesOf counts the accesses of an operation that take a line away from other cores: the first of
// those that follow each other.
func writesOf(op operation) (n int) {
	last := -1
	for _, e := range op.events {
		if e.kind != read && e.line != last {
			n++
			last = e.line
		}
	}
	return n
}
