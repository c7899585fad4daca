module goid

go 1.26
