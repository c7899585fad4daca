// Long switches and chains of comparisons, which are lowered as one dispatch.
package main

import "fmt"

type S string

//go:noinline
func str(s S) (r int, t string) {
	switch s {
	case "", "a":
		r = 0
	case "aa", "aaa":
	case "aaaaa", "aaaabba":
		r, t = 4, string(s)
	case "aaaabbaa", "aaab":
		return 6, "ret"
	case "aaabaaa", "aaabb":
		r = 8
		fallthrough
	case "aab", "aabaa":
		r = 10
	case "aabab", "aababbaab":
	case "aabbaabab", "aabbb":
		r, t = 14, string(s)
	case "aabbbabb", "ab":
		return 16, "ret"
	case "aba", "abaa":
		r = 18
		fallthrough
	case "abaab", "abaabbb":
		r = 20
	case "abab", "ababa":
	case "ababaaba", "ababb":
		r, t = 24, string(s)
	case "ababbabab", "ababbbbb":
		return 26, "ret"
	case "abb", "abba":
		r = 28
		fallthrough
	case "abbaaaab", "abbaaba":
		r = 30
	case "abbab", "abbababa":
	case "abbb", "abbbbba":
		r, t = 34, string(s)
	case "abbbbbbbb", "b":
		return 36, "ret"
	case "ba", "baa":
		r = 38
		fallthrough
	case "baaa", "baab":
		r = 40
	case "baababa", "baababb":
	case "baabbaa", "baabbbaa":
		r, t = 44, string(s)
	case "bab", "baba":
		return 46, "ret"
	case "babaa", "babaaabb":
		r = 48
		fallthrough
	case "babbbba", "babbbbab":
		r = 50
	case "bb", "bbaa":
	case "bbaaa", "bbaaabaaa":
		r, t = 54, string(s)
	case "bbaab", "bbaababa":
		return 56, "ret"
	case "bbaabbbbb", "bbab":
		r = 58
		fallthrough
	case "bbababbb", "bbabb":
		r = 60
	case "bbabbaaab", "bbabbaaba":
	case "bbabbabaa", "bbb":
		r, t = 64, string(s)
	case "bbbaa", "bbbabbaba":
		return 66, "ret"
	case "bbbb", "bbbbaab":
		r = 68
		fallthrough
	case "bbbbabbbb", "bbbbb":
		r = 70
	case "prefix--xxxxyxyyx", "prefix--xxxxyyx":
	case "prefix--xxxxyyyyxxxyyxxxyyyxxxyxyyxyyxxy", "prefix--xxxy":
		r, t = 74, string(s)
	case "prefix--xxxyxyx", "prefix--xxxyyyxyx":
		return 76, "ret"
	case "prefix--xxyxxxyyy", "prefix--xxyxyxxyyxyyxyyyyyyxyyxyxyxyyxxx":
		r = 78
		fallthrough
	case "prefix--xxyxyyxxx", "prefix--xxyxyyyxy":
		r = 80
	case "prefix--xxyy", "prefix--xxyyxxy":
	case "prefix--xxyyxyxxxxyxyyyyxyxxxxyyyyyyyyxy", "prefix--xxyyyxxxyyyxxyxxxxxyyyxxyyyxyyyy":
		r, t = 84, string(s)
	case "prefix--xxyyyyyyyxyxyxxxxxxyxxxyxyxyyxyy", "prefix--xyxx":
		return 86, "ret"
	case "prefix--xyxxxxxxx", "prefix--xyxxxxxyyyyyyyxyxyxyyxyxxxyyyxxy":
		r = 88
		fallthrough
	case "prefix--xyxxxxyxx", "prefix--xyxxxyx":
		r = 90
	case "prefix--xyxxxyxxy", "prefix--xyxxxyxy":
	case "prefix--xyxxxyxyx", "prefix--xyxxxyxyyyyyyyxyxyxyxxyyxxyyxyxy":
		r, t = 94, string(s)
	case "prefix--xyxyxyyx", "prefix--xyxyyxyxxxxxxyxxyyxyxyyxyyxxxxxx":
		return 96, "ret"
	case "prefix--xyxyyxyxyxxxyyyx", "prefix--xyxyyyyyy":
		r = 98
		fallthrough
	case "prefix--xyyxxyx", "prefix--xyyxyxyxy":
		r = 100
	case "prefix--xyyxyxyyyyyyxyyx", "prefix--xyyxyyy":
	case "prefix--xyyy", "prefix--xyyyxxyxyxxxxyxy":
		r, t = 104, string(s)
	case "prefix--xyyyxyxy", "prefix--xyyyxyyyxxxxyyxyyyxxxyyxyyyyxyyx":
		return 106, "ret"
	case "prefix--xyyyxyyyyxyyxxxxyxxyxxxyyyyxxxyx", "prefix--xyyyyxxxyxyyxxxx":
		r = 108
		fallthrough
	case "prefix--yxxx", "prefix--yxxxxxx":
		r = 110
	case "prefix--yxxxxxyxxyxxyxxy", "prefix--yxxxxxyxyxxxxyxyxxyxxxyxxyxyyyyx":
	case "prefix--yxxxxyxyy", "prefix--yxxxyxxyx":
		r, t = 114, string(s)
	case "prefix--yxxxyyxx", "prefix--yxxyxxyyxxyxyxxyxyyxyxyxxxyyyxyy":
		return 116, "ret"
	case "prefix--yxxyyxxyyyyxyyyxxxyyxyyxyxyyxxxy", "prefix--yxxyyyxyyxyxyxxxxxxxyyyyyxxyyxyy":
		r = 118
		fallthrough
	case "prefix--yxyx", "prefix--yxyxxyyxyxxyyyxxyyyyxyxxxyyxxxyx":
		r = 120
	case "prefix--yxyxxyyyx", "prefix--yxyxyxx":
	case "prefix--yxyxyxyyy", "prefix--yxyy":
		r, t = 124, string(s)
	case "prefix--yxyyxyy", "prefix--yxyyyxyxxyyyyxxyyyxyxxxxxxyxyyyy":
		return 126, "ret"
	case "prefix--yxyyyyxy", "prefix--yxyyyyyyy":
		r = 128
		fallthrough
	case "prefix--yyxxxxxxxxxxyyyxyxxxyyyxxyyyxyyy", "prefix--yyxy":
		r = 130
	case "prefix--yyxyxxxxyyxxyxxyxyyyxyyyxyxxxyyy", "prefix--yyxyxyx":
	case "prefix--yyxyxyyxy", "prefix--yyxyxyyyx":
		r, t = 134, string(s)
	case "prefix--yyxyxyyyy", "prefix--yyxyyyx":
		return 136, "ret"
	case "prefix--yyxyyyxyxxyyyyyx", "prefix--yyxyyyyy":
		r = 138
		fallthrough
	case "prefix--yyyxyxy", "prefix--yyyxyxyyx":
		r = 140
	case "prefix--yyyyxxxyx", "prefix--yyyyxyx":
	case "prefix--yyyyxyxxxxxyxyxxxyyyxyyxyxxyyyyx", "prefix--yyyyxyxyxxxxxyyxyxxyxxyxxyyyxyyx":
		r, t = 144, string(s)
	case "prefix--yyyyxyyyxyxxxyyyxyyxyxxxyyyxxxxx", "prefix--yyyyxyyyyyxxxxxyxyyyyyxyyxxxxxxy":
		return 146, "ret"
	case "prefix--yyyyyxxx", "prefix--yyyyyyx":
	default:
		t = "none"
	}
	r++
	return
}

