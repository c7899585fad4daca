package main

func init() { panic("init panic") }
func main() {}
