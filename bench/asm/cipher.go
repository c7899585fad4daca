package main

import (
	"crypto/aes"
	"crypto/cipher"
	"crypto/des"
	"crypto/hmac"
	"crypto/rc4"
	"crypto/sha256"
	"crypto/subtle"
	"fmt"
	"math/rand/v2"
)

func must[T any](v T, err error) T {
	if err != nil {
		panic(err)
	}
	return v
}

func cipherBenchmarks() {
	key := make([]byte, 32)
	iv := make([]byte, 16)
	for _, keySize := range []int{16, 32} {
		block := must(aes.NewCipher(key[:keySize]))
		name := func(s string) string { return fmt.Sprintf("aes%d-%s", keySize*8, s) }
		buf := make([]byte, 16)
		measure(name("new"), func(n int) {
			for range n {
				block = must(aes.NewCipher(key[:keySize]))
			}
		})
		measure(name("encrypt"), func(n int) {
			for range n {
				block.Encrypt(buf, buf)
			}
		})
		measure(name("decrypt"), func(n int) {
			for range n {
				block.Decrypt(buf, buf)
			}
		})
		for _, size := range []int{64, 1024, 8192} {
			name := func(s string) string { return fmt.Sprintf("aes%d-%s-%d", keySize*8, s, size) }
			data := make([]byte, size)
			out := make([]byte, 0, size+16)
			gcm := must(cipher.NewGCM(block))
			nonce := make([]byte, gcm.NonceSize())
			measure(name("gcm-seal"), func(n int) {
				for range n {
					out = gcm.Seal(out[:0], nonce, data, nil)
				}
			})
			sealed := gcm.Seal(nil, nonce, data, nil)
			measure(name("gcm-open"), func(n int) {
				for range n {
					if _, err := gcm.Open(out[:0], nonce, sealed, nil); err != nil {
						panic(err)
					}
				}
			})
			ctr := cipher.NewCTR(block, iv)
			measure(name("ctr"), func(n int) {
				for range n {
					ctr.XORKeyStream(data, data)
				}
			})
			enc, dec := cipher.NewCBCEncrypter(block, iv), cipher.NewCBCDecrypter(block, iv)
			measure(name("cbc-encrypt"), func(n int) {
				for range n {
					enc.CryptBlocks(data, data)
				}
			})
			measure(name("cbc-decrypt"), func(n int) {
				for range n {
					dec.CryptBlocks(data, data)
				}
			})
		}
	}
	for _, size := range []int{8, 16, 100, 4096} {
		x, y := make([]byte, size), make([]byte, size)
		measure(fmt.Sprintf("xorbytes-%d", size), func(n int) {
			for range n {
				subtle.XORBytes(x, x, y)
			}
		})
		measure(fmt.Sprintf("constanttimecompare-%d", size), func(n int) {
			for range n {
				sinkInt += subtle.ConstantTimeCompare(x, y)
			}
		})
	}
	data := make([]byte, 1024)
	measure("rc4-1024", func(n int) {
		c := must(rc4.NewCipher(key))
		for range n {
			c.XORKeyStream(data, data)
		}
	})
	measure("des3-8", func(n int) {
		c := must(des.NewTripleDESCipher(key[:24]))
		for range n {
			c.Encrypt(data, data)
		}
	})
	measure("hmac-sha256-1024", func(n int) {
		h := hmac.New(sha256.New, key)
		for range n {
			h.Reset()
			h.Write(data)
			sinkBytes = h.Sum(sinkBytes[:0])
		}
	})
	measure("chacha8rand-8", func(n int) {
		r := rand.NewChaCha8([32]byte{})
		var x uint64
		for range n {
			x ^= r.Uint64()
		}
		sinkInt = int(x)
	})
	measure("pcg-8", func(n int) {
		r := rand.NewPCG(1, 2)
		var x uint64
		for range n {
			x ^= r.Uint64()
		}
		sinkInt = int(x)
	})
}
