module setg

go 1.26
