// Order, time: the clock is looked at once.
package main

import (
	"fmt"
	"time"
)

type token struct{ issued, expires int64 }

func issue() token {
	now := time.Now()
	return token{now.Unix(), now.Add(time.Hour).Unix()}
}

func main() {
	if tok := issue(); tok.expires-tok.issued != 3600 {
		panic(fmt.Sprintf("%d seconds", tok.expires-tok.issued))
	}
}
