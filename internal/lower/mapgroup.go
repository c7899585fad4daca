package lower

// The groups of internal/runtime/maps: eight control bytes in a word. Upstream's portable code
// marks slots by the top bits of bytes; this expansion, as gc's on amd64, has one bit a slot, which
// is what SSE2 compares give. All functions that make or read such a set are here: it is all or
// none.

const (
	ctrlSplatEmpty = "splat (i8 -128)" // ctrlEmpty
	ctrlVector     = "<8 x i8>"
)

// ctrlBytes turns a control word into a vector.
func ctrlBytes(b *fn, word string) string { return b.Op("bitcast i64 %s to %s", word, ctrlVector) }

// slotSet turns a vector of comparisons into a set of slots.
func slotSet(b *fn, cmp string) []string {
	return one(b.Op("zext i8 %s to i64", b.Op("bitcast <8 x i1> %s to i8", cmp)))
}

func initMapGroups() {
	const p = "internal/runtime/maps."
	first := unary("cttz", "i64", "false")
	intrinsics[p+"bitsetFirst"] = func(b *fn, a []string) []string { return one(first(b, a[0])) }
	intrinsics[p+"bitsetRemoveBelow"] = func(b *fn, a []string) []string {
		// The second operand is a slot's number, at most 7.
		above := b.Op("shl i64 -1, %s", b.Op("and i64 %s, 63", a[1]))
		return one(b.Op("and i64 %s, %s", a[0], above))
	}
	intrinsics[p+"bitsetLowestSet"] = func(b *fn, a []string) []string { return one(b.Op("trunc i64 %s to i1", a[0])) }
	intrinsics[p+"bitsetShiftOutLowest"] = func(b *fn, a []string) []string { return one(b.Op("lshr i64 %s, 1", a[0])) }
	intrinsics[p+"ctrlGroupMatchH2"] = func(b *fn, a []string) []string {
		v := b.Op("insertelement %s poison, i8 %s, i64 0", ctrlVector, b.Op("trunc i64 %s to i8", a[1]))
		v = b.Op("shufflevector %[1]s %[2]s, %[1]s poison, <8 x i32> zeroinitializer", ctrlVector, v)
		return slotSet(b, b.Op("icmp eq %s %s, %s", ctrlVector, ctrlBytes(b, a[0]), v))
	}
	compare := func(op, with string) expansion {
		return func(b *fn, a []string) []string {
			return slotSet(b, b.Op("icmp %s %s %s, %s", op, ctrlVector, ctrlBytes(b, a[0]), with))
		}
	}
	intrinsics[p+"ctrlGroupMatchEmpty"] = compare("eq", ctrlSplatEmpty)
	intrinsics[p+"ctrlGroupMatchEmptyOrDeleted"] = compare("slt", "zeroinitializer")
	intrinsics[p+"ctrlGroupMatchFull"] = compare("sge", "zeroinitializer")
}
