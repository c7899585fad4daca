package mid

import "go/types"

// Iterator is the type of the state of a loop over a map or a string, which the language does not
// name.
var Iterator types.Type = iterator{}

type iterator struct{}

func (i iterator) Underlying() types.Type { return i }
func (iterator) String() string           { return "iter" }
