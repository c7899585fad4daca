module cgotest/threads

go 1.26
