package shape

// Components visits the strongly connected components of a graph with nodes 0 to n-1. Those that
// are led to come first, each with its nodes in the order in which they were found. members is good
// until visit returns. (This is Tarjan's algorithm, with a stack of its own: functions can have
// hundreds of thousands of blocks.)
func Components(n int, succs func(v int32) []int32, visit func(members []int32)) {
	type step struct {
		v    int32
		next []int32 // where it leads that has not been looked at
	}
	rank := make([]int32, n) // when it was found, from 1
	low := make([]int32, n)  // the least rank that it reaches; done if its component is complete
	done := int32(n) + 1
	var open []int32 // found, and its component is not complete
	var path []step
	found := int32(0)
	enter := func(v int32) {
		found++
		rank[v], low[v] = found, found
		open, path = append(open, v), append(path, step{v, succs(v)})
	}
	for root := range int32(n) {
		if rank[root] != 0 {
			continue
		}
		enter(root)
		for len(path) > 0 {
			at := &path[len(path)-1]
			if v := at.v; len(at.next) > 0 {
				to := at.next[0]
				at.next = at.next[1:]
				if rank[to] == 0 {
					enter(to)
				} else {
					low[v] = min(low[v], low[to])
				}
				continue
			}
			v := at.v
			path = path[:len(path)-1]
			if len(path) > 0 {
				up := path[len(path)-1].v
				low[up] = min(low[up], low[v])
			}
			if low[v] != rank[v] {
				continue
			}
			first := len(open) - 1
			for open[first] != v {
				first--
			}
			members := open[first:]
			for _, w := range members {
				low[w] = done
			}
			open = open[:first]
			visit(members)
		}
	}
}
