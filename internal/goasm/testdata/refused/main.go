// Refused has assembly that reaches into the official run-time system.
package main

func f() uintptr

func main() { println(f()) }
