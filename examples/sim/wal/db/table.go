package main

import (
	"encoding/binary"
	"hash/crc32"
	"io"
	"os"
	"path/filepath"
)

const (
	accounts = 8
	page     = 512 // bytes: each account has a page of the table's file
	full     = 4   // records, after which the log is emptied
)

// table is a file of balances, and a log of changes that it may not have yet. A change is made in
// three steps:
//
//   - it is written to the log, which is synced: from now on it is sure;
//   - the balances in memory are changed;
//   - when the log is full, all pages that have changed are written, and the log begins anew.
//
// A crash leaves any part of the pages. Opening the table makes the changes in the log once
// more, and they say what the balances are afterwards, so it does not matter which it had.
type table struct {
	balances [accounts]int64
	dirty    [accounts]bool
	file     *os.File
	log      *os.File
	records  int
	number   uint64 // of the last record
	settle   func(t *table) error
}

// record is a change: two balances, or what comes of them.
type record struct {
	Number   uint64
	From, To uint32
	Balances [2]int64
}

const recordSize = 32 + 4 // a checksum is behind it

func openTable(dir string, settle func(*table) error) (t *table, err error) {
	t = &table{settle: settle}
	if t.file, err = open(filepath.Join(dir, "table")); err != nil {
		return nil, err
	}
	if t.log, err = open(filepath.Join(dir, "log")); err != nil {
		return nil, err
	}
	if err := syncDirectory(dir); err != nil { // the names
		return nil, err
	}
	for i := range t.balances {
		var b [8]byte
		if _, err := t.file.ReadAt(b[:], int64(i)*page); err != nil && err != io.EOF {
			return nil, err
		}
		t.balances[i] = int64(binary.LittleEndian.Uint64(b[:]))
	}
	if err := t.recover(); err != nil {
		return nil, err
	}
	return t, settleInOrder(t)
}

func open(name string) (*os.File, error) { return os.OpenFile(name, os.O_RDWR|os.O_CREATE, 0o666) }

func syncDirectory(name string) error {
	d, err := os.Open(name)
	if err != nil {
		return err
	}
	defer d.Close()
	return d.Sync()
}

// recover makes the changes in the log again, as far as it is whole.
func (t *table) recover() error {
	text, err := io.ReadAll(t.log)
	if err != nil {
		return err
	}
	for ; len(text) >= recordSize; text = text[recordSize:] {
		var r record
		sum := binary.LittleEndian.Uint32(text[recordSize-4:])
		if sum != crc32.ChecksumIEEE(text[:recordSize-4]) {
			break
		}
		binary.Decode(text, binary.LittleEndian, &r)
		if t.number != 0 && r.Number != t.number+1 {
			break // of an older log
		}
		t.apply(&r)
	}
	return nil
}

func (t *table) apply(r *record) {
	t.number = r.Number
	t.balances[r.From], t.balances[r.To] = r.Balances[0], r.Balances[1]
	t.dirty[r.From], t.dirty[r.To] = true, true
}

// move takes an amount from an account to another. When it returns, that is sure.
func (t *table) move(from, to int, amount int64) error {
	r := record{Number: t.number + 1, From: uint32(from), To: uint32(to),
		Balances: [2]int64{t.balances[from] - amount, t.balances[to] + amount}}
	text, err := binary.Append(nil, binary.LittleEndian, &r)
	if err != nil {
		return err
	}
	text = binary.LittleEndian.AppendUint32(text, crc32.ChecksumIEEE(text))
	if _, err := t.log.WriteAt(text, int64(t.records)*recordSize); err != nil {
		return err
	}
	if err := t.log.Sync(); err != nil {
		return err
	}
	t.records++
	t.apply(&r)
	if t.records == full {
		return t.settle(t)
	}
	return nil
}

// settleAtOnce writes the pages and empties the log: the bug. The pages are on their way to the
// disk, and what could repair them is gone.
func settleAtOnce(t *table) error {
	if err := t.writePages(); err != nil {
		return err
	}
	return t.emptyLog()
}

func (t *table) writePages() error {
	for i, changed := range t.dirty {
		if !changed {
			continue
		}
		var b [8]byte
		binary.LittleEndian.PutUint64(b[:], uint64(t.balances[i]))
		if _, err := t.file.WriteAt(b[:], int64(i)*page); err != nil {
			return err
		}
		t.dirty[i] = false
	}
	return nil
}

func (t *table) emptyLog() error {
	t.records = 0
	if err := t.log.Truncate(0); err != nil {
		return err
	}
	return t.log.Sync()
}
