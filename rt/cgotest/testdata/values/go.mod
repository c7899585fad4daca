module cgotest/values

go 1.26
