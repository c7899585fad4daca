package main

func main() { var f func(); defer f(); println("x"); go f() }