type big struct{ a [9]int }

//go:noinline
func num(x int8, b big) big {
	c := b
	if x == 5 {
		c.a[0] = 1
	} else if x == -60 {
		c = big{[9]int{-60}}
	} else if x == -59 {
		c = big{[9]int{-59}}
	} else if x == -58 {
		c = big{[9]int{-58}}
	} else if x == -57 {
		c = big{[9]int{-57}}
	} else if x == 3 {
		c = big{[9]int{-56}}
	} else if x == -55 {
		c = big{[9]int{-55}}
	} else if x == -54 {
		c = big{[9]int{-54}}
	} else if x == -53 {
		c = big{[9]int{-53}}
	} else if x == -52 {
		c = big{[9]int{-52}}
	} else if x == -51 {
		c = big{[9]int{-51}}
	} else if x == -50 {
		c = big{[9]int{-50}}
	} else if x == 3 {
		c = big{[9]int{-49}}
	} else if x == -48 {
		c = big{[9]int{-48}}
	} else if x == -47 {
		c = big{[9]int{-47}}
	} else if x == -46 {
		c = big{[9]int{-46}}
	} else if x == -45 {
		c = big{[9]int{-45}}
	} else if x == -44 {
		c = big{[9]int{-44}}
	} else if x == -43 {
		c = big{[9]int{-43}}
	} else if x == 3 {
		c = big{[9]int{-42}}
	} else if x == -41 {
		c = big{[9]int{-41}}
	} else if x == -40 {
		c = big{[9]int{-40}}
	} else if x == -39 {
		c = big{[9]int{-39}}
	} else if x == -38 {
		c = big{[9]int{-38}}
	} else if x == -37 {
		c = big{[9]int{-37}}
	} else if x == -36 {
		c = big{[9]int{-36}}
	} else if x == 3 {
		c = big{[9]int{-35}}
	} else if x == -34 {
		c = big{[9]int{-34}}
	} else if x == -33 {
		c = big{[9]int{-33}}
	} else if x == -32 {
		c = big{[9]int{-32}}
	} else if x == -31 {
		c = big{[9]int{-31}}
	} else if x == -30 {
		c = big{[9]int{-30}}
	} else if x == -29 {
		c = big{[9]int{-29}}
	} else if x == 3 {
		c = big{[9]int{-28}}
	} else if x == -27 {
		c = big{[9]int{-27}}
	} else if x == -26 {
		c = big{[9]int{-26}}
	} else if x == -25 {
		c = big{[9]int{-25}}
	} else if x == -24 {
		c = big{[9]int{-24}}
	} else if x == -23 {
		c = big{[9]int{-23}}
	} else if x == -22 {
		c = big{[9]int{-22}}
	} else if x == 3 {
		c = big{[9]int{-21}}
	} else if x == -20 {
		c = big{[9]int{-20}}
	} else if x == -19 {
		c = big{[9]int{-19}}
	} else if x == -18 {
		c = big{[9]int{-18}}
	} else if x == -17 {
		c = big{[9]int{-17}}
	} else if x == -16 {
		c = big{[9]int{-16}}
	} else if x == -15 {
		c = big{[9]int{-15}}
	} else if x == 3 {
		c = big{[9]int{-14}}
	} else if x == -13 {
		c = big{[9]int{-13}}
	} else if x == -12 {
		c = big{[9]int{-12}}
	} else if x == -11 {
		c = big{[9]int{-11}}
	} else if x == -10 {
		c = big{[9]int{-10}}
	} else if x == -9 {
		c = big{[9]int{-9}}
	} else if x == -8 {
		c = big{[9]int{-8}}
	} else if x == 3 {
		c = big{[9]int{-7}}
	} else if x == -6 {
		c = big{[9]int{-6}}
	} else if x == -5 {
		c = big{[9]int{-5}}
	} else if x == -4 {
		c = big{[9]int{-4}}
	} else if x == -3 {
		c = big{[9]int{-3}}
	} else if x == -2 {
		c = big{[9]int{-2}}
	} else if x == -1 {
		c = big{[9]int{-1}}
	} else if x == 3 {
		c = big{[9]int{0}}
	} else if x == 1 {
		c = big{[9]int{1}}
	} else if x == 2 {
		c = big{[9]int{2}}
	} else if x == 3 {
		c = big{[9]int{3}}
	} else if x == 4 {
		c = big{[9]int{4}}
	} else if x == 5 {
		c = big{[9]int{5}}
	} else if x == 6 {
		c = big{[9]int{6}}
	} else if x == 3 {
		c = big{[9]int{7}}
	} else if x == 8 {
		c = big{[9]int{8}}
	} else if x == 9 {
		c = big{[9]int{9}}
	} else if x == 10 {
		c = big{[9]int{10}}
	} else if x == 11 {
		c = big{[9]int{11}}
	} else if x == 12 {
		c = big{[9]int{12}}
	} else if x == 13 {
		c = big{[9]int{13}}
	} else if x == 3 {
		c = big{[9]int{14}}
	} else if x == 15 {
		c = big{[9]int{15}}
	} else if x == 16 {
		c = big{[9]int{16}}
	} else if x == 17 {
		c = big{[9]int{17}}
	} else if x == 18 {
		c = big{[9]int{18}}
	} else if x == 19 {
		c = big{[9]int{19}}
	} else if x == 20 {
		c = big{[9]int{20}}
	} else if x == 3 {
		c = big{[9]int{21}}
	} else if x == 22 {
		c = big{[9]int{22}}
	} else if x == 23 {
		c = big{[9]int{23}}
	} else if x == 24 {
		c = big{[9]int{24}}
	} else if x == 25 {
		c = big{[9]int{25}}
	} else if x == 26 {
		c = big{[9]int{26}}
	} else if x == 27 {
		c = big{[9]int{27}}
	} else if x == 3 {
		c = big{[9]int{28}}
	} else if x == 29 {
		c = big{[9]int{29}}
	} else if x == 30 {
		c = big{[9]int{30}}
	} else if x == 31 {
		c = big{[9]int{31}}
	} else if x == 32 {
		c = big{[9]int{32}}
	} else if x == 33 {
		c = big{[9]int{33}}
	} else if x == 34 {
		c = big{[9]int{34}}
	} else if x == 3 {
		c = big{[9]int{35}}
	} else if x == 36 {
		c = big{[9]int{36}}
	} else if x == 37 {
		c = big{[9]int{37}}
	} else if x == 38 {
		c = big{[9]int{38}}
	} else if x == 39 {
		c = big{[9]int{39}}
	} else if x == 40 {
		c = big{[9]int{40}}
	} else if x == 41 {
		c = big{[9]int{41}}
	} else if x == 3 {
		c = big{[9]int{42}}
	} else if x == 43 {
		c = big{[9]int{43}}
	} else if x == 44 {
		c = big{[9]int{44}}
	} else if x == 45 {
		c = big{[9]int{45}}
	} else if x == 46 {
		c = big{[9]int{46}}
	} else if x == 47 {
		c = big{[9]int{47}}
	} else if x == 48 {
		c = big{[9]int{48}}
	} else if x == 3 {
		c = big{[9]int{49}}
	} else if x == 50 {
		c = big{[9]int{50}}
	} else if x == 51 {
		c = big{[9]int{51}}
	} else if x == 52 {
		c = big{[9]int{52}}
	} else if x == 53 {
		c = big{[9]int{53}}
	} else if x == 54 {
		c = big{[9]int{54}}
	} else if x == 55 {
		c = big{[9]int{55}}
	} else if x == 3 {
		c = big{[9]int{56}}
	} else if x == 57 {
		c = big{[9]int{57}}
	} else if x == 58 {
		c = big{[9]int{58}}
	} else if x == 59 {
		c = big{[9]int{59}}
	} else {
		c.a[1] = 7
	}
	return c
}

