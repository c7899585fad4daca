module cgotest/frames

go 1.26
