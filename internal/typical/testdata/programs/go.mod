module example.com/typical

go 1.26
