package main

import "os"

func main() { defer println("no"); os.Exit(7) }
