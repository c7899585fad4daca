module cgotest/faults

go 1.26
