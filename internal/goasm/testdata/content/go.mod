module content

go 1.26
