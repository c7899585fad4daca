//go:build loam

package replog

// voteOnDisk stores the vote before it is given: it holds for the term, whatever happens to the
// node.
func voteOnDisk(n *node, for_ int) bool {
	n.disk.voted = 1 + for_
	n.voted = n.disk.voted
	return true
}
