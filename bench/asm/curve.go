package main

import (
	"crypto"
	"crypto/ecdh"
	"crypto/ecdsa"
	"crypto/ed25519"
	"crypto/elliptic"
	"crypto/mlkem"
	"crypto/rand"
	"crypto/rsa"
	"crypto/sha256"
)

func curveBenchmarks() {
	digest := sha256.Sum256([]byte("message"))
	for _, c := range []struct {
		name  string
		curve elliptic.Curve
		ecdh  ecdh.Curve
	}{{"p256", elliptic.P256(), ecdh.P256()}, {"p384", elliptic.P384(), ecdh.P384()}} {
		key := must(ecdsa.GenerateKey(c.curve, rand.Reader))
		sig := must(ecdsa.SignASN1(rand.Reader, key, digest[:]))
		measure(c.name+"-sign", func(n int) {
			for range n {
				sinkBytes = must(ecdsa.SignASN1(rand.Reader, key, digest[:]))
			}
		})
		measure(c.name+"-verify", func(n int) {
			for range n {
				if !ecdsa.VerifyASN1(&key.PublicKey, digest[:], sig) {
					panic("bad signature")
				}
			}
		})
		a, b := must(c.ecdh.GenerateKey(rand.Reader)), must(c.ecdh.GenerateKey(rand.Reader))
		measure(c.name+"-ecdh", func(n int) {
			for range n {
				sinkBytes = must(a.ECDH(b.PublicKey()))
			}
		})
	}
	x, y := must(ecdh.X25519().GenerateKey(rand.Reader)), must(ecdh.X25519().GenerateKey(rand.Reader))
	measure("x25519-ecdh", func(n int) {
		for range n {
			sinkBytes = must(x.ECDH(y.PublicKey()))
		}
	})
	public, private, err := ed25519.GenerateKey(rand.Reader)
	if err != nil {
		panic(err)
	}
	sig := ed25519.Sign(private, digest[:])
	measure("ed25519-sign", func(n int) {
		for range n {
			sinkBytes = ed25519.Sign(private, digest[:])
		}
	})
	measure("ed25519-verify", func(n int) {
		for range n {
			if !ed25519.Verify(public, digest[:], sig) {
				panic("bad signature")
			}
		}
	})
	key := must(rsa.GenerateKey(rand.Reader, 2048))
	rsaSig := must(rsa.SignPKCS1v15(nil, key, crypto.SHA256, digest[:]))
	measure("rsa2048-sign", func(n int) {
		for range n {
			sinkBytes = must(rsa.SignPKCS1v15(nil, key, crypto.SHA256, digest[:]))
		}
	})
	measure("rsa2048-verify", func(n int) {
		for range n {
			if err := rsa.VerifyPKCS1v15(&key.PublicKey, crypto.SHA256, digest[:], rsaSig); err != nil {
				panic(err)
			}
		}
	})
	kem := must(mlkem.GenerateKey768())
	_, ciphertext := kem.EncapsulationKey().Encapsulate()
	measure("mlkem768-decapsulate", func(n int) {
		for range n {
			sinkBytes = must(kem.Decapsulate(ciphertext))
		}
	})
}
