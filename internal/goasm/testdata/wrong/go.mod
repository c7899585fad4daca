module wrong

go 1.26
