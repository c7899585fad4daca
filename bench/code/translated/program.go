// Package translated is a function as translators from C to Go make them (bench/code/generate): a
// machine for operations on cells in memory that is not Go's.
package translated

import "unsafe"

// memory holds the program, its cells, their bytes, and the frames of translated functions.
var memory [1 << 16]uint64

const (
	cells = 64
	room  = 64 // bytes of a cell
)

type thread struct{ sp uintptr }

func (t *thread) alloc(n uintptr) uintptr {
	t.sp -= n
	return t.sp
}

func (t *thread) free(n uintptr) { t.sp += n }

// tmem is a cell. Flags: 1 null, 2 text, 4 integer, 8 float, 16 bytes.
type tmem struct {
	Fu     int64
	Fz     uintptr
	Fn     int32
	Fflags uint16
	Fenc   uint8
}

type top struct {
	Fopcode uint8
	Fp4type int8
	Fp5     uint16
	Fp1     int32
	Fp2     int32
	Fp3     int32
	Fp4     uintptr
}

const done = 254

// Run runs programs that have all operations.
func Run() int {
	base := uintptr(unsafe.Pointer(&memory))
	t := &thread{sp: base + unsafe.Sizeof(memory)}
	aMem, aOp := base+64, base+64+cells*32
	bytes := aOp + (operations*8*2+1)*24
	for i := range uintptr(cells) {
		*(*tmem)(unsafe.Pointer(aMem + i*32)) = tmem{Fu: int64(i * 37), Fz: bytes + i*room, Fn: 8, Fflags: 4}
	}
	pc := aOp
	emit := func(op, p1, p2, p3 int) {
		*(*top)(unsafe.Pointer(pc)) = top{Fopcode: uint8(op), Fp1: int32(p1), Fp2: int32(p2), Fp3: int32(p3)}
		pc += 24
	}
	for round := range 8 {
		for op := range operations {
			// Numbers in cells 0 to 31, bytes in 32 to 47, results of comparisons above.
			r := (op*7 + round*13) % 31
			switch op % 8 {
			case 0:
				emit(op, r, (r+5)%31, (r+11)%31)
			case 1: // to the next operation, either way
				emit(op, r, int((pc-aOp)/24)+1, (r+3)%31)
			case 2:
				emit(op, r, 0, 32+r%8)
				emit(3, 32+r%8, 0, (r+1)%31)
			case 3:
				emit(2, r, 0, 40)
				emit(op, 40, 0, r)
			case 4:
				emit(op, 32+r%8, 0, r)
			case 5:
				emit(op, 32+r%8, 0, 41+r%4)
			case 6:
				emit(op, r, 0, 46+r%2)
			case 7:
				emit(op, 41+r%4, 46+r%2, 48+r%8)
			}
		}
	}
	emit(done, 0, 0, 0)
	**(**uintptr)(up(base)) = aOp
	**(**uintptr)(up(base + 8)) = aMem
	sum := 0
	for range 200 {
		if rc := exec(t, base); rc != 0 {
			panic(rc)
		}
		sum += int(**(**int64)(up(base + 16))) + int(**(**int64)(up(aMem + 17*32)))
	}
	return sum
}
