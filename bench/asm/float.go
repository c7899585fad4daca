package main

import "math"

func mathBenchmarks() {
	unary := []struct {
		name string
		f    func(float64) float64
	}{
		// Through literals, as a program calls them: intrinsics are expanded in the loop's body.
		{"Sqrt", func(x float64) float64 { return math.Sqrt(x) }},
		{"Floor", func(x float64) float64 { return math.Floor(x) }},
		{"Ceil", func(x float64) float64 { return math.Ceil(x) }},
		{"Trunc", func(x float64) float64 { return math.Trunc(x) }},
		{"Round", func(x float64) float64 { return math.Round(x) }},
		{"RoundToEven", func(x float64) float64 { return math.RoundToEven(x) }},
		{"Abs", func(x float64) float64 { return math.Abs(x) }},
		{"FMA", func(x float64) float64 { return math.FMA(x, x, 1) }},
		{"Exp", func(x float64) float64 { return math.Exp(x) }},
		{"Exp2", func(x float64) float64 { return math.Exp2(x) }},
		{"Log", func(x float64) float64 { return math.Log(x) }},
		{"Log2", func(x float64) float64 { return math.Log2(x) }},
		{"Log10", func(x float64) float64 { return math.Log10(x) }},
		{"Hypot", func(x float64) float64 { return math.Hypot(x, 3) }},
		{"Sin", func(x float64) float64 { return math.Sin(x) }},
		{"Tan", func(x float64) float64 { return math.Tan(x) }},
		{"Atan2", func(x float64) float64 { return math.Atan2(x, 2) }},
		{"Pow", func(x float64) float64 { return math.Pow(x, 1.7) }},
		{"Cbrt", func(x float64) float64 { return math.Cbrt(x) }},
		{"Mod", func(x float64) float64 { return math.Mod(x, 0.7) }},
		{"Max", func(x float64) float64 { return math.Max(x, 1) }},
		{"Modf", func(x float64) float64 { i, f := math.Modf(x); return i - f }},
	}
	values, results := make([]float64, 256), make([]float64, 256)
	for i := range values {
		values[i] = float64(i)*0.73 + 0.1
	}
	for _, u := range unary {
		measure("math-"+u.name, func(n int) {
			for i := range n {
				results[i&255] = u.f(values[i&255])
			}
		})
	}
}
