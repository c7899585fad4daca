package p

type shape interface{ area() float64 }

func total(list []shape) (sum float64) {
	for _, s := range list {
		sum += s.area()
	}
	return sum
}

func kind(v any) int {
	switch v := v.(type) {
	case int:
		return v
	case string:
		return len(v)
	}
	return -1
}

func box(n int) any { return n }
