module cgotest/panics

go 1.26
