package main

type failing struct{ p *int }

// Error is called while the panic is printed, and fails by a fault.
func (f *failing) Error() string { return string(rune(*f.p)) }

func main() { panic(&failing{}) }
