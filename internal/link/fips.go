package link

import (
	"bytes"
	"crypto/hmac"
	"crypto/sha256"
	"debug/elf"
	"encoding/binary"
	"fmt"
	"io"
	"os"
	"strings"

	"loam/internal/machine/object"
	"loam/internal/toolchain"
)

// The FIPS 140-3 module (crypto/internal/fips140/...) checks its own code and data when a program
// starts with GODEBUG=fips140=on: crypto/internal/fips140/check compares an HMAC-SHA256 of some
// address ranges (code, constants, data without pointers, data with pointers; with Loam, assembly
// too) with the sum in the variable go:fipsinfo. The linker lays out sections in the order of the
// objects, so the module's parts are contiguous if its objects are linked one after the other,
// between two objects with a label in each of the sections. What is left to do is to read the
// ranges back from the program and to write the sum.

const (
	fipsModule = "crypto/internal/fips140/"
	fipsCheck  = "crypto/internal/fips140/check" // programs that have it want the sum
	fipsMagic  = "\xff Go fipsinfo \xff\x00"
	fipsInfo   = ".go.fipsinfo" // section of the variable
)

// fipsSections are the sections with the module's parts, in the order of go:fipsinfo. For those
// that the assembler knows with other flags the marks use a name that the linker takes for the
// same.
var fipsSections = []struct {
	name, input string
	flags       uint64
}{
	{".text", ".text.loam", object.Exec}, {".rodata", ".rodata.loam", 0}, {".noptrdata", ".noptrdata", object.Write},
	{".data", ".data.loam", object.Write}, {"loam_rt_text", "loam_rt_text", object.Exec},
}

// splitFIPS parts packages into those of the FIPS module and the others, if the program has the
// module's check.
func splitFIPS(packages []*Package) (module, others []*Package) {
	for _, n := range packages {
		if n.Path() == fipsCheck {
			for _, n := range packages {
				if strings.HasPrefix(n.Path(), fipsModule) {
					module = append(module, n)
				} else {
					others = append(others, n)
				}
			}
			return module, others
		}
	}
	return nil, packages
}

// writeFIPSInfo writes go:fipsinfo: magic number, sum, its own address, the bounds of the ranges.
// In a program that may lie anywhere data with pointers are not what they were in its file: their
// range is empty.
func writeFIPSInfo(m *object.Maker, mode toolchain.Mode) {
	flags := uint64(object.Alloc | object.Retain)
	if mode.Movable() {
		flags |= object.Write
	}
	info := m.Part(fipsInfo, object.Progbits, flags)
	info.Align(16)
	info.Define("go:fipsinfo")
	info.Text(fipsMagic)
	info.Zero(sha256.Size)
	info.Address(object.To("go:fipsinfo", 0))
	for _, section := range fipsSections {
		end := "end"
		if mode.Movable() && section.name == ".data" {
			end = "start"
		}
		info.Address(object.To(fipsLabel("start", section.name), 0))
		info.Address(object.To(fipsLabel(end, section.name), 0))
	}
}

func fipsLabel(end, section string) string { return "loam.fips" + end + section }

// fipsMark is the object that stands before ("start") or after ("end") the module.
func fipsMark(end string) []byte {
	m := newObject()
	for _, section := range fipsSections {
		mark := m.Part(section.input, object.Progbits, section.flags|object.Alloc|object.Retain)
		mark.Align(16)
		mark.Define(fipsLabel(end, section.name))
		mark.Zero(16)
	}
	return m.Bytes()
}

// sealFIPS writes the sum of the module's ranges into the program.
func sealFIPS(program string) error {
	f, err := os.OpenFile(program, os.O_RDWR, 0)
	if err != nil {
		return err
	}
	defer f.Close()
	image, err := elf.NewFile(f)
	if err != nil {
		return err
	}
	section := image.Section(fipsInfo)
	if section == nil {
		return fmt.Errorf("%s: no section %s", program, fipsInfo)
	}
	info, err := section.Data()
	if err != nil {
		return err
	}
	if !bytes.HasPrefix(info, []byte(fipsMagic)) {
		return fmt.Errorf("%s: section %s has no magic number", program, fipsInfo)
	}
	sum := hmac.New(sha256.New, make([]byte, sha256.Size))
	io.WriteString(sum, "go fips object v1\n")
	bounds := info[len(fipsMagic)+sha256.Size+8:]
	for range fipsSections {
		start, end := binary.LittleEndian.Uint64(bounds), binary.LittleEndian.Uint64(bounds[8:])
		bounds = bounds[16:]
		text, err := bytesAt(image, start, end)
		if err != nil {
			return fmt.Errorf("%s: the FIPS module: %w", program, err)
		}
		sum.Write(binary.BigEndian.AppendUint64(nil, end-start))
		sum.Write(text)
	}
	if _, err := f.WriteAt(sum.Sum(nil), int64(section.Offset)+int64(len(fipsMagic))); err != nil {
		return err
	}
	return f.Close()
}

// bytesAt returns what a program has in its file for the addresses from start to end.
func bytesAt(image *elf.File, start, end uint64) ([]byte, error) {
	for _, p := range image.Progs {
		if p.Type == elf.PT_LOAD && p.Vaddr <= start && start <= end && end <= p.Vaddr+p.Filesz {
			text := make([]byte, end-start)
			_, err := p.ReadAt(text, int64(start-p.Vaddr))
			return text, err
		}
	}
	return nil, fmt.Errorf("no segment has %#x to %#x", start, end)
}
