package main

func main() { c := make(chan int); go func() { select {} }(); <-c }
