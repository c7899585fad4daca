// A goroutine that is interrupted because the world is to stop goes on afterwards: its slice is not
// used up, and it does not go behind all that wait. A slice may end by itself near a stop, so a
// part of the stops counts, of those that take no time.
package main

import (
	"fmt"
	"os"
	"runtime"
	"strings"
	"sync"
	"sync/atomic"
	"time"
)

const (
	loops   = 6
	enough  = 30 // stops
	most    = 500
	noTime  = time.Millisecond
	changed = 50 // percent
)

var runs, turns atomic.Int64

// running returns which of the loops runs, once one has.
func running() int64 {
	for t := turns.Load(); turns.Load() < t+3; {
	}
	return runs.Load()
}

func main() {
	if strings.Contains(os.Getenv("LOAMDEBUG"), "yield=") {
		fmt.Println("done") // who runs next is drawn
		return
	}
	runtime.GOMAXPROCS(2)
	var stop atomic.Bool
	var wg sync.WaitGroup
	for i := range int64(loops) {
		wg.Go(func() {
			for !stop.Load() {
				runs.Store(i)
				turns.Add(1)
			}
		})
	}
	buf := make([]byte, 1<<16)
	stops, others := 0, 0
	for n := 0; n < most && stops < enough; n++ {
		before := running()
		begin := time.Now()
		runtime.Stack(buf, true)
		after := running()
		if time.Since(begin) > noTime {
			continue
		}
		if stops++; after != before {
			others++
		}
	}
	stop.Store(true)
	wg.Wait()
	if others*100 > stops*changed {
		panic(fmt.Sprintf("after %d of %d stops another goroutine ran", others, stops))
	}
	fmt.Println("done")
}

// Output:
// done
