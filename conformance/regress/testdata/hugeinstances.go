package main

// Instances that are not optimised, as functions with deep loops are not; other packages' modules may have them, too.

import "fmt"

//go:noinline
func sums[T int | string](x T) (out []T) {
	var sum T
	for a := range 2 {
		for b := range 2 {
			for c := range 2 {
				for d := range 2 {
					for e := range 2 {
						for f := range 2 {
							for g := range 2 {
								for h := range 2 {
									for i := range 2 {
										if a+b+c+d+e+f+g+h+i == 8 {
											sum += x
											out = append(out, sum)
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
	return out
}

type list[T any] []T

func (l list[T]) pairs(equal func(x, y T) bool) (count [10]int) {
	for i0 := range l {
		for i1 := range l {
			for i2 := range l {
				for i3 := range l {
					for i4 := range l {
						for i5 := range l {
							for i6 := range l {
								for i7 := range l {
									for i8 := range l {
										n := 0
										for k, i := range []int{i0, i1, i2, i3, i4, i5, i6, i7, i8} {
											if equal(l[i], l[k%len(l)]) {
												n++
											}
										}
										count[n]++
									}
								}
							}
						}
					}
				}
			}
		}
	}
	return count
}

func main() {
	fmt.Println(sums(3), sums("x"))
	fmt.Println(list[string]{"a", "b"}.pairs(func(x, y string) bool { return x == y }))
}
