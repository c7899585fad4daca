package exectrace

import (
	"cmp"
	"slices"
)

// Distribution describes many durations in ns.
type Distribution struct {
	Sum int64 `json:"sum"`
	P50 int64 `json:"p50"`
	P95 int64 `json:"p95"`
	P99 int64 `json:"p99"`
	Max int64 `json:"max"`
}

// distribution sorts list. Percentile p is the smallest value that at least p per cent of
// the values do not exceed.
func distribution(list []int64) (d Distribution) {
	if len(list) == 0 {
		return d
	}
	slices.Sort(list)
	for _, v := range list {
		d.Sum += v
	}
	rank := func(p int) int64 { return list[(len(list)*p+99)/100-1] }
	d.P50, d.P95, d.P99, d.Max = rank(50), rank(95), rank(99), list[len(list)-1]
	return d
}

// Account says how one goroutine spent a window of time, in ns. The states do not overlap;
// Assist and Sweep are parts of Running, Network is a part of Waiting.
type Account struct {
	G        int32 `json:"g"`
	ID       int64 `json:"id"`
	Total    int64 `json:"total"`
	Running  int64 `json:"running"`
	Waiting  int64 `json:"waiting"`
	Network  int64 `json:"network"`
	Runnable int64 `json:"runnable"`
	Syscall  int64 `json:"syscall"`
	Assist   int64 `json:"assist"`
}

// A Reason is how long, and how often, goroutines waited for one thing.
type Reason struct {
	Name  string `json:"name"`
	Time  int64  `json:"time"`
	Count int    `json:"count"`
}

// A Group is what the goroutines of one start function, or one go statement, did.
type Group struct {
	Key      string       `json:"key"`
	Count    int          `json:"count"`
	Total    Distribution `json:"total"`
	Running  Distribution `json:"running"`
	Waiting  Distribution `json:"waiting"`
	Network  Distribution `json:"network"`
	Runnable Distribution `json:"runnable"`
	Syscall  Distribution `json:"syscall"`
	Assist   Distribution `json:"assist"`
	Reasons  []Reason     `json:"reasons"`
}

// By chooses what goroutines are grouped by.
type By int

const (
	ByFunc      By = iota // the function they run
	ByStatement           // the go statement that started them
)

// KeyOf returns the group that goroutine g (an index) is in.
func (t *Trace) KeyOf(g int, by By) string {
	key := t.Goroutines[g].Func
	if by == ByStatement {
		key = t.Goroutines[g].Statement
	}
	switch {
	case key != "":
		return key
	case by == ByStatement && t.Goroutines[g].Older:
		return "(older than the trace)"
	case by == ByStatement:
		return "(started by the run-time system)"
	default:
		return "(not known)"
	}
}

// Groups accounts for all goroutines in from <= t < to, the group with the most running
// time first.
func (t *Trace) Groups(by By, from, to int64) []Group {
	accounts := map[string][]Account{}
	reasons := map[string]map[int16]*Reason{}
	assist := t.assists(from, to)
	for g := range t.Goroutines {
		a := t.account(g, from, to)
		if a.Total == 0 {
			continue
		}
		a.Assist = assist[int32(g)]
		key := t.KeyOf(g, by)
		accounts[key] = append(accounts[key], a)
		if reasons[key] == nil {
			reasons[key] = map[int16]*Reason{}
		}
		t.addReasons(reasons[key], g, from, to)
	}
	groups := make([]Group, 0, len(accounts))
	for key, list := range accounts {
		g := Group{Key: key, Count: len(list), Reasons: []Reason{}}
		column := func(of func(*Account) int64) Distribution {
			values := make([]int64, len(list))
			for i := range list {
				values[i] = of(&list[i])
			}
			return distribution(values)
		}
		g.Total = column(func(a *Account) int64 { return a.Total })
		g.Running = column(func(a *Account) int64 { return a.Running })
		g.Waiting = column(func(a *Account) int64 { return a.Waiting })
		g.Network = column(func(a *Account) int64 { return a.Network })
		g.Runnable = column(func(a *Account) int64 { return a.Runnable })
		g.Syscall = column(func(a *Account) int64 { return a.Syscall })
		g.Assist = column(func(a *Account) int64 { return a.Assist })
		for _, r := range reasons[key] {
			g.Reasons = append(g.Reasons, *r)
		}
		slices.SortFunc(g.Reasons, func(a, b Reason) int {
			return cmp.Or(cmp.Compare(b.Time, a.Time), cmp.Compare(a.Name, b.Name))
		})
		groups = append(groups, g)
	}
	slices.SortFunc(groups, func(a, b Group) int {
		return cmp.Or(cmp.Compare(b.Running.Sum, a.Running.Sum), cmp.Compare(a.Key, b.Key))
	})
	return groups
}

// Members accounts for the goroutines of one group, the one with the most running time
// first, at most limit of them.
func (t *Trace) Members(by By, key string, from, to int64, limit int) []Account {
	assist := t.assists(from, to)
	list := []Account{}
	for g := range t.Goroutines {
		if t.KeyOf(g, by) != key {
			continue
		}
		if a := t.account(g, from, to); a.Total > 0 {
			a.Assist = assist[int32(g)]
			list = append(list, a)
		}
	}
	slices.SortFunc(list, func(a, b Account) int {
		return cmp.Or(cmp.Compare(b.Running, a.Running), cmp.Compare(a.ID, b.ID))
	})
	return list[:min(limit, len(list))]
}

func (t *Trace) account(g int, from, to int64) Account {
	a := Account{G: int32(g), ID: t.Goroutines[g].ID}
	for _, s := range t.SpansOf(g, from, to) {
		d := clip(s.Start, s.End, from, to)
		a.Total += d
		switch s.State {
		case Running:
			a.Running += d
		case Runnable:
			a.Runnable += d
		case Syscall:
			a.Syscall += d
		case Waiting:
			a.Waiting += d
			if t.isNetwork(&s) {
				a.Network += d
			}
		}
	}
	return a
}

// assists returns how long each goroutine helped the collector.
func (t *Trace) assists(from, to int64) map[int32]int64 {
	sum := map[int32]int64{}
	for _, m := range t.Marks {
		if m.G != None && t.Names[m.Name] == markAssist {
			sum[m.G] += clip(m.Start, m.End, from, to)
		}
	}
	return sum
}

func (t *Trace) addReasons(sum map[int16]*Reason, g int, from, to int64) {
	for _, s := range t.SpansOf(g, from, to) {
		if s.State != Waiting {
			continue
		}
		r := sum[s.Reason]
		if r == nil {
			r = &Reason{Name: "(not said)"}
			if s.Reason != None {
				r.Name = t.Reasons[s.Reason]
			}
			sum[s.Reason] = r
		}
		r.Time += clip(s.Start, s.End, from, to)
		r.Count++
	}
}
