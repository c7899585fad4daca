//go:build loam

package bank

// creditOnce credits a transfer the first time that it comes. What comes again is answered only:
// the first answer may have been lost.
func creditOnce(b *branch, t transfer) {
	if b.seen[t.number] {
		return
	}
	b.seen[t.number] = true
	b.balance += t.amount
}
