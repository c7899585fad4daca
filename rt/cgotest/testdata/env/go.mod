module cgotest/env

go 1.26
