// Wrong has assembly with a mistake.
package main

func f() uintptr

func main() { println(f()) }