//go:noinline
func wide(x uint64, f func()) (n int) {
	for range 3 {
		switch x {
		case 0:
			n += 0
		case 18446744073709551614:
			continue
		case 9223372036854775810:
			defer f()
		case 3298534883329:
			return 3
		case 4:
		case 18446744073709551610:
			n += 5
		case 9223372036854775814:
			continue
		case 7696581394433:
			defer f()
		case 8:
			return 8
		case 18446744073709551606:
		case 9223372036854775818:
			n += 10
		case 12094627905537:
			continue
		case 12:
			defer f()
		case 18446744073709551602:
			return 13
		case 9223372036854775822:
		case 16492674416641:
			n += 15
		case 16:
			continue
		case 18446744073709551598:
			defer f()
		case 9223372036854775826:
			return 18
		case 20890720927745:
		case 20:
			n += 20
		case 18446744073709551594:
			continue
		case 9223372036854775830:
			defer f()
		case 25288767438849:
			return 23
		case 24:
		case 18446744073709551590:
			n += 25
		case 9223372036854775834:
			continue
		case 29686813949953:
			defer f()
		case 28:
			return 28
		case 18446744073709551586:
		case 9223372036854775838:
			n += 30
		case 34084860461057:
			continue
		case 32:
			defer f()
		case 18446744073709551582:
			return 33
		case 9223372036854775842:
		case 38482906972161:
			n += 35
		case 36:
			continue
		case 18446744073709551578:
			defer f()
		case 9223372036854775846:
			return 38
		case 42880953483265:
		case 40:
			n += 40
		case 18446744073709551574:
			continue
		case 9223372036854775850:
			defer f()
		case 47278999994369:
			return 43
		case 44:
		case 18446744073709551570:
			n += 45
		case 9223372036854775854:
			continue
		case 51677046505473:
			defer f()
		case 48:
			return 48
		case 18446744073709551566:
		case 9223372036854775858:
			n += 50
		case 56075093016577:
			continue
		case 52:
			defer f()
		case 18446744073709551562:
			return 53
		case 9223372036854775862:
		case 60473139527681:
			n += 55
		case 56:
			continue
		case 18446744073709551558:
			defer f()
		case 9223372036854775866:
			return 58
		case 64871186038785:
		case 60:
			n += 60
		case 18446744073709551554:
			continue
		case 9223372036854775870:
			defer f()
		case 69269232549889:
			return 63
		case 64:
		case 18446744073709551550:
			n += 65
		case 9223372036854775874:
			continue
		case 73667279060993:
			defer f()
		case 68:
			return 68
		case 18446744073709551546:
		case 9223372036854775878:
			n += 70
		case 78065325572097:
			continue
		case 72:
			defer f()
		case 18446744073709551542:
			return 73
		case 9223372036854775882:
		case 82463372083201:
			n += 75
		case 76:
			continue
		case 18446744073709551538:
			defer f()
		case 9223372036854775886:
			return 78
		case 86861418594305:
		case 80:
			n += 80
		case 18446744073709551534:
			continue
		case 9223372036854775890:
			defer f()
		case 91259465105409:
			return 83
		case 84:
		case 18446744073709551530:
			n += 85
		case 9223372036854775894:
			continue
		case 95657511616513:
			defer f()
		case 88:
			return 88
		case 18446744073709551526:
		case 9223372036854775898:
			n += 90
		case 100055558127617:
			continue
		case 92:
			defer f()
		case 18446744073709551522:
			return 93
		case 9223372036854775902:
		case 104453604638721:
			n += 95
		case 96:
			continue
		case 18446744073709551518:
			defer f()
		case 9223372036854775906:
			return 98
		case 108851651149825:
		}
		n++
		x += 2
	}
	return n
}

