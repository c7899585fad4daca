package p

func divide(a, b int32) int32 { return a / b }

func shift(a uint64, n int) uint64 { return a << n }

func toInt(f float64) uint8 { return uint8(f) }

func product(a, b complex64) complex64 { return a * b }
