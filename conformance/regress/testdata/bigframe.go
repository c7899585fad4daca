// A frame could get larger than 2 GB, which ended in a fault. gc has variables of this size on the heap.
package main

//go:noinline
func use(p *[10 << 20]byte) { p[5]++ }

//go:noinline
func sum(p ...*[10 << 20]byte) (n int) {
	for _, q := range p {
		n += int(q[5])
	}
	return n
}

func main() {
	var a0 [10 << 20]byte
	use(&a0)
	var a1 [10 << 20]byte
	use(&a1)
	var a2 [10 << 20]byte
	use(&a2)
	var a3 [10 << 20]byte
	use(&a3)
	var a4 [10 << 20]byte
	use(&a4)
	var a5 [10 << 20]byte
	use(&a5)
	var a6 [10 << 20]byte
	use(&a6)
	var a7 [10 << 20]byte
	use(&a7)
	var a8 [10 << 20]byte
	use(&a8)
	var a9 [10 << 20]byte
	use(&a9)
	var a10 [10 << 20]byte
	use(&a10)
	var a11 [10 << 20]byte
	use(&a11)
	var a12 [10 << 20]byte
	use(&a12)
	var a13 [10 << 20]byte
	use(&a13)
	var a14 [10 << 20]byte
	use(&a14)
	var a15 [10 << 20]byte
	use(&a15)
	var a16 [10 << 20]byte
	use(&a16)
	var a17 [10 << 20]byte
	use(&a17)
	var a18 [10 << 20]byte
	use(&a18)
	var a19 [10 << 20]byte
	use(&a19)
	var a20 [10 << 20]byte
	use(&a20)
	var a21 [10 << 20]byte
	use(&a21)
	var a22 [10 << 20]byte
	use(&a22)
	var a23 [10 << 20]byte
	use(&a23)
	var a24 [10 << 20]byte
	use(&a24)
	var a25 [10 << 20]byte
	use(&a25)
	var a26 [10 << 20]byte
	use(&a26)
	var a27 [10 << 20]byte
	use(&a27)
	var a28 [10 << 20]byte
	use(&a28)
	var a29 [10 << 20]byte
	use(&a29)
	var a30 [10 << 20]byte
	use(&a30)
	var a31 [10 << 20]byte
	use(&a31)
	var a32 [10 << 20]byte
	use(&a32)
	var a33 [10 << 20]byte
	use(&a33)
	var a34 [10 << 20]byte
	use(&a34)
	var a35 [10 << 20]byte
	use(&a35)
	var a36 [10 << 20]byte
	use(&a36)
	var a37 [10 << 20]byte
	use(&a37)
	var a38 [10 << 20]byte
	use(&a38)
	var a39 [10 << 20]byte
	use(&a39)
	var a40 [10 << 20]byte
	use(&a40)
	var a41 [10 << 20]byte
	use(&a41)
	var a42 [10 << 20]byte
	use(&a42)
	var a43 [10 << 20]byte
	use(&a43)
	var a44 [10 << 20]byte
	use(&a44)
	var a45 [10 << 20]byte
	use(&a45)
	var a46 [10 << 20]byte
	use(&a46)
	var a47 [10 << 20]byte
	use(&a47)
	var a48 [10 << 20]byte
	use(&a48)
	var a49 [10 << 20]byte
	use(&a49)
	var a50 [10 << 20]byte
	use(&a50)
	var a51 [10 << 20]byte
	use(&a51)
	var a52 [10 << 20]byte
	use(&a52)
	var a53 [10 << 20]byte
	use(&a53)
	var a54 [10 << 20]byte
	use(&a54)
	var a55 [10 << 20]byte
	use(&a55)
	var a56 [10 << 20]byte
	use(&a56)
	var a57 [10 << 20]byte
	use(&a57)
	var a58 [10 << 20]byte
	use(&a58)
	var a59 [10 << 20]byte
	use(&a59)
	var a60 [10 << 20]byte
	use(&a60)
	var a61 [10 << 20]byte
	use(&a61)
	var a62 [10 << 20]byte
	use(&a62)
	var a63 [10 << 20]byte
	use(&a63)
	var a64 [10 << 20]byte
	use(&a64)
	var a65 [10 << 20]byte
	use(&a65)
	var a66 [10 << 20]byte
	use(&a66)
	var a67 [10 << 20]byte
	use(&a67)
	var a68 [10 << 20]byte
	use(&a68)
	var a69 [10 << 20]byte
	use(&a69)
	var a70 [10 << 20]byte
	use(&a70)
	var a71 [10 << 20]byte
	use(&a71)
	var a72 [10 << 20]byte
	use(&a72)
	var a73 [10 << 20]byte
	use(&a73)
	var a74 [10 << 20]byte
	use(&a74)
	var a75 [10 << 20]byte
	use(&a75)
	var a76 [10 << 20]byte
	use(&a76)
	var a77 [10 << 20]byte
	use(&a77)
	var a78 [10 << 20]byte
	use(&a78)
	var a79 [10 << 20]byte
	use(&a79)
	var a80 [10 << 20]byte
	use(&a80)
	var a81 [10 << 20]byte
	use(&a81)
	var a82 [10 << 20]byte
	use(&a82)
	var a83 [10 << 20]byte
	use(&a83)
	var a84 [10 << 20]byte
	use(&a84)
	var a85 [10 << 20]byte
	use(&a85)
	var a86 [10 << 20]byte
	use(&a86)
	var a87 [10 << 20]byte
	use(&a87)
	var a88 [10 << 20]byte
	use(&a88)
	var a89 [10 << 20]byte
	use(&a89)
	var a90 [10 << 20]byte
	use(&a90)
	var a91 [10 << 20]byte
	use(&a91)
	var a92 [10 << 20]byte
	use(&a92)
	var a93 [10 << 20]byte
	use(&a93)
	var a94 [10 << 20]byte
	use(&a94)
	var a95 [10 << 20]byte
	use(&a95)
	var a96 [10 << 20]byte
	use(&a96)
	var a97 [10 << 20]byte
	use(&a97)
	var a98 [10 << 20]byte
	use(&a98)
	var a99 [10 << 20]byte
	use(&a99)
	var a100 [10 << 20]byte
	use(&a100)
	var a101 [10 << 20]byte
	use(&a101)
	var a102 [10 << 20]byte
	use(&a102)
	var a103 [10 << 20]byte
	use(&a103)
	var a104 [10 << 20]byte
	use(&a104)
	var a105 [10 << 20]byte
	use(&a105)
	var a106 [10 << 20]byte
	use(&a106)
	var a107 [10 << 20]byte
	use(&a107)
	var a108 [10 << 20]byte
	use(&a108)
	var a109 [10 << 20]byte
	use(&a109)
	var a110 [10 << 20]byte
	use(&a110)
	var a111 [10 << 20]byte
	use(&a111)
	var a112 [10 << 20]byte
	use(&a112)
	var a113 [10 << 20]byte
	use(&a113)
	var a114 [10 << 20]byte
	use(&a114)
	var a115 [10 << 20]byte
	use(&a115)
	var a116 [10 << 20]byte
	use(&a116)
	var a117 [10 << 20]byte
	use(&a117)
	var a118 [10 << 20]byte
	use(&a118)
	var a119 [10 << 20]byte
	use(&a119)
	var a120 [10 << 20]byte
	use(&a120)
	var a121 [10 << 20]byte
	use(&a121)
	var a122 [10 << 20]byte
	use(&a122)
	var a123 [10 << 20]byte
	use(&a123)
	var a124 [10 << 20]byte
	use(&a124)
	var a125 [10 << 20]byte
	use(&a125)
	var a126 [10 << 20]byte
	use(&a126)
	var a127 [10 << 20]byte
	use(&a127)
	var a128 [10 << 20]byte
	use(&a128)
	var a129 [10 << 20]byte
	use(&a129)
	var a130 [10 << 20]byte
	use(&a130)
	var a131 [10 << 20]byte
	use(&a131)
	var a132 [10 << 20]byte
	use(&a132)
	var a133 [10 << 20]byte
	use(&a133)
	var a134 [10 << 20]byte
	use(&a134)
	var a135 [10 << 20]byte
	use(&a135)
	var a136 [10 << 20]byte
	use(&a136)
	var a137 [10 << 20]byte
	use(&a137)
	var a138 [10 << 20]byte
	use(&a138)
	var a139 [10 << 20]byte
	use(&a139)
	var a140 [10 << 20]byte
	use(&a140)
	var a141 [10 << 20]byte
	use(&a141)
	var a142 [10 << 20]byte
	use(&a142)
	var a143 [10 << 20]byte
	use(&a143)
	var a144 [10 << 20]byte
	use(&a144)
	var a145 [10 << 20]byte
	use(&a145)
	var a146 [10 << 20]byte
	use(&a146)
	var a147 [10 << 20]byte
	use(&a147)
	var a148 [10 << 20]byte
	use(&a148)
	var a149 [10 << 20]byte
	use(&a149)
	var a150 [10 << 20]byte
	use(&a150)
	var a151 [10 << 20]byte
	use(&a151)
	var a152 [10 << 20]byte
	use(&a152)
	var a153 [10 << 20]byte
	use(&a153)
	var a154 [10 << 20]byte
	use(&a154)
	var a155 [10 << 20]byte
	use(&a155)
	var a156 [10 << 20]byte
	use(&a156)
	var a157 [10 << 20]byte
	use(&a157)
	var a158 [10 << 20]byte
	use(&a158)
	var a159 [10 << 20]byte
	use(&a159)
	var a160 [10 << 20]byte
	use(&a160)
	var a161 [10 << 20]byte
	use(&a161)
	var a162 [10 << 20]byte
	use(&a162)
	var a163 [10 << 20]byte
	use(&a163)
	var a164 [10 << 20]byte
	use(&a164)
	var a165 [10 << 20]byte
	use(&a165)
	var a166 [10 << 20]byte
	use(&a166)
	var a167 [10 << 20]byte
	use(&a167)
	var a168 [10 << 20]byte
	use(&a168)
	var a169 [10 << 20]byte
	use(&a169)
	var a170 [10 << 20]byte
	use(&a170)
	var a171 [10 << 20]byte
	use(&a171)
	var a172 [10 << 20]byte
	use(&a172)
	var a173 [10 << 20]byte
	use(&a173)
	var a174 [10 << 20]byte
	use(&a174)
	var a175 [10 << 20]byte
	use(&a175)
	var a176 [10 << 20]byte
	use(&a176)
	var a177 [10 << 20]byte
	use(&a177)
	var a178 [10 << 20]byte
	use(&a178)
	var a179 [10 << 20]byte
	use(&a179)
	var a180 [10 << 20]byte
	use(&a180)
	var a181 [10 << 20]byte
	use(&a181)
	var a182 [10 << 20]byte
	use(&a182)
	var a183 [10 << 20]byte
	use(&a183)
	var a184 [10 << 20]byte
	use(&a184)
	var a185 [10 << 20]byte
	use(&a185)
	var a186 [10 << 20]byte
	use(&a186)
	var a187 [10 << 20]byte
	use(&a187)
	var a188 [10 << 20]byte
	use(&a188)
	var a189 [10 << 20]byte
	use(&a189)
	var a190 [10 << 20]byte
	use(&a190)
	var a191 [10 << 20]byte
	use(&a191)
	var a192 [10 << 20]byte
	use(&a192)
	var a193 [10 << 20]byte
	use(&a193)
	var a194 [10 << 20]byte
	use(&a194)
	var a195 [10 << 20]byte
	use(&a195)
	var a196 [10 << 20]byte
	use(&a196)
	var a197 [10 << 20]byte
	use(&a197)
	var a198 [10 << 20]byte
	use(&a198)
	var a199 [10 << 20]byte
	use(&a199)
	var a200 [10 << 20]byte
	use(&a200)
	var a201 [10 << 20]byte
	use(&a201)
	var a202 [10 << 20]byte
	use(&a202)
	var a203 [10 << 20]byte
	use(&a203)
	var a204 [10 << 20]byte
	use(&a204)
	var a205 [10 << 20]byte
	use(&a205)
	var a206 [10 << 20]byte
	use(&a206)
	var a207 [10 << 20]byte
	use(&a207)
	var a208 [10 << 20]byte
	use(&a208)
	var a209 [10 << 20]byte
	use(&a209)
	var a210 [10 << 20]byte
	use(&a210)
	var a211 [10 << 20]byte
	use(&a211)
	var a212 [10 << 20]byte
	use(&a212)
	var a213 [10 << 20]byte
	use(&a213)
	var a214 [10 << 20]byte
	use(&a214)
	var a215 [10 << 20]byte
	use(&a215)
	var a216 [10 << 20]byte
	use(&a216)
	var a217 [10 << 20]byte
	use(&a217)
	var a218 [10 << 20]byte
	use(&a218)
	var a219 [10 << 20]byte
	use(&a219)
	if n := sum(&a0, &a20, &a40, &a60, &a80, &a100, &a120, &a140, &a160, &a180, &a200); n != 11 {
		panic(n)
	}
}