//go:noinline
func late(x int, f func()) (n int) {
	switch x {
	case 0:
		n += 0
	case 3:
		n += 1
	case 6:
		n += 2
	case 9:
		n += 3
	case 12:
		n += 4
	case 15:
		n += 5
	case 18:
		n += 6
	case 21:
		n += 7
	case 24:
		n += 8
	case 27:
		n += 9
	case 30:
		n += 10
	case 33:
		n += 11
	case 36:
		n += 12
	case 39:
		n += 13
	case 42:
		n += 14
	case 45:
		n += 15
	case 48:
		n += 16
	case 51:
		n += 17
	case 54:
		n += 18
	case 57:
		n += 19
	case 60:
		n += 20
	case 63:
		n += 21
	case 66:
		n += 22
	case 69:
		n += 23
	case 72:
		n += 24
	case 75:
		n += 25
	case 78:
		n += 26
	case 81:
		n += 27
	case 84:
		n += 28
	case 87:
		n += 29
	case 90:
		n += 30
	case 93:
		n += 31
	case 96:
		n += 32
	case 99:
		n += 33
	case 102:
		n += 34
	case 105:
		n += 35
	case 108:
		n += 36
	case 111:
		n += 37
	case 114:
		n += 38
	case 117:
		n += 39
	case 120:
		n += 40
	case 123:
		n += 41
	case 126:
		n += 42
	case 129:
		n += 43
	case 132:
		n += 44
	case 135:
		n += 45
	case 138:
		n += 46
	case 141:
		n += 47
	case 144:
		n += 48
	case 147:
		n += 49
	case 150:
		n += 50
	case 153:
		n += 51
	case 156:
		n += 52
	case 159:
		n += 53
	case 162:
		n += 54
	case 165:
		n += 55
	case 168:
		n += 56
	case 171:
		n += 57
	case 174:
		n += 58
	case 177:
		n += 59
	case 180:
		n += 60
	case 183:
		n += 61
	case 186:
		n += 62
	case 189:
		n += 63
	case 192:
		n += 64
	case 195:
		n += 65
	case 198:
		n += 66
	case 201:
		n += 67
	case 204:
		n += 68
	case 207:
		n += 69
	case 210:
		n += 70
		defer f()
	case 213:
		n += 71
	case 216:
		n += 72
	case 219:
		n += 73
	case 222:
		n += 74
	case 225:
		n += 75
	case 228:
		n += 76
	case 231:
		n += 77
	case 234:
		n += 78
	case 237:
		n += 79
	case 240:
		n += 80
		defer f()
	case 243:
		n += 81
	case 246:
		n += 82
	case 249:
		n += 83
	case 252:
		n += 84
	case 255:
		n += 85
	case 258:
		n += 86
	case 261:
		n += 87
	case 264:
		n += 88
	case 267:
		n += 89
	case 270:
		n += 90
	case 273:
		n += 91
	case 276:
		n += 92
	case 279:
		n += 93
	case 282:
		n += 94
	case 285:
		n += 95
	case 288:
		n += 96
	case 291:
		n += 97
	case 294:
		n += 98
	case 297:
		n += 99
	}
	return n
}

