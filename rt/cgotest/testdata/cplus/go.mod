module cgotest/cplus

go 1.26
