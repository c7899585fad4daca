package main

import "fmt"

// A function with loops nested deeper than eight, and a switch of more cases than ways may lead to a block: it gets the passes
// of huge functions (internal/lower/huge.go).

type cell struct {
	n    int
	next *cell
	name string
	any  any
}

var kept [8]*cell

func up(n uint64) *uint64 { return &n }

func check(n int) int {
	if n == 77_777 {
		panic("never")
	}
	return n + 1
}

func machine(code []uint16, cells []*cell, stop int) (sum int, err error) {
	defer func() {
		if r := recover(); r != nil {
			err = fmt.Errorf("%v, sum %d", r, sum)
		}
	}()
	var fl float64
	var text string
	var last *cell
	for a := 0; a < 2; a++ {
		for b := 0; b < 2; b++ {
			for c := 0; c < 2; c++ {
				for d := 0; d < 2; d++ {
					for e := 0; e < 2; e++ {
						for f := 0; f < 2; f++ {
							for g := 0; g < 2; g++ {
								for h := 0; h < 2; h++ {
									for i := range code {
										switch code[i] {
										case 0:
											sum += a + 0*i
										case 1:
											last = &cell{n: sum, next: last}
											if i%7 == 0 {
												last = nil
											}
										case 2:
											kept[(i+2)&7] = last
										case 3:
											fl += float64(sum&15) / 4
										case 4:
											if sum&16 != 0 {
												sum ^= 4
											}
										case 5:
											sum += cells[(sum+5)&3].n
										case 6:
											text = cells[i&3].name
											sum += len(text) + b
										case 7:
											cells[i&3].any = sum & 1023
										case 8:
											*up(uint64(sum)) = 3
											sum += int(*up(uint64(sum & 9)))
										case 9:
											sum = check(sum&0xffff) + c*d - e*f + g*h
										case 10:
											sum += a + 10*i
										case 11:
											last = &cell{n: sum, next: last}
											if i%7 == 0 {
												last = nil
											}
										case 12:
											kept[(i+12)&7] = last
										case 13:
											fl += float64(sum&15) / 14
										case 14:
											if sum&32 != 0 {
												sum ^= 14
											}
										case 15:
											sum += cells[(sum+15)&3].n
										case 16:
											text = cells[i&3].name
											sum += len(text) + b
										case 17:
											cells[i&3].any = sum & 1023
										case 18:
											*up(uint64(sum)) = 3
											sum += int(*up(uint64(sum & 19)))
										case 19:
											sum = check(sum&0xffff) + c*d - e*f + g*h
										case 20:
											sum += a + 20*i
										case 21:
											last = &cell{n: sum, next: last}
											if i%7 == 0 {
												last = nil
											}
										case 22:
											kept[(i+22)&7] = last
										case 23:
											fl += float64(sum&15) / 24
										case 24:
											if sum&64 != 0 {
												sum ^= 24
											}
										case 25:
											sum += cells[(sum+25)&3].n
										case 26:
											text = cells[i&3].name
											sum += len(text) + b
										case 27:
											cells[i&3].any = sum & 1023
										case 28:
											*up(uint64(sum)) = 3
											sum += int(*up(uint64(sum & 29)))
										case 29:
											sum = check(sum&0xffff) + c*d - e*f + g*h
										case 30:
											sum += a + 30*i
										case 31:
											last = &cell{n: sum, next: last}
											if i%7 == 0 {
												last = nil
											}
										case 32:
											kept[(i+32)&7] = last
										case 33:
											fl += float64(sum&15) / 34
										case 34:
											if sum&128 != 0 {
												sum ^= 34
											}
										case 35:
											sum += cells[(sum+35)&3].n
										case 36:
											text = cells[i&3].name
											sum += len(text) + b
										case 37:
											cells[i&3].any = sum & 1023
										case 38:
											*up(uint64(sum)) = 3
											sum += int(*up(uint64(sum & 39)))
										case 39:
											sum = check(sum&0xffff) + c*d - e*f + g*h
										case 40:
											sum += a + 40*i
										case 41:
											last = &cell{n: sum, next: last}
											if i%7 == 0 {
												last = nil
											}
										case 42:
											kept[(i+42)&7] = last
										case 43:
											fl += float64(sum&15) / 44
										case 44:
											if sum&256 != 0 {
												sum ^= 44
											}
										case 45:
											sum += cells[(sum+45)&3].n
										case 46:
											text = cells[i&3].name
											sum += len(text) + b
										case 47:
											cells[i&3].any = sum & 1023
										case 48:
											*up(uint64(sum)) = 3
											sum += int(*up(uint64(sum & 49)))
										case 49:
											sum = check(sum&0xffff) + c*d - e*f + g*h
										case 50:
											sum += a + 50*i
										case 51:
											last = &cell{n: sum, next: last}
											if i%7 == 0 {
												last = nil
											}
										case 52:
											kept[(i+52)&7] = last
										case 53:
											fl += float64(sum&15) / 54
										case 54:
											if sum&1 != 0 {
												sum ^= 54
											}
										case 55:
											sum += cells[(sum+55)&3].n
										case 56:
											text = cells[i&3].name
											sum += len(text) + b
										case 57:
											cells[i&3].any = sum & 1023
										case 58:
											*up(uint64(sum)) = 3
											sum += int(*up(uint64(sum & 59)))
										case 59:
											sum = check(sum&0xffff) + c*d - e*f + g*h
										case 60:
											sum += a + 60*i
										case 61:
											last = &cell{n: sum, next: last}
											if i%7 == 0 {
												last = nil
											}
										case 62:
											kept[(i+62)&7] = last
										case 63:
											fl += float64(sum&15) / 64
										case 64:
											if sum&2 != 0 {
												sum ^= 64
											}
										case 65:
											sum += cells[(sum+65)&3].n
										case 66:
											text = cells[i&3].name
											sum += len(text) + b
										case 67:
											cells[i&3].any = sum & 1023
										case 68:
											*up(uint64(sum)) = 3
											sum += int(*up(uint64(sum & 69)))
										case 69:
											sum = check(sum&0xffff) + c*d - e*f + g*h
										case 70:
											sum += a + 70*i
										case 71:
											last = &cell{n: sum, next: last}
											if i%7 == 0 {
												last = nil
											}
										case 72:
											kept[(i+72)&7] = last
										case 73:
											fl += float64(sum&15) / 74
										case 74:
											if sum&4 != 0 {
												sum ^= 74
											}
										case 75:
											sum += cells[(sum+75)&3].n
										case 76:
											text = cells[i&3].name
											sum += len(text) + b
										case 77:
											cells[i&3].any = sum & 1023
										case 78:
											*up(uint64(sum)) = 3
											sum += int(*up(uint64(sum & 79)))
										case 79:
											sum = check(sum&0xffff) + c*d - e*f + g*h
										case 80:
											sum += a + 80*i
										case 81:
											last = &cell{n: sum, next: last}
											if i%7 == 0 {
												last = nil
											}
										case 82:
											kept[(i+82)&7] = last
										case 83:
											fl += float64(sum&15) / 84
										case 84:
											if sum&8 != 0 {
												sum ^= 84
											}
										case 85:
											sum += cells[(sum+85)&3].n
										case 86:
											text = cells[i&3].name
											sum += len(text) + b
										case 87:
											cells[i&3].any = sum & 1023
										case 88:
											*up(uint64(sum)) = 3
											sum += int(*up(uint64(sum & 89)))
										case 89:
											sum = check(sum&0xffff) + c*d - e*f + g*h
										case 90:
											sum += a + 90*i
										case 91:
											last = &cell{n: sum, next: last}
											if i%7 == 0 {
												last = nil
											}
										case 92:
											kept[(i+92)&7] = last
										case 93:
											fl += float64(sum&15) / 94
										case 94:
											if sum&16 != 0 {
												sum ^= 94
											}
										case 95:
											sum += cells[(sum+95)&3].n
										case 96:
											text = cells[i&3].name
											sum += len(text) + b
										case 97:
											cells[i&3].any = sum & 1023
										case 98:
											*up(uint64(sum)) = 3
											sum += int(*up(uint64(sum & 99)))
										case 99:
											sum = check(sum&0xffff) + c*d - e*f + g*h
										case 100:
											sum += a + 100*i
										case 101:
											last = &cell{n: sum, next: last}
											if i%7 == 0 {
												last = nil
											}
										case 102:
											kept[(i+102)&7] = last
										case 103:
											fl += float64(sum&15) / 104
										case 104:
											if sum&32 != 0 {
												sum ^= 104
											}
										case 105:
											sum += cells[(sum+105)&3].n
										case 106:
											text = cells[i&3].name
											sum += len(text) + b
										case 107:
											cells[i&3].any = sum & 1023
										case 108:
											*up(uint64(sum)) = 3
											sum += int(*up(uint64(sum & 109)))
										case 109:
											sum = check(sum&0xffff) + c*d - e*f + g*h
										case 110:
											sum += a + 110*i
										case 111:
											last = &cell{n: sum, next: last}
											if i%7 == 0 {
												last = nil
											}
										case 112:
											kept[(i+112)&7] = last
										case 113:
											fl += float64(sum&15) / 114
										case 114:
											if sum&64 != 0 {
												sum ^= 114
											}
										case 115:
											sum += cells[(sum+115)&3].n
										case 116:
											text = cells[i&3].name
											sum += len(text) + b
										case 117:
											cells[i&3].any = sum & 1023
										case 118:
											*up(uint64(sum)) = 3
											sum += int(*up(uint64(sum & 119)))
										case 119:
											sum = check(sum&0xffff) + c*d - e*f + g*h
										case 120:
											sum += a + 120*i
										case 121:
											last = &cell{n: sum, next: last}
											if i%7 == 0 {
												last = nil
											}
										case 122:
											kept[(i+122)&7] = last
										case 123:
											fl += float64(sum&15) / 124
										case 124:
											if sum&128 != 0 {
												sum ^= 124
											}
										case 125:
											sum += cells[(sum+125)&3].n
										case 126:
											text = cells[i&3].name
											sum += len(text) + b
										case 127:
											cells[i&3].any = sum & 1023
										case 128:
											*up(uint64(sum)) = 3
											sum += int(*up(uint64(sum & 129)))
										case 129:
											sum = check(sum&0xffff) + c*d - e*f + g*h
										case 130:
											sum += a + 130*i
										case 131:
											last = &cell{n: sum, next: last}
											if i%7 == 0 {
												last = nil
											}
										case 132:
											kept[(i+132)&7] = last
										case 133:
											fl += float64(sum&15) / 134
										case 134:
											if sum&256 != 0 {
												sum ^= 134
											}
										case 135:
											sum += cells[(sum+135)&3].n
										case 136:
											text = cells[i&3].name
											sum += len(text) + b
										case 137:
											cells[i&3].any = sum & 1023
										case 138:
											*up(uint64(sum)) = 3
											sum += int(*up(uint64(sum & 139)))
										case 139:
											sum = check(sum&0xffff) + c*d - e*f + g*h
										case 140:
											sum += a + 140*i
										case 141:
											last = &cell{n: sum, next: last}
											if i%7 == 0 {
												last = nil
											}
										case 142:
											kept[(i+142)&7] = last
										case 143:
											fl += float64(sum&15) / 144
										case 144:
											if sum&1 != 0 {
												sum ^= 144
											}
										case 145:
											sum += cells[(sum+145)&3].n
										case 146:
											text = cells[i&3].name
											sum += len(text) + b
										case 147:
											cells[i&3].any = sum & 1023
										case 148:
											*up(uint64(sum)) = 3
											sum += int(*up(uint64(sum & 149)))
										case 149:
											sum = check(sum&0xffff) + c*d - e*f + g*h
										case 150:
											sum += a + 150*i
										case 151:
											last = &cell{n: sum, next: last}
											if i%7 == 0 {
												last = nil
											}
										case 152:
											kept[(i+152)&7] = last
										case 153:
											fl += float64(sum&15) / 154
										case 154:
											if sum&2 != 0 {
												sum ^= 154
											}
										case 155:
											sum += cells[(sum+155)&3].n
										case 156:
											text = cells[i&3].name
											sum += len(text) + b
										case 157:
											cells[i&3].any = sum & 1023
										case 158:
											*up(uint64(sum)) = 3
											sum += int(*up(uint64(sum & 159)))
										case 159:
											sum = check(sum&0xffff) + c*d - e*f + g*h
										case 160:
											sum += a + 160*i
										case 161:
											last = &cell{n: sum, next: last}
											if i%7 == 0 {
												last = nil
											}
										case 162:
											kept[(i+162)&7] = last
										case 163:
											fl += float64(sum&15) / 164
										case 164:
											if sum&4 != 0 {
												sum ^= 164
											}
										case 165:
											sum += cells[(sum+165)&3].n
										case 166:
											text = cells[i&3].name
											sum += len(text) + b
										case 167:
											cells[i&3].any = sum & 1023
										case 168:
											*up(uint64(sum)) = 3
											sum += int(*up(uint64(sum & 169)))
										case 169:
											sum = check(sum&0xffff) + c*d - e*f + g*h
										case 170:
											sum += a + 170*i
										case 171:
											last = &cell{n: sum, next: last}
											if i%7 == 0 {
												last = nil
											}
										case 172:
											kept[(i+172)&7] = last
										case 173:
											fl += float64(sum&15) / 174
										case 174:
											if sum&8 != 0 {
												sum ^= 174
											}
										case 175:
											sum += cells[(sum+175)&3].n
										case 176:
											text = cells[i&3].name
											sum += len(text) + b
										case 177:
											cells[i&3].any = sum & 1023
										case 178:
											*up(uint64(sum)) = 3
											sum += int(*up(uint64(sum & 179)))
										case 179:
											sum = check(sum&0xffff) + c*d - e*f + g*h
										case 180:
											sum += a + 180*i
										case 181:
											last = &cell{n: sum, next: last}
											if i%7 == 0 {
												last = nil
											}
										case 182:
											kept[(i+182)&7] = last
										case 183:
											fl += float64(sum&15) / 184
										case 184:
											if sum&16 != 0 {
												sum ^= 184
											}
										case 185:
											sum += cells[(sum+185)&3].n
										case 186:
											text = cells[i&3].name
											sum += len(text) + b
										case 187:
											cells[i&3].any = sum & 1023
										case 188:
											*up(uint64(sum)) = 3
											sum += int(*up(uint64(sum & 189)))
										case 189:
											sum = check(sum&0xffff) + c*d - e*f + g*h
										case 190:
											sum += a + 190*i
										case 191:
											last = &cell{n: sum, next: last}
											if i%7 == 0 {
												last = nil
											}
										case 192:
											kept[(i+192)&7] = last
										case 193:
											fl += float64(sum&15) / 194
										case 194:
											if sum&32 != 0 {
												sum ^= 194
											}
										case 195:
											sum += cells[(sum+195)&3].n
										case 196:
											text = cells[i&3].name
											sum += len(text) + b
										case 197:
											cells[i&3].any = sum & 1023
										case 198:
											*up(uint64(sum)) = 3
											sum += int(*up(uint64(sum & 199)))
										case 199:
											sum = check(sum&0xffff) + c*d - e*f + g*h
										case 200:
											sum += a + 200*i
										case 201:
											last = &cell{n: sum, next: last}
											if i%7 == 0 {
												last = nil
											}
										case 202:
											kept[(i+202)&7] = last
										case 203:
											fl += float64(sum&15) / 204
										case 204:
											if sum&64 != 0 {
												sum ^= 204
											}
										case 205:
											sum += cells[(sum+205)&3].n
										case 206:
											text = cells[i&3].name
											sum += len(text) + b
										case 207:
											cells[i&3].any = sum & 1023
										case 208:
											*up(uint64(sum)) = 3
											sum += int(*up(uint64(sum & 209)))
										case 209:
											sum = check(sum&0xffff) + c*d - e*f + g*h
										case 210:
											sum += a + 210*i
										case 211:
											last = &cell{n: sum, next: last}
											if i%7 == 0 {
												last = nil
											}
										case 212:
											kept[(i+212)&7] = last
										case 213:
											fl += float64(sum&15) / 214
										case 214:
											if sum&128 != 0 {
												sum ^= 214
											}
										case 215:
											sum += cells[(sum+215)&3].n
										case 216:
											text = cells[i&3].name
											sum += len(text) + b
										case 217:
											cells[i&3].any = sum & 1023
										case 218:
											*up(uint64(sum)) = 3
											sum += int(*up(uint64(sum & 219)))
										case 219:
											sum = check(sum&0xffff) + c*d - e*f + g*h
										case 220:
											sum += a + 220*i
										case 221:
											last = &cell{n: sum, next: last}
											if i%7 == 0 {
												last = nil
											}
										case 222:
											kept[(i+222)&7] = last
										case 223:
											fl += float64(sum&15) / 224
										case 224:
											if sum&256 != 0 {
												sum ^= 224
											}
										case 225:
											sum += cells[(sum+225)&3].n
										case 226:
											text = cells[i&3].name
											sum += len(text) + b
										case 227:
											cells[i&3].any = sum & 1023
										case 228:
											*up(uint64(sum)) = 3
											sum += int(*up(uint64(sum & 229)))
										case 229:
											sum = check(sum&0xffff) + c*d - e*f + g*h
										case 230:
											sum += a + 230*i
										case 231:
											last = &cell{n: sum, next: last}
											if i%7 == 0 {
												last = nil
											}
										case 232:
											kept[(i+232)&7] = last
										case 233:
											fl += float64(sum&15) / 234
										case 234:
											if sum&1 != 0 {
												sum ^= 234
											}
										case 235:
											sum += cells[(sum+235)&3].n
										case 236:
											text = cells[i&3].name
											sum += len(text) + b
										case 237:
											cells[i&3].any = sum & 1023
										case 238:
											*up(uint64(sum)) = 3
											sum += int(*up(uint64(sum & 239)))
										case 239:
											sum = check(sum&0xffff) + c*d - e*f + g*h
										case 240:
											sum += a + 240*i
										case 241:
											last = &cell{n: sum, next: last}
											if i%7 == 0 {
												last = nil
											}
										case 242:
											kept[(i+242)&7] = last
										case 243:
											fl += float64(sum&15) / 244
										case 244:
											if sum&2 != 0 {
												sum ^= 244
											}
										case 245:
											sum += cells[(sum+245)&3].n
										case 246:
											text = cells[i&3].name
											sum += len(text) + b
										case 247:
											cells[i&3].any = sum & 1023
										case 248:
											*up(uint64(sum)) = 3
											sum += int(*up(uint64(sum & 249)))
										case 249:
											sum = check(sum&0xffff) + c*d - e*f + g*h
										case 250:
											sum += a + 250*i
										case 251:
											last = &cell{n: sum, next: last}
											if i%7 == 0 {
												last = nil
											}
										case 252:
											kept[(i+252)&7] = last
										case 253:
											fl += float64(sum&15) / 254
										case 254:
											if sum&4 != 0 {
												sum ^= 254
											}
										case 255:
											sum += cells[(sum+255)&3].n
										case 256:
											text = cells[i&3].name
											sum += len(text) + b
										case 257:
											cells[i&3].any = sum & 1023
										case 258:
											*up(uint64(sum)) = 3
											sum += int(*up(uint64(sum & 259)))
										case 259:
											sum = check(sum&0xffff) + c*d - e*f + g*h
										case 260:
											sum += a + 260*i
										case 261:
											last = &cell{n: sum, next: last}
											if i%7 == 0 {
												last = nil
											}
										case 999:
											if sum > stop {
												sum += cells[4+i].n
											}
										}
									}
								}
							}
						}
					}
				}
			}
		}
	}
	n := 0
	for c := last; c != nil; c = c.next {
		n += c.n & 7
	}
	if v, ok := cells[1].any.(int); ok {
		n += v
	}
	return sum + n + int(fl) + len(text), nil
}

func main() {
	var code []uint16
	r := uint32(1)
	for range 3000 {
		r = r*1664525 + 1013904223
		code = append(code, uint16((r>>8)%262))
	}
	code = append(code, 999)
	var cells []*cell
	for i := range 4 {
		cells = append(cells, &cell{n: i * 5, name: "abcdefg"[:i]})
	}
	fmt.Println(machine(code, cells, 1<<62))
	fmt.Println(machine(code, cells, 1000))
	live := 0
	for _, k := range kept {
		for ; k != nil; k = k.next {
			live++
		}
	}
	fmt.Println(live)
}
