package p

type N struct {
	next *N
	v    int
}

func use(p *N) int { return p.v }

func each(n int) int {
	s := 0
	for i := range n {
		x := &N{v: i} // stack
		s += use(x)
	}
	return s
}

func chain(n int) int {
	var head *N
	for i := range n {
		head = &N{head, i} // heap
	}
	return use(head)
}

func outlives(n int) int {
	var last *N
	for i := range n {
		x := &N{v: i} // heap
		if i == 3 {
			last = x
		}
	}
	return use(last)
}

func storedOutside(n int) int {
	var a [4]*N // stack
	b := a[:]
	for i := range n {
		b[i&3] = &N{v: i} // heap
	}
	return use(b[0])
}

func choose(n int) int {
	s := 0
	for i := range n {
		var p *N
		if i&1 == 0 {
			p = &N{v: i} // stack
		} else {
			p = &N{v: -i} // stack
		}
		s += use(p)
	}
	return s
}

func inner(n int) int {
	s := 0
	for i := range n {
		var head *N
		for j := range i {
			head = &N{head, j} // heap
		}
		s += use(head)
		p := &N{v: i} // stack
		for j := range i {
			q := &N{p, j} // stack
			s += use(q.next)
		}
	}
	return s
}

// An object of the outer loop is held by an inner loop's phi.
func innerPhi(n int) int {
	s := 0
	for i := range n {
		p := &N{v: i} // stack
		for range i {
			p = p.next
		}
		s += use(p)
	}
	return s
}

// The object of the inner loop survives in the inner loop's phi only.
func swap(n int) int {
	s := 0
	for i := range n {
		p := &N{v: i} // stack
		for range i {
			q := &N{v: 1} // heap
			s += use(p)
			p = q
		}
	}
	return s
}

func variadic(args ...any) int { return len(args) }

func prints(n int) int {
	s := 0
	for i := range n {
		s += variadic(i, s) // stack
	}
	return s
}

// The variable of a 3-clause loop, captured by a closure that stays.
func capture(n int) int {
	s := 0                   // stack
	for i := 0; i < n; i++ { // stack
		f := func() { s += i } // stack
		f()
	}
	return s
}

var funcs []func() int

func captureEscapes(n int) {
	for i := 0; i < n; i++ { // heap
		funcs = append(funcs, func() int { return i }) // heap
	}
}

// The closure of one turn is called in the next.
func captureSurvives(n int) int {
	f := func() int { return 0 }
	s := 0
	for i := 0; i < n; i++ { // heap
		s += f()
		f = func() int { return i } // heap
	}
	return s
}

// A second loop variable holds the address of the first.
func captureNext(n int) int {
	s := 0
	for i, p := 0, (*int)(nil); i < n; i++ { // heap
		if p != nil {
			s += *p
		}
		p = &i
	}
	return s
}

// The post statement calls something that can look at the variable of the turn before.
func postCalls(n int) int {
	f := func(*int) {}
	for i := 0; i < n; f(&i) { // heap
		i++
	}
	return 0
}

func gotoLoop(n int) int {
	s := 0
	i := 0
again:
	x := &N{v: i} // stack
	s += use(x)
	i++
	if i < n {
		goto again
	}
	return s
}

func irreducible(n int) int {
	i := 0
	if n > 3 {
		goto b
	}
a:
	i++
b:
	x := &N{v: i} // stack
	use(x)
	if i < n {
		goto a
	}
	if i < 2*n {
		goto b
	}
	return 0
}

// One entry of the loop comes behind what makes the object.
func irreducibleBehind(n int) int {
	i := 0
	x := &N{v: n} // stack
	if n > 3 {
		goto b
	}
a:
	i++
	x = &N{v: i} // heap
b:
	use(x)
	y := &N{v: i} // stack
	if i < n {
		goto a
	}
	use(y)
	if i < 2*n {
		goto b
	}
	return 0
}

// The object of the turn before is used in the next.
func irreducibleKept(n int) int {
	i, sum := 0, 0
	var last *N
	if n > 3 {
		goto b
	}
a:
	i++
b:
	if last != nil {
		sum += use(last)
	}
	x := &N{v: i} // heap
	last = x
	if i < n {
		goto a
	}
	if i < 2*n {
		goto b
	}
	return sum
}

// What holds the object was made before it, and is looked at in the next turn.
func irreducibleStored(n int) int {
	i, sum := 0, 0
	t := &N{} // stack
	if n > 3 {
		goto b
	}
a:
	i++
b:
	sum += use(t.next)
	t.next = &N{v: i} // heap
	if i < n {
		goto a
	}
	if i < 2*n {
		goto b
	}
	return sum
}

func deferInLoop(n int) {
	for i := range n {
		defer func() { use(&N{v: i}) }() // heap
	}
}

func deferOnce(n int) (s int) { // flow -
	x := &N{v: n}                  // stack
	defer func() { s += use(x) }() // stack
	return 1
}

// The object of one turn stays in memory made outside of the loop.
func memory(n int) int {
	t := &N{} // stack
	for i := range n {
		t.next = &N{v: i} // heap
	}
	return use(t.next)
}

// Memory made in the same turn.
func memoryTurn(n int) int {
	s := 0
	for i := range n {
		t := &N{}         // stack
		t.next = &N{v: i} // stack
		s += use(t.next)
	}
	return s
}

// The holder is made in each turn, but what it holds comes from the turn before.
func memoryStale(n int) int {
	s := 0
	var old *N
	for i := range n {
		t := &N{next: old} // stack
		s += use(t)
		old = &N{v: i} // heap
		s += use(t.next)
	}
	return s
}

func afterLoop(n int) int {
	var x *N
	for i := 0; ; i++ {
		y := &N{v: i} // stack
		if use(y) > n {
			x = y
			break
		}
	}
	z := &N{next: x} // stack
	return use(z.next)
}

func text(n int) int {
	s := ""
	k := 0
	for range n {
		s += "x"     // heap
		t := s + "y" // stack
		k += len(t)
	}
	return k
}
