package race

// Part is who makes an access that is not the program's own code, but done for it: reports name one
// of gc's functions there. From the first function's address on it is that function.
type Part uintptr

const (
	Grows Part = 1 + iota // append makes room. The first ones are in internal/lower/race.go, too
	Copies
	MakesString
	MakesStringOfRunes
	BorrowsString
	Sends
	Closes
	Adopts // a goroutine for C that calls Go
	AfterParts
)
