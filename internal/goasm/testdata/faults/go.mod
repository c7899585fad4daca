module faults
go 1.26
