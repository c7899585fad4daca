module sched

go 1.26
