// A log on a disk that survives the program: "write" makes records durable one by one, but
// forgets the last; "read" says what is left of them.
package main

import (
	"fmt"
	"os"
	"strings"
)

const dir = "/database"

func main() {
	if os.Args[1] == "write" {
		write()
	}
	text, err := os.ReadFile(dir + "/log")
	if err != nil {
		fmt.Println(err)
		os.Exit(1)
	}
	synced, rest := string(text[:min(len(text), 3000)]), string(text[min(len(text), 3000):])
	fmt.Println("durable", synced == strings.Repeat("s", 3000), "rest", len(rest), strings.Count(rest, "u"))
	_, err = os.Stat(dir + "/unnamed")
	fmt.Println("unnamed", err == nil)
}

func write() {
	check(os.Mkdir(dir, 0o755))
	root, err := os.Open("/")
	check(err)
	check(root.Sync())
	d, err := os.Open(dir)
	check(err)
	f, err := os.Create(dir + "/log")
	check(err)
	check(d.Sync())
	for range 3 {
		_, err = f.WriteString(strings.Repeat("s", 1000))
		check(err)
		check(f.Sync())
	}
	_, err = f.WriteString(strings.Repeat("u", 10000))
	check(err)
	g, err := os.Create(dir + "/unnamed")
	check(err)
	check(g.Sync()) // the directory is not
}

func check(err error) {
	if err != nil {
		panic(err)
	}
}
