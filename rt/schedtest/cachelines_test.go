package schedtest

import (
	"debug/elf"
	"testing"

	"loam/internal/loamtest"
)

const cacheLine = 64

// apart are variables that many Ps write. They begin and end with a cache line that nobody uses.
var apart = []string{
	"internal/rt/sched.global", "internal/rt/sched.measured", "internal/rt/heap.cycle", "internal/rt/heap.conc",
	"internal/rt/heap.sweep", "internal/rt/heap.bufs", "internal/rt/stack.global", "internal/rt/netpoll.shared",
	"internal/rt/sched.Durations", "internal/rt/sched.mailbox", "internal/rt/sched.busy", "internal/rt/timer.filled",
}

// read are variables that each P reads all the time and hardly anybody writes, and written are
// those, besides apart, that are written while the program allocates, switches, waits or ends
// goroutines.
var (
	read = []string{
		"internal/rt/heap.marking", "internal/rt/sched.nProcs", "internal/rt/sched.checking", "internal/rt/sched.jitter",
		"internal/rt/tracer.On", "internal/rt/sys.Parallel", "internal/rt/heap.hooks",
	}
	written = []string{
		"internal/rt/heap.stats", "internal/rt/heap.pages", "internal/rt/heap.persistent", "internal/rt/heap.meta",
		"internal/rt/heap.spanLocks", "internal/rt/heap.specialTables", "internal/rt/heap.records",
		"internal/rt/sched.gcScan", "internal/rt/sched.sites", "internal/rt/stack.Stats",
		"internal/rt/timer.heaps", "internal/rt/sema.table",
	}
)

// TestCacheLines reads where the linker has put the run-time system's variables: what many Ps write
// shares no cache line with anything else, and what all read shares none with what is written.
func TestCacheLines(t *testing.T) {
	file, err := elf.Open(loamtest.Build(t, loamtest.Command(t), "testdata/waiting.go"))
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	all, err := file.Symbols()
	if err != nil {
		t.Fatal(err)
	}
	variables := map[string]elf.Symbol{}
	onLine := map[uint64][]string{}
	for _, s := range all {
		if elf.ST_TYPE(s.Info) != elf.STT_OBJECT || s.Size == 0 {
			continue
		}
		variables[s.Name] = s
		for line := s.Value / cacheLine; line <= (s.Value+s.Size-1)/cacheLine; line++ {
			onLine[line] = append(onLine[line], s.Name)
		}
	}
	// shares calls visit with the other variables that lie on the lines of a part of one.
	shares := func(name string, skip uint64, visit func(other string)) {
		s, ok := variables[name]
		if !ok || s.Size <= 2*skip {
			t.Errorf("%s: no variable of more than %d bytes", name, 2*skip)
			return
		}
		for line := (s.Value + skip) / cacheLine; line <= (s.Value+s.Size-skip-1)/cacheLine; line++ {
			for _, other := range onLine[line] {
				if other != name {
					visit(other)
				}
			}
		}
	}
	for _, name := range apart {
		shares(name, cacheLine, func(other string) { t.Errorf("%s shares a cache line with %s", name, other) })
	}
	isWritten := map[string]bool{}
	for _, name := range written {
		if _, ok := variables[name]; !ok {
			t.Errorf("there is no %s", name)
		}
		isWritten[name] = true
	}
	for _, name := range read {
		shares(name, 0, func(other string) {
			if isWritten[other] {
				t.Errorf("%s, which all read, shares a cache line with %s", name, other)
			}
		})
	}
}
