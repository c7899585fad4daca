module registers

go 1.26
