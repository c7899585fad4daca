module cgotest/check

go 1.26
