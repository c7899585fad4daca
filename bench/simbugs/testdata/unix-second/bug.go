// Order, time: what happens within one second is taken to have one time in seconds.
package main

import (
	"fmt"
	"time"
)

type token struct{ issued, expires int64 }

func issue() token {
	return token{time.Now().Unix(), time.Now().Add(time.Hour).Unix()}
}

func main() {
	if tok := issue(); tok.expires-tok.issued != 3600 {
		panic(fmt.Sprintf("%d seconds", tok.expires-tok.issued))
	}
}
