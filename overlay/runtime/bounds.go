package runtime

import "internal/abi"

// A boundsError is an index or slice expression out of range.
type boundsError struct {
	kind  abi.BoundsErrorCode
	whole bool  // value is to be read as a uint64: the operand was unsigned
	limit int   // what it was compared with
	value int64 // the operand
}

func (e boundsError) RuntimeError() {}

// boundsText is the wording of one kind of boundsError: before value between limit after, or, when
// the value is negative and the limit explains nothing, before value afterNegative.
type boundsText struct{ before, between, after, afterNegative string }

var boundsTexts = [...]boundsText{
	abi.BoundsIndex:      {"index out of range [", "] with length ", "", "]"},
	abi.BoundsSliceAlen:  {"slice bounds out of range [:", "] with length ", "", "]"},
	abi.BoundsSliceAcap:  {"slice bounds out of range [:", "] with capacity ", "", "]"},
	abi.BoundsSliceB:     {"slice bounds out of range [", ":", "]", ":]"},
	abi.BoundsSlice3Alen: {"slice bounds out of range [::", "] with length ", "", "]"},
	abi.BoundsSlice3Acap: {"slice bounds out of range [::", "] with capacity ", "", "]"},
	abi.BoundsSlice3B:    {"slice bounds out of range [:", ":", "]", ":]"},
	abi.BoundsSlice3C:    {"slice bounds out of range [", ":", ":]", "::]"},
}

func (e boundsError) Error() string {
	const prefix = "runtime error: "
	value, limit := itoa(e.value), itoa(int64(e.limit))
	if e.whole {
		value = utoa(uint64(e.value))
	}
	if e.kind == abi.BoundsConvert {
		return prefix + "cannot convert slice with length " + limit + " to array or pointer to array with length " + value
	}
	t := &boundsTexts[e.kind]
	if e.value < 0 && !e.whole {
		return prefix + t.before + value + t.afterNegative
	}
	return prefix + t.before + value + t.between + limit + t.after
}

func itoa(v int64) string {
	if v < 0 {
		return "-" + utoa(-uint64(v))
	}
	return utoa(uint64(v))
}

func utoa(v uint64) string {
	var buf [20]byte
	return string(decimal(buf[:], v))
}

// decimal writes v at the end of buf, which must hold 20 bytes, and returns the part written.
func decimal(buf []byte, v uint64) []byte {
	i := len(buf)
	for {
		i--
		buf[i] = byte('0' + v%10)
		v /= 10
		if v == 0 {
			return buf[i:]
		}
	}
}

// The functions below are what compiled code calls when a check fails: one for each kind of
// expression, and a U form for an x of unsigned type.

func boundsFailed(code abi.BoundsErrorCode, x int, y int) {
	panic(boundsError{kind: code, limit: y, value: int64(x)})
}

func boundsFailedU(code abi.BoundsErrorCode, x uint, y int) {
	panic(boundsError{kind: code, whole: true, limit: y, value: int64(x)})
}

func panicIndex(x int, y int)        { boundsFailed(abi.BoundsIndex, x, y) }
func panicIndexU(x uint, y int)      { boundsFailedU(abi.BoundsIndex, x, y) }
func panicSliceAlen(x int, y int)    { boundsFailed(abi.BoundsSliceAlen, x, y) }
func panicSliceAlenU(x uint, y int)  { boundsFailedU(abi.BoundsSliceAlen, x, y) }
func panicSliceAcap(x int, y int)    { boundsFailed(abi.BoundsSliceAcap, x, y) }
func panicSliceAcapU(x uint, y int)  { boundsFailedU(abi.BoundsSliceAcap, x, y) }
func panicSliceB(x int, y int)       { boundsFailed(abi.BoundsSliceB, x, y) }
func panicSliceBU(x uint, y int)     { boundsFailedU(abi.BoundsSliceB, x, y) }
func panicSlice3Alen(x int, y int)   { boundsFailed(abi.BoundsSlice3Alen, x, y) }
func panicSlice3AlenU(x uint, y int) { boundsFailedU(abi.BoundsSlice3Alen, x, y) }
func panicSlice3Acap(x int, y int)   { boundsFailed(abi.BoundsSlice3Acap, x, y) }
func panicSlice3AcapU(x uint, y int) { boundsFailedU(abi.BoundsSlice3Acap, x, y) }
func panicSlice3B(x int, y int)      { boundsFailed(abi.BoundsSlice3B, x, y) }
func panicSlice3BU(x uint, y int)    { boundsFailedU(abi.BoundsSlice3B, x, y) }
func panicSlice3C(x int, y int)      { boundsFailed(abi.BoundsSlice3C, x, y) }
func panicSlice3CU(x uint, y int)    { boundsFailedU(abi.BoundsSlice3C, x, y) }
func panicSliceConvert(x int, y int) { boundsFailed(abi.BoundsConvert, x, y) }
