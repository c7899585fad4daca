// House counts how far the parts of Loam's packages depend on each other: how many files of a
// package reach one another, and how many fields and methods its biggest types have. A file reaches
// another one if it uses what that declares. Files of a circle can only be understood, tested and
// changed together.
//
//	go run ./internal/docstyle/house              what exceeds the goals
//	go run ./internal/docstyle/house -all         all packages
//	go run ./internal/docstyle/house -ties DIR    what ties the biggest circle of a package together
//	go run ./internal/docstyle/house -write       lower the limits to what is counted
//
// The test compares with limits.txt, whose numbers may only fall.
package main

import (
	"flag"
	"fmt"
	"os"
)

func main() {
	all := flag.Bool("all", false, "print all packages")
	ties := flag.String("ties", "", "print what the files of a package's biggest circle use of each other")
	write := flag.Bool("write", false, "write lower limits")
	flag.Parse()
	if err := run(*all, *write, *ties); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

// run does what the flags ask for, in the root of the repository.
func run(all, write bool, ties string) error {
	folders := []string{ties}
	if ties == "" {
		var err error
		if folders, err = packageFolders("."); err != nil {
			return err
		}
	}
	r, err := newReader(".")
	if err != nil {
		return err
	}
	var list []counts
	for _, folder := range folders {
		p, err := r.read(folder)
		if err != nil {
			return err
		}
		if ties != "" {
			printTies(p)
			continue
		}
		list = append(list, p.count())
	}
	if write {
		return lowerLimits(limitsFile, list)
	}
	for _, c := range list {
		if all || c.exceeds() {
			fmt.Println(c)
		}
	}
	return nil
}

// printTies prints, for each file of the biggest circle, which of the others it uses, and by what.
func printTies(p *sources) {
	circle := p.biggestCircle()
	for _, from := range circle {
		fmt.Println(from)
		for _, to := range circle {
			if used := p.uses[from][to]; len(used) > 0 {
				fmt.Printf("\t%s: %s\n", to, names(used))
			}
		}
	}
}
