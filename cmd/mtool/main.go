package main

import (
	"fmt"
	"os"
	"path/filepath"
	"time"

	"loam/internal/machine"
)

func one(f, out string) (err error) {
	defer func() {
		if r := recover(); r != nil {
			if os.Getenv("P") != "" {
				panic(r)
			}
			err = fmt.Errorf("PANIC %v", r)
		}
	}()
	text, err := os.ReadFile(f)
	if err != nil {
		return err
	}
	obj, err := machine.Compile(text)
	if err == nil && out != "" {
		err = os.WriteFile(out, obj, 0o666)
	}
	return err
}

func main() {
	if len(os.Args) == 3 {
		if err := one(os.Args[1], os.Args[2]); err != nil {
			fmt.Println(err)
			os.Exit(1)
		}
		return
	}
	files, _ := filepath.Glob(os.Args[1])
	start := time.Now()
	bad := 0
	for _, f := range files {
		if err := one(f, ""); err != nil {
			bad++
			fmt.Println(filepath.Base(f), err)
		}
	}
	fmt.Println(len(files), bad, time.Since(start))
}
