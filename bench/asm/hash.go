package main

import (
	"crypto/md5"
	"crypto/sha1"
	"crypto/sha256"
	"crypto/sha3"
	"crypto/sha512"
	"fmt"
	"hash"
	"hash/adler32"
	"hash/crc32"
	"hash/crc64"
	"hash/fnv"
	"hash/maphash"
)

func hashBenchmarks() {
	castagnoli := crc32.MakeTable(crc32.Castagnoli)
	koopman := crc32.MakeTable(crc32.Koopman)
	hashes := []struct {
		name string
		h    hash.Hash
	}{
		{"md5", md5.New()}, {"sha1", sha1.New()}, {"sha256", sha256.New()}, {"sha512", sha512.New()},
		{"sha3-256", sha3.New256()}, {"crc32-ieee", crc32.NewIEEE()}, {"crc32-castagnoli", crc32.New(castagnoli)},
		{"crc32-koopman", crc32.New(koopman)}, {"crc64", crc64.New(crc64.MakeTable(crc64.ECMA))},
		{"adler32", adler32.New()}, {"fnv64a", fnv.New64a()}, {"maphash", new(maphash.Hash)},
	}
	for _, h := range hashes {
		for _, size := range []int{16, 100, 8192} {
			data := make([]byte, size)
			var sum [64]byte
			measure(fmt.Sprintf("%s-%d", h.name, size), func(n int) {
				for range n {
					h.h.Reset()
					h.h.Write(data)
					sinkBytes = h.h.Sum(sum[:0])
				}
			})
		}
	}
	shake := sha3.NewSHAKE128()
	out := make([]byte, 4096)
	measure("shake128-4096", func(n int) {
		for range n {
			shake.Reset()
			shake.Write(out[:32])
			shake.Read(out)
		}
	})
}
