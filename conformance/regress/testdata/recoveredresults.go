// Results that a recovered panic leaves are those of the variables, whatever else the function
// returns where it does not panic: reads of maps, elements and fields, parameters, parts of structs.
package main

import "fmt"

type pair struct{ a, b *int }

type big struct{ w [12]int }

var (
	on      = true
	none    []bool
	key     byte
	byKey   = map[byte]*int{1: new(int)}
	pairs   = map[byte]pair{1: {new(int), nil}}
	texts   = map[byte]string{1: "one"}
	bigs    = map[byte]big{1: {}}
	list    = []*int{new(int)}
	numbers = []float64{1.5}
)

func recovered() { recover() }

//go:noinline
func ofMap(p *int) (r *int) {
	if on {
		defer recovered()
	} else if none[1] {
		return map[byte]*int{255: p, 23: r}[key]
	}
	if none[0] {
		println(1)
	}
	return
}

//go:noinline
func ofElement(p **int) (r *int) {
	if on {
		defer func() { recover() }()
	} else if none[1] {
		return list[key]
	} else if none[2] {
		return *p
	}
	if none[0] {
		return byKey[key]
	}
	return
}

//go:noinline
func ofPair(p *pair) (r pair) {
	if on {
		defer recovered()
	} else if none[1] {
		return *p
	}
	if none[0] {
		return pairs[key]
	}
	return
}

//go:noinline
func ofText(p *string) (r string, err error) {
	r = "set"
	if on {
		defer func() { recover() }()
	} else if none[1] {
		return *p, nil
	}
	if none[0] {
		return texts[key], nil
	}
	return
}

//go:noinline
func ofBig(p *big) (r big) {
	r.w[3] = 4
	if on {
		defer func() { recover() }()
	} else if none[1] {
		return *p
	}
	if none[0] {
		return bigs[key]
	}
	return
}

//go:noinline
func ofFloat(p *float64) (r float64, n int) {
	n = 3
	if on {
		defer recovered()
	} else if none[1] {
		return *p, 1
	} else if none[2] {
		return numbers[key], 2
	}
	if none[0] {
		return
	}
	return
}

//go:noinline
func ofLoop(ps []*int) (r *int) {
	for i, p := range ps {
		if i == 1 {
			defer func() { recover() }()
		}
		if i == 2 && none[0] {
			return p
		}
	}
	if p := byKey[key]; p != nil {
		return p
	}
	return
}

//go:noinline
func dirty(n int) (sum int) {
	var a [300]int
	for i := range a {
		a[i] = n + i
	}
	for _, x := range a[n%7:] {
		sum += x
	}
	return sum
}

func main() {
	for range 2 {
		fmt.Println(dirty(5))
		fmt.Println(ofMap(new(int)), ofElement(new(*int)))
		fmt.Println(ofPair(&pair{new(int), new(int)}))
		fmt.Println(ofText(new("text")))
		fmt.Println(ofBig(&big{[12]int{1, 2, 3}}))
		fmt.Println(ofFloat(new(2.5)))
		fmt.Println(ofLoop([]*int{new(int), new(int), new(int)}))
	}
}
