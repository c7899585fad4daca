package main

func set(p uintptr)

func main() { set(0) }
