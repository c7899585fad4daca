// Atomicity, files: workers take jobs from a directory by reading a file and removing it.
package main

import (
	"fmt"
	"os"
	"path/filepath"
	"sync"
)

// take returns the contents of a job that is the caller's from then on; "": there is none.
func take(dir string) string {
	for {
		entries, err := os.ReadDir(dir)
		if err != nil {
			panic(err)
		}
		if len(entries) == 0 {
			return ""
		}
		name := filepath.Join(dir, entries[0].Name())
		text, err := os.ReadFile(name)
		if err != nil {
			continue // another one has it
		}
		os.Remove(name)
		return string(text)
	}
}

func main() {
	dir, err := os.MkdirTemp("", "jobs")
	if err != nil {
		panic(err)
	}
	defer os.RemoveAll(dir)
	for i := range 4 {
		if err := os.WriteFile(filepath.Join(dir, fmt.Sprint(i)), fmt.Append(nil, "job ", i), 0o600); err != nil {
			panic(err)
		}
	}
	var mu sync.Mutex
	done := map[string]int{}
	var wg sync.WaitGroup
	for range 2 {
		wg.Go(func() {
			for job := take(dir); job != ""; job = take(dir) {
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
