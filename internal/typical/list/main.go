// List makes internal/typical/names.bin: what typical programs reach of the standard library, with
// the installed Go and with the releases that are named.
//
//	go run ./internal/typical/list [-loam bin/loam] [GOTOOLCHAIN...]
package main

import (
	"encoding/binary"
	"flag"
	"fmt"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"

	"loam/internal/typical"
)

// programs are the directories of each class's programs.
var programs = [typical.Classes - 1][]string{{"hello"}, {"http"}, {"service", "command"}}

func main() {
	loam := flag.String("loam", filepath.Join("bin", "loam"), "the loam command")
	flag.Parse()
	if err := run(*loam, append([]string{""}, flag.Args()...)); err != nil {
		fmt.Fprintln(os.Stderr, "list:", err)
		os.Exit(1)
	}
}

func run(loam string, toolchains []string) error {
	loam, err := filepath.Abs(loam)
	if err != nil {
		return err
	}
	dir, err := os.MkdirTemp("", "typical-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	var data []byte
	before := map[uint32]bool{}
	for class, list := range programs {
		hashes := map[uint32]bool{}
		for _, program := range list {
			for _, toolchain := range toolchains {
				names, err := reached(loam, dir, program, toolchain)
				if err != nil {
					return err
				}
				for _, name := range names {
					if h := typical.Hash(name); !before[h] {
						hashes[h] = true
					}
				}
			}
		}
		data = binary.LittleEndian.AppendUint32(data, uint32(len(hashes)))
		for _, h := range slices.Sorted(maps.Keys(hashes)) {
			data = binary.LittleEndian.AppendUint32(data, h)
		}
		maps.Copy(before, hashes)
		fmt.Printf("class %d: %d names\n", class, len(hashes))
	}
	return os.WriteFile(filepath.Join("internal", "typical", "names.bin"), data, 0o666)
}

// reached returns the symbols that a program reaches.
func reached(loam, dir, program, toolchain string) ([]string, error) {
	names := filepath.Join(dir, "names")
	cmd := exec.Command(loam, "build", "-n", "-o", filepath.Join(dir, "program"), "./"+program)
	cmd.Dir = filepath.Join("internal", "typical", "testdata", "programs")
	cmd.Env = append(os.Environ(), "LOAMREACHED="+names)
	if toolchain != "" {
		cmd.Env = append(cmd.Env, "GOTOOLCHAIN="+toolchain)
	}
	if out, err := cmd.CombinedOutput(); err != nil {
		return nil, fmt.Errorf("%v: %v\n%s", cmd, err, out)
	}
	text, err := os.ReadFile(names)
	return strings.Split(string(text), "\n"), err
}
