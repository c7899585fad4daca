package main

func main() { go func() { panic("in goroutine") }(); select {} }
