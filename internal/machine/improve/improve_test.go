package improve

import (
	"fmt"
	"math"
	"math/rand"
	"strings"
	"testing"

	"loam/internal/machine/code"
)

// edges are numbers at which something changes for integers of that many bits.
func edges(width int, r *rand.Rand) (list []int64) {
	for _, n := range []int64{0, 1, 2, 3, 5, 7, 9, 10, 100, 127, 128, 255, 256, 1000, 65535, 1<<31 - 1, 1 << 31, 1<<32 - 1,
		math.MaxInt64, math.MinInt64} {
		list = append(list, n, -n, n+1)
	}
	for k := 1; k < 64; k += 5 {
		list = append(list, 1<<k, 1<<k-1, -(1 << k))
	}
	for range 60 {
		list = append(list, int64(r.Uint64())>>r.Intn(64))
	}
	for i := range list {
		list[i] = list[i] << (64 - width) >> (64 - width)
	}
	return list
}

// TestDivisions has numbers divided by constants, with and without sign, and compares with the
// division. No division may be left but by those of which none is to be had.
func TestDivisions(t *testing.T) {
	r := rand.New(rand.NewSource(1))
	for _, width := range []int{8, 16, 32, 64} {
		list := edges(width, r)
		cl := map[int]code.Class{8: code.I8, 16: code.I16, 32: code.I32, 64: code.I64}[width]
		for _, op := range []string{"udiv", "urem", "sdiv", "srem"} {
			for _, d := range list {
				if d == 0 || op[0] == 's' && d == -1 {
					continue
				}
				text := fmt.Sprintf("define i%d @f(i%d %%x) #8 {\nentry:\n  %%v1 = %s i%d %%x, %d\n  ret i%d %%v1\n}\n", width,
					width, op, width, d, width)
				plain, better := read(t, text, false), read(t, text, true)
				for _, x := range list {
					want, _, err := run(plain, x)
					if err != nil {
						t.Fatal(err)
					}
					got, m, err := run(better, x)
					if err != nil || got != want {
						t.Fatalf("%s i%d %d, %d = %d, %v; want %d", op, width, x, d, got, err, want)
					}
					left := m.count[code.UDiv] + m.count[code.URem] + m.count[code.SDiv] + m.count[code.SRem]
					if least := signed(1<<(width-1), cl); left > 0 && (op[0] == 'u' || d != least) {
						t.Fatalf("%s i%d by %d divides", op, width, d)
					}
				}
			}
		}
	}
}

