package p

type source interface{ next(k int) int }

type counter struct{ n int }

func (c *counter) next(k int) int {
	c.n += k
	return c.n
}

type fixed struct{ n int }

func (f fixed) next(k int) int { return f.n + k }

type outer struct{ counter }

func take(s source) int { return s.next(1) }

func made(n int) source {
	if n > 3 {
		return &counter{n}
	}
	return fixed{n}
}

func pick(n int) source {
	c := &counter{n}
	var s source = c
	if n > 3 {
		c.n++
		return s
	}
	return s
}

func held(x any) int { return x.(fixed).n }

func asked(x any) int {
	if c, ok := x.(*counter); ok {
		return c.n
	}
	return 0
}

// inline: no call is left, and nothing is boxed.
func ofPointer(c *counter) int { return take(c) }

// inline: nor here.
func ofValue(f fixed) int { return take(f) }

// inline: the method gets what the variable has when it is called.
func ofVariable(n int) int {
	f := &fixed{n}
	return take(f)
}

// inline: a nil pointer panics at the load.
func ofAnyPointer(f *fixed) int { return take(f) }

// inline: of a promoted method the wrapper is called.
func promoted(o *outer) int { return take(o) }

// inline: the two returns give the same.
func onlyOne(n int) int { return pick(n).next(1) }

// inline: the two returns give different types.
func eitherOne(n int) int { return made(n).next(1) }

// inline: no interface was inlined here.
func ownCode(c *counter) int {
	var s source = c
	return s.next(5)
}

// inline: the assertions are answered.
func assertions(c *counter) int { return held(fixed{c.n}) + asked(c) }

type resetter interface{ reset() }

func (c *counter) reset() { c.n = 0 }

type stopper interface{ stop() }

func maybe(x any) {
	if r, ok := x.(resetter); ok {
		r.reset()
	}
}

func must(x any) { x.(resetter).reset() }

func stops(x any) bool {
	_, ok := x.(stopper)
	return ok
}

func as(x any) resetter { return x.(resetter) }

// inline: so are those to interfaces, if the type has the methods.
func toInterfaces(c *counter) {
	maybe(c)
	must(c)
}

// inline: what was asserted is made, if it is kept.
func kept(c *counter) resetter { return as(c) }

// inline: the type lacks the method, which the program finds.
func lacks(c *counter) bool { return stops(c) }
