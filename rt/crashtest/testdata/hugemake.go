package main

var sink []byte

func main() {
	n := 1 << 48
	sink = make([]byte, n)
}
