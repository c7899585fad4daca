module loam/bench/cores

go 1.26.0

require (
	golang.org/x/arch v0.28.0
	loam v0.0.0
)

replace loam => ../..
