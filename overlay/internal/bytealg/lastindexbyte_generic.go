// In place of upstream's file of this name, whose loops look at single bytes: the code is in
// lastindexbyte.gas.

package bytealg

// LastIndexByte and LastIndexByteString return the index of the last c in s, -1 if there is none.
func LastIndexByte(s []byte, c byte) int
func LastIndexByteString(s string, c byte) int