// functions are texts, and which operations improving them takes away and leaves.
var functions = []struct {
	name, text string
	gone, left []code.Op
}{
	{"a bound is asked for once", `define i64 @f(i64 %x, i64 %y) #8 {
entry:
  %v1 = icmp ult i64 %x, %y
  br i1 %v1, label %a, label %b
a:
  %v2 = icmp ule i64 %x, %y
  br i1 %v2, label %c, label %b
b:
  ret i64 -1
c:
  %v3 = icmp ugt i64 %y, %x
  %v4 = zext i1 %v3 to i64
  %v5 = icmp eq i64 %y, %x
  %v6 = zext i1 %v5 to i64
  %v7 = shl i64 %v4, 4
  %v8 = add i64 %v6, %v7
  ret i64 %v8
}
`, []code.Op{code.ZExt}, nil},
	{"bytes are loaded together", `define i64 @f(i64 %x, i64 %y) #8 {
entry:
  %s = alloca [256 x i8], align 8
  store i64 %x, ptr %s, align 8
  %q = getelementptr inbounds i8, ptr %s, i64 4
  store i64 %y, ptr %q, align 8
  %p0 = getelementptr inbounds i8, ptr %s, i64 3
  %a0 = load i8, ptr %p0, align 1
  %p1 = getelementptr inbounds i8, ptr %s, i64 4
  %a1 = load i8, ptr %p1, align 1
  %p2 = getelementptr inbounds i8, ptr %s, i64 5
  %a2 = load i8, ptr %p2, align 1
  %p3 = getelementptr inbounds i8, ptr %s, i64 6
  %a3 = load i8, ptr %p3, align 1
  %z0 = zext i8 %a0 to i64
  %z1 = zext i8 %a1 to i64
  %z2 = zext i8 %a2 to i64
  %z3 = zext i8 %a3 to i64
  %h1 = shl i64 %z1, 8
  %h2 = shl i64 %z2, 16
  %h3 = shl i64 %z3, 24
  %o1 = or i64 %z0, %h1
  %o2 = or i64 %o1, %h2
  %o3 = or i64 %o2, %h3
  store i8 9, ptr %p3, align 1
  %g1 = shl i64 %z1, 16
  %g2 = shl i64 %z2, 8
  %g0 = shl i64 %z0, 24
  %r1 = or i64 %g0, %g1
  %r2 = or i64 %r1, %g2
  %r3 = or i64 %r2, %z3
  %t = shl i64 %r3, 32
  %u = or i64 %o3, %t
  ret i64 %u
}
`, nil, nil},
	{"a number that is known to be big is not asked again", `define i64 @f(i64 %x, i64 %y) #8 {
entry:
  %v1 = icmp ult i64 5, %x
  br i1 %v1, label %a, label %b
a:
  %v2 = icmp ult i64 3, %x
  %v3 = select i1 %v2, i64 1, i64 2
  %v4 = icmp uge i64 %x, 6
  %v5 = select i1 %v4, i64 4, i64 8
  %v6 = icmp eq i64 %x, 0
  %v7 = select i1 %v6, i64 16, i64 32
  %v8 = add i64 %v3, %v5
  %v9 = add i64 %v8, %v7
  ret i64 %v9
b:
  %v10 = icmp slt i64 %x, 3
  br i1 %v10, label %c, label %d
c:
  ret i64 -1
d:
  %v11 = icmp ult i64 %x, 2
  %v12 = select i1 %v11, i64 64, i64 128
  ret i64 %v12
}
`, []code.Op{code.Select}, nil},
	{"and what is not known is", `define i64 @f(i64 %x, i64 %y) #8 {
entry:
  %v1 = icmp ult i64 5, %x
  br i1 %v1, label %a, label %b
a:
  %v2 = icmp ult i64 6, %x
  %v3 = select i1 %v2, i64 1, i64 2
  %v4 = icmp ult i64 %x, 7
  %v5 = select i1 %v4, i64 4, i64 8
  %v6 = icmp eq i64 %x, 6
  %v7 = select i1 %v6, i64 16, i64 32
  %v8 = add i64 %v3, %v5
  %v9 = add i64 %v8, %v7
  ret i64 %v9
b:
  ret i64 -1
}
`, nil, nil},
	{"a variable becomes a value", `define i64 @f(i64 %x, i64 %y) #8 {
entry:
  %s = alloca [16 x i8], align 8
  call void @llvm.memset.p0.i64(ptr align 8 %s, i8 0, i64 16, i1 false)
  %p = getelementptr inbounds i8, ptr %s, i64 8
  br label %head
head:
  %i = phi i64 [ 0, %entry ], [ %v4, %odd ], [ %v4, %even ]
  %v1 = icmp ult i64 %i, %x
  br i1 %v1, label %body, label %done
body:
  %v2 = load i64, ptr %s, align 8
  %v3 = add i64 %v2, %i
  store i64 %v3, ptr %s, align 8
  %v4 = add i64 %i, 1
  %v5 = and i64 %i, 1
  %v6 = icmp eq i64 %v5, 0
  br i1 %v6, label %even, label %odd
odd:
  store i64 %i, ptr %p, align 8
  br label %head
even:
  br label %head
done:
  %v7 = load i64, ptr %s, align 8
  %v8 = load i64, ptr %p, align 8
  %v9 = shl i64 %v8, 8
  %v10 = xor i64 %v7, %v9
  %v11 = add i64 %v10, %y
  ret i64 %v11
}
`, []code.Op{code.Load, code.Store, code.MemSet, code.Alloca}, nil},
	{"parts that lie upon each other stay in memory", `define i64 @f(i64 %x, i64 %y) #8 {
entry:
  %s = alloca [8 x i8], align 8
  store i64 %x, ptr %s, align 8
  %p = getelementptr inbounds i8, ptr %s, i64 1
  %v1 = trunc i64 %y to i8
  store i8 %v1, ptr %p, align 1
  %v2 = load i64, ptr %s, align 8
  ret i64 %v2
}
`, nil, nil},
	{"what nobody loads is not stored", `define i64 @f(i64 %x, i64 %y) #8 {
entry:
  %s = alloca [8 x i8], align 8
  store i64 %x, ptr %s, align 8
  %v1 = trunc i64 %y to i8
  store i8 %v1, ptr %s, align 1
  ret i64 %y
}
`, []code.Op{code.Store, code.Alloca}, nil},
	{"what is stored to keep it alive stays", `define i64 @f(i64 %x, i64 %y) #8 {
entry:
  %s = alloca [8 x i8], align 8
  store volatile i64 %x, ptr %s, align 8
  ret i64 %y
}
`, nil, []code.Op{code.Store}},
	{"what was stored is known until memory may change", `define i64 @f(i64 %x, i64 %y) #8 {
entry:
  %s = alloca [256 x i8], align 8
  %v0 = and i64 %y, 7
  %p = getelementptr inbounds [8 x i8], ptr %s, i64 %v0
  store i64 %x, ptr %s, align 8
  %v1 = load i64, ptr %s, align 8
  store i64 %y, ptr %p, align 8
  %v2 = load i64, ptr %s, align 8
  %v3 = load i64, ptr %s, align 8
  %v4 = shl i64 %v2, 8
  %v5 = add i64 %v4, %v3
  %v6 = shl i64 %v5, 8
  %v7 = add i64 %v6, %v1
  ret i64 %v7
}
`, nil, nil},
	{"branches on the opposite", `define i64 @f(i64 %x, i64 %y) #8 {
entry:
  %v1 = icmp slt i64 %x, %y
  %v2 = xor i1 %v1, true
  br i1 %v2, label %a, label %b
a:
  %v3 = select i1 %v1, i64 5, i64 6
  ret i64 %v3
b:
  %v4 = select i1 %v1, i64 7, i64 8
  ret i64 %v4
}
`, []code.Op{code.Select}, nil},
	{"a state that a loop only sets back", `define i64 @f(i64 %x, i64 %y) #8 {
entry:
  %s = alloca i64, align 8
  store i64 0, ptr %s, align 8
  br label %head
head:
  %i = phi i64 [ 0, %entry ], [ %j, %body ]
  %v1 = icmp ult i64 %i, %x
  br i1 %v1, label %ask, label %end
ask:
  %v2 = load i64, ptr %s, align 8
  %v3 = icmp eq i64 %v2, 0
  br i1 %v3, label %body, label %wrong
body:
  store i64 -1, ptr %s, align 8
  %j = add i64 %i, 1
  store i64 0, ptr %s, align 8
  br label %head
end:
  %v4 = load i64, ptr %s, align 8
  %v5 = sub i64 %y, %v4
  %v6 = sub i64 %v5, %i
  ret i64 %v6
wrong:
  %v7 = udiv i64 %x, %y
  ret i64 %v7
}
`, []code.Op{code.Load, code.Store}, nil},
	{"the smaller of two", `define i64 @f(i64 %x, i64 %y) #8 {
entry:
  %v1 = trunc i64 %x to i8
  %v2 = zext i8 %v1 to i64
  %v3 = mul i64 %v2, 8
  %v4 = getelementptr inbounds [1 x i8], ptr null, i64 %v3
  %v5 = ptrtoint ptr %v4 to i64
  %v6 = sext i8 %v1 to i64
  %v7 = sub i64 %v5, %v6
  %v8 = ashr i64 %v7, 1
  ret i64 %v8
}
`, nil, nil},
}

// TestFunctions runs functions as they are and improved.
func TestFunctions(t *testing.T) {
	for _, c := range functions {
		t.Run(strings.ReplaceAll(c.name, " ", "-"), func(t *testing.T) {
			plain, better := read(t, c.text, false), read(t, c.text, true)
			for x := range int64(12) {
				for y := range int64(12) {
					want, _, err := run(plain, x, y)
					if err != nil {
						t.Fatal(err)
					}
					got, m, err := run(better, x, y)
					if err != nil || got != want {
						t.Fatalf("f(%d, %d) = %d, %v; want %d", x, y, got, err, want)
					}
					for _, op := range c.gone {
						if m.count[op] > 0 {
							t.Errorf("operation %d is still there", op)
						}
					}
					for _, op := range c.left {
						if m.count[op] == 0 {
							t.Errorf("operation %d is not there", op)
						}
					}
				}
			}
		})
	}
}
