module loam

go 1.26.0

toolchain go1.27.3

require golang.org/x/tools v0.52.0

require golang.org/x/exp v0.0.0-20261014143641-f0251eb4aa3e

require github.com/google/pprof v0.0.0-20261016150608-1facf8f91b50

require (
	golang.org/x/mod v0.42.0
	golang.org/x/sync v0.24.0 // indirect
)

ignore ./overlay
