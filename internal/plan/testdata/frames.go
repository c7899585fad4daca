package p

func collect()
func park()
func lock()
func made() *int
func use(p *int)
func pair(a, b *int)

var never chan int

func collecting() {
	p := made()
	use(p)
	use(p)
	collect()
}

func twice(p, q *int) {
	pair(p, q)
	collecting()
	use(q)
}

func deferring(p *int) {
	defer collect()
	use(p)
}

func parking() {
	p := made()
	use(p)
	use(p)
	park()
}

func briefly(given *int) {
	p := made()
	use(p)
	pair(p, given)
	lock()
}

func nothing() {
	p := made()
	use(p)
	use(p)
}

func kept() {
	p := made()
	use(p)
	<-never
	use(p)
}

func serving(c chan *int) {
	for {
		p := <-c
		use(p)
		use(p)
	}
}

func start(c chan *int) { go serving(c) }

// Plan of collecting:
//
//	frame: exact, cleared on entry, homes t0

// Plan of deferring:
//
//	frame: exact, a deferred call collects, cleared on entry, homes p
//	defers: by the run-time system at the line of the return

// Plan of init:
//
//	no frame if it calls nothing

// Plan of kept:
//
//	frame: exact where it waits, cleared on entry, waits at b0.3

// Plan of parking:
//
//	frame: exact where it waits, cleared on entry, waits at b0.3, homes t0

// Plan of serving:
//
//	frame: exact where it waits, cleared on entry, waits at b1.0, homes t0

// Plan of start:
//
//	no frame if it calls nothing

// Plan of twice:
//
//	frame: exact, cleared on entry, homes p q
