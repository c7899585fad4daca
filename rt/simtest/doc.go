// Package simtest runs programs that Loam compiled as simulated runs (LOAMSIM, rt/sim).
package simtest
