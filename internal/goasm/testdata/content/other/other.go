package other

func f(x int) int

func F(x int) int { return f(x) }

func Half(x float64) float64

func Add(x int) int { return x + 10 }
