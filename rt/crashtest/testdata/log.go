package main

import (
	"log"
	"os"
)

func main() { log.SetFlags(log.Lshortfile); log.Println("x"); _ = os.Args; log.Panicf("p %d", 3) }
