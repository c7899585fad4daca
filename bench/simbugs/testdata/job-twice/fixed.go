// Atomicity, files: who renames a job's file has it.
package main

import (
	"fmt"
	"os"
	"path/filepath"
	"sync"
)

// take returns the contents of a job that is the caller's from then on; "": there is none.
func take(dir, mine string) string {
	for {
		entries, err := os.ReadDir(dir)
		if err != nil {
			panic(err)
		}
		if len(entries) == 0 {
			return ""
		}
		if os.Rename(filepath.Join(dir, entries[0].Name()), mine) != nil {
			continue // another one has it
		}
		text, err := os.ReadFile(mine)
		if err != nil {
			panic(err)
		}
		return string(text)
	}
}

func main() {
	dir, err := os.MkdirTemp("", "jobs")
	if err != nil {
		panic(err)
	}
	defer os.RemoveAll(dir)
	taken, err := os.MkdirTemp("", "taken")
	if err != nil {
		panic(err)
	}
	defer os.RemoveAll(taken)
	for i := range 4 {
		if err := os.WriteFile(filepath.Join(dir, fmt.Sprint(i)), fmt.Append(nil, "job ", i), 0o600); err != nil {
			panic(err)
		}
	}
	var mu sync.Mutex
	done := map[string]int{}
	var wg sync.WaitGroup
	for i := range 2 {
		mine := filepath.Join(taken, fmt.Sprint(i))
		wg.Go(func() {
			for job := take(dir, mine); job != ""; job = take(dir, mine) {
				mu.Lock()
				done[job]++
				mu.Unlock()
			}
		})
	}
	wg.Wait()
	for job, times := range done {
		if times > 1 {
			panic("done twice: " + job)
		}
	}
}
