module cgotest/callbacks

go 1.26
