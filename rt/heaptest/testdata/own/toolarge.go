package main

import (
	"fmt"
	"os"
	"strconv"
)

func main() {
	n, err := strconv.Atoi(os.Args[1])
	if err != nil {
		panic(err)
	}
	b := make([]byte, n)
	fmt.Println(len(b), b[n/2])
}
