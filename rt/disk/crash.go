package disk

// Crash lets the machine lose its power: what is not durable is lost, or some of it, as the seed
// says. Nobody has files open then.
func (d *Disk) Crash() {
	d.loseNames()
	for n := d.nodes; n != nil; n = n.next {
		if n.Kind() == Regular {
			d.loseBytes(n)
		}
	}
	d.closeAll()
}

// fate is what happens to things that were not made durable.
type fate uint64

const (
	allSurvive fate = iota
	noneSurvive
	someSurvive
	fates = 4 // someSurvive has two of them
)

func drawFate() fate { return min(fate(Host.Draw(fates)), someSurvive) }

// loseNames undoes the last changes of the journal.
func (d *Disk) loseNames() {
	keep := d.journal.n
	switch drawFate() {
	case noneSurvive:
		keep = 0
	case someSurvive:
		keep = int(Host.Draw(uint64(keep) + 1))
	}
	all := d.journal.all()
	for keep > 0 && keep < len(all) && all[keep].linked {
		keep--
	}
	for i := len(all) - 1; i >= keep; i-- {
		c := &all[i]
		d.set(c.dir, c.name, c.old)
	}
	d.commit(len(all))
}

// loseBytes decides for each page of a file that is not durable which of its contents survives, or
// which sectors of both. If the file was cut short and that is lost, so is what the cut did to its
// pages.
func (d *Disk) loseBytes(n *Node) {
	dirty := n.dirty.all()
	if len(dirty) == 0 && n.Size == n.durable {
		return
	}
	how := drawFate()
	cut := n.Size
	n.Size = d.survivingSize(n, how)
	for _, k := range dirty {
		s := d.versions(n, k, false)
		newer := how == allSurvive
		if how == someSurvive && (n.Size <= cut || k < cut/pageSize) {
			switch Host.Draw(3) {
			case 0:
				newer = true
			case 1:
				newer = d.tear(n, s, k)
			}
		}
		d.settle(s, newer)
		if k*pageSize >= n.Size {
			d.dropPage(s.now)
			s.now, s.durable = zeros, zeros
		}
	}
	n.dirty.n = 0
	d.endAt(n)
	d.Sync(n)
}

// survivingSize is the size that a file has after a crash. A file that grew may have got a part of
// the way; one that was cut short was so in one step, as file systems keep the size in one place.
func (d *Disk) survivingSize(n *Node, how fate) int64 {
	switch {
	case how == allSurvive || n.Size == n.durable:
		return n.Size
	case how == noneSurvive:
		return n.durable
	}
	low, high := min(n.Size, n.durable), max(n.Size, n.durable)
	switch Host.Draw(3) {
	case 0:
		return low
	case 1:
		return high
	}
	if n.Size < n.durable {
		return n.Size
	}
	return low + int64(Host.Draw(uint64(high-low)+1))
}

const sector = 512

// tear writes some sectors of the newer content of a page over the durable one, and the
// result is the newer one then. False if there is nothing to tear.
func (d *Disk) tear(n *Node, s *versions, k int64) bool {
	now, _ := n.is(s.now, k)
	if now == nil {
		return false
	}
	old, real := n.is(s.durable, k)
	var before [pageSize]byte
	switch {
	case old != nil:
		before = *old
	case real:
		d.readReal(n, before[:], k*pageSize)
	}
	for at := 0; at < pageSize; at += sector {
		if Host.Draw(2) == 0 {
			copy(now[at:at+sector], before[at:at+sector])
		}
	}
	return true
}

// endAt makes zeros of what the last page has behind the end of the file.
func (d *Disk) endAt(n *Node) {
	off, k := n.Size%pageSize, n.Size/pageSize
	if page, real := d.now(n, k); off == 0 || page == nil && !real || n.Size >= n.realSize && page == nil {
		return
	}
	if page, errno := d.writable(n, k, false); errno == 0 {
		clear(page[off:])
	}
}