func main() {
	words := []S{"", "a", "aa", "aaa", "aaaaa", "aaaabba", "aaaabbaa", "aaab", "aaabaaa", "aaabb", "aab", "aabaa", "aabab", "aababbaab", "aabbaabab", "aabbb", "aabbbabb", "ab", "aba", "abaa", "abaab", "abaabbb", "abab", "ababa", "ababaaba", "ababb", "ababbabab", "ababbbbb", "abb", "abba", "abbaaaab", "abbaaba", "abbab", "abbababa", "abbb", "abbbbba", "abbbbbbbb", "b", "ba", "baa", "baaa", "baab", "baababa", "baababb", "baabbaa", "baabbbaa", "bab", "baba", "babaa", "babaaabb", "babbbba", "babbbbab", "bb", "bbaa", "bbaaa", "bbaaabaaa", "bbaab", "bbaababa", "bbaabbbbb", "bbab", "bbababbb", "bbabb", "bbabbaaab", "bbabbaaba", "bbabbabaa", "bbb", "bbbaa", "bbbabbaba", "bbbb", "bbbbaab", "bbbbabbbb", "bbbbb", "prefix--xxxxyxyyx", "prefix--xxxxyyx", "prefix--xxxxyyyyxxxyyxxxyyyxxxyxyyxyyxxy", "prefix--xxxy", "prefix--xxxyxyx", "prefix--xxxyyyxyx", "prefix--xxyxxxyyy", "prefix--xxyxyxxyyxyyxyyyyyyxyyxyxyxyyxxx", "prefix--xxyxyyxxx", "prefix--xxyxyyyxy", "prefix--xxyy", "prefix--xxyyxxy", "prefix--xxyyxyxxxxyxyyyyxyxxxxyyyyyyyyxy", "prefix--xxyyyxxxyyyxxyxxxxxyyyxxyyyxyyyy", "prefix--xxyyyyyyyxyxyxxxxxxyxxxyxyxyyxyy", "prefix--xyxx", "prefix--xyxxxxxxx", "prefix--xyxxxxxyyyyyyyxyxyxyyxyxxxyyyxxy", "prefix--xyxxxxyxx", "prefix--xyxxxyx", "prefix--xyxxxyxxy", "prefix--xyxxxyxy", "prefix--xyxxxyxyx", "prefix--xyxxxyxyyyyyyyxyxyxyxxyyxxyyxyxy", "prefix--xyxyxyyx", "prefix--xyxyyxyxxxxxxyxxyyxyxyyxyyxxxxxx", "prefix--xyxyyxyxyxxxyyyx", "prefix--xyxyyyyyy", "prefix--xyyxxyx", "prefix--xyyxyxyxy", "prefix--xyyxyxyyyyyyxyyx", "prefix--xyyxyyy", "prefix--xyyy", "prefix--xyyyxxyxyxxxxyxy", "prefix--xyyyxyxy", "prefix--xyyyxyyyxxxxyyxyyyxxxyyxyyyyxyyx", "prefix--xyyyxyyyyxyyxxxxyxxyxxxyyyyxxxyx", "prefix--xyyyyxxxyxyyxxxx", "prefix--yxxx", "prefix--yxxxxxx", "prefix--yxxxxxyxxyxxyxxy", "prefix--yxxxxxyxyxxxxyxyxxyxxxyxxyxyyyyx", "prefix--yxxxxyxyy", "prefix--yxxxyxxyx", "prefix--yxxxyyxx", "prefix--yxxyxxyyxxyxyxxyxyyxyxyxxxyyyxyy", "prefix--yxxyyxxyyyyxyyyxxxyyxyyxyxyyxxxy", "prefix--yxxyyyxyyxyxyxxxxxxxyyyyyxxyyxyy", "prefix--yxyx", "prefix--yxyxxyyxyxxyyyxxyyyyxyxxxyyxxxyx", "prefix--yxyxxyyyx", "prefix--yxyxyxx", "prefix--yxyxyxyyy", "prefix--yxyy", "prefix--yxyyxyy", "prefix--yxyyyxyxxyyyyxxyyyxyxxxxxxyxyyyy", "prefix--yxyyyyxy", "prefix--yxyyyyyyy", "prefix--yyxxxxxxxxxxyyyxyxxxyyyxxyyyxyyy", "prefix--yyxy", "prefix--yyxyxxxxyyxxyxxyxyyyxyyyxyxxxyyy", "prefix--yyxyxyx", "prefix--yyxyxyyxy", "prefix--yyxyxyyyx", "prefix--yyxyxyyyy", "prefix--yyxyyyx", "prefix--yyxyyyxyxxyyyyyx", "prefix--yyxyyyyy", "prefix--yyyxyxy", "prefix--yyyxyxyyx", "prefix--yyyyxxxyx", "prefix--yyyyxyx", "prefix--yyyyxyxxxxxyxyxxxyyyxyyxyxxyyyyx", "prefix--yyyyxyxyxxxxxyyxyxxyxxyxxyyyxyyx", "prefix--yyyyxyyyxyxxxyyyxyyxyxxxyyyxxxxx", "prefix--yyyyxyyyyyxxxxxyxyyyyyxyyxxxxxxy", "prefix--yyyyyxxx", "prefix--yyyyyyx", "c", "aaaaaaaab", "prefix--", "prefix--xz", "\x00", "prefix--xyxyxyxyxyxyxyxyxyxyxyxyxyxyxyxyz"}
	for _, w := range words {
		r, t := str(w)
		fmt.Println(w, r, t)
		r, t = str(w + "a")
		fmt.Println(w, r, t)
	}
	for x := -128; x < 128; x++ {
		fmt.Println(num(int8(x), big{}))
	}
	calls := 0
	f := func() { calls++ }
	for k := range uint64(110) {
		fmt.Println(wide(k, f), wide(-k, f), wide(1<<63+k, f), wide(k<<40+1, f), late(int(k)*3, f), calls)
	}
}
