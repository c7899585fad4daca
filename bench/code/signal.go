package main

import (
	"bytes"
	"encoding/binary"
	"math"
	"math/bits"
)

// Pictures, sound and bytes: floating point with small structs, and bit work.

type vec struct{ x, y, z float64 }

func (a vec) add(b vec) vec           { return vec{a.x + b.x, a.y + b.y, a.z + b.z} }
func (a vec) sub(b vec) vec           { return vec{a.x - b.x, a.y - b.y, a.z - b.z} }
func (a vec) scaled(f float64) vec    { return vec{a.x * f, a.y * f, a.z * f} }
func (a vec) dot(b vec) float64       { return a.x*b.x + a.y*b.y + a.z*b.z }
func (a vec) unit() vec               { return a.scaled(1 / math.Sqrt(a.dot(a))) }
func (a vec) mirrored(normal vec) vec { return a.sub(normal.scaled(2 * a.dot(normal))) }

type ray struct{ from, to vec }

type solid interface {
	hit(r ray) (distance float64, ok bool)
	normal(at vec) vec
	shine() float64
}

type ball struct {
	center vec
	radius float64
	mirror float64
}

func (b *ball) hit(r ray) (float64, bool) {
	d := r.from.sub(b.center)
	p := d.dot(r.to)
	q := p*p - d.dot(d) + b.radius*b.radius
	if q < 0 {
		return 0, false
	}
	t := -p - math.Sqrt(q)
	return t, t > 1e-6
}

func (b *ball) normal(at vec) vec { return at.sub(b.center).unit() }
func (b *ball) shine() float64    { return b.mirror }

type floor struct{ height float64 }

func (f floor) hit(r ray) (float64, bool) {
	t := (f.height - r.from.y) / r.to.y
	return t, t > 1e-6
}

func (f floor) normal(vec) vec { return vec{0, 1, 0} }
func (f floor) shine() float64 { return 0.2 }

type scene struct {
	solids []solid
	light  vec
}

func (s *scene) trace(r ray, depth int) float64 {
	near, what := math.Inf(1), solid(nil)
	for _, o := range s.solids {
		if t, ok := o.hit(r); ok && t < near {
			near, what = t, o
		}
	}
	if what == nil {
		return 0.1 + 0.5*max(0, r.to.y)
	}
	at := r.from.add(r.to.scaled(near))
	n := what.normal(at)
	color := max(0.05, n.dot(s.light))
	if depth > 0 && what.shine() > 0 {
		color += what.shine() * s.trace(ray{at, r.to.mirrored(n)}, depth-1)
	}
	return color
}

func raytracer() {
	s := scene{light: vec{1, 2, -1}.unit(), solids: []solid{
		floor{-1}, &ball{vec{0, 0, 5}, 1, 0.5}, &ball{vec{2, 0, 6}, 1, 0.3}, &ball{vec{-2, 0.5, 4}, 0.7, 0}, &ball{vec{0, 3, 8}, 2, 0.8},
	}}
	for y := range 60 {
		for x := range 80 {
			to := vec{float64(x-40) / 40, float64(30-y) / 40, 1}.unit()
			sinkF += s.trace(ray{vec{}, to}, 3)
		}
	}
}

// transform is a Fourier transform in place; the length is a power of two.
func transform(a []complex128) {
	n := len(a)
	shift := 64 - bits.TrailingZeros(uint(n))
	for i := range a {
		if j := int(bits.Reverse64(uint64(i)) >> shift); i < j {
			a[i], a[j] = a[j], a[i]
		}
	}
	for half := 1; half < n; half *= 2 {
		sin, cos := math.Sincos(-math.Pi / float64(half))
		step := complex(cos, sin)
		for base := 0; base < n; base += 2 * half {
			w := complex(1, 0)
			for k := base; k < base+half; k++ {
				t := w * a[k+half]
				a[k], a[k+half] = a[k]+t, a[k]-t
				w *= step
			}
		}
	}
}

func fourier() {
	a := make([]complex128, 4096)
	for i := range a {
		a[i] = complex(float64(i%17), 0)
	}
	transform(a)
	sinkF += real(a[5])
}

// blur averages the neighbours of each pixel of a grey picture.
func blur() {
	const w, h = 320, 200
	src, dst := make([]uint8, w*h), make([]uint8, w*h)
	for i := range src {
		src[i] = uint8(i * 7)
	}
	for range 3 {
		for y := 1; y < h-1; y++ {
			for x := 1; x < w-1; x++ {
				sum := 0
				for dy := -1; dy <= 1; dy++ {
					for dx := -1; dx <= 1; dx++ {
						sum += int(src[(y+dy)*w+x+dx])
					}
				}
				dst[y*w+x] = uint8(sum / 9)
			}
		}
		src, dst = dst, src
	}
	sink += int(src[w*h/2])
}

// squeeze is an LZ77 of one's own: literals, and pairs of length and distance found by a hash of
// four bytes.
func squeeze(dst, src []byte) []byte {
	var last [1 << 12]int32
	literal := 0
	flush := func(to int) {
		for literal < to {
			n := min(to-literal, 127)
			dst = append(dst, byte(n))
			dst = append(dst, src[literal:literal+n]...)
			literal += n
		}
	}
	for i := 0; i+4 <= len(src); {
		h := binary.LittleEndian.Uint32(src[i:]) * 2654435761 >> 20
		j := int(last[h]) - 1
		last[h] = int32(i + 1)
		if j < 0 || i-j > math.MaxUint16 || !bytes.Equal(src[j:j+4], src[i:i+4]) {
			i++
			continue
		}
		n := 4
		for i+n < len(src) && n < 130 && src[i+n] == src[j+n] {
			n++
		}
		flush(i)
		dst = append(dst, byte(n-4)|128)
		dst = binary.LittleEndian.AppendUint16(dst, uint16(i-j))
		i += n
		literal = i
	}
	flush(len(src))
	return dst
}

func expand(dst, src []byte) []byte {
	for len(src) > 0 {
		c := src[0]
		if c < 128 {
			dst = append(dst, src[1:1+c]...)
			src = src[1+c:]
			continue
		}
		from := len(dst) - int(binary.LittleEndian.Uint16(src[1:]))
		for i := range int(c&127) + 4 {
			dst = append(dst, dst[from+i])
		}
		src = src[3:]
	}
	return dst
}

func lz() {
	packed := squeeze(nil, everybodyText)
	plain := expand(nil, packed)
	if !bytes.Equal(plain, everybodyText) {
		panic("expand(squeeze(x)) != x")
	}
	sink += len(packed)
}

// mixer is a hash of one's own over words, as checksums are.
func mixer(data []byte) uint64 {
	a, b := uint64(0x243f6a8885a308d3), uint64(0x13198a2e03707344)
	for ; len(data) >= 16; data = data[16:] {
		a = bits.RotateLeft64(a^binary.LittleEndian.Uint64(data), 29) * 0x9e3779b97f4a7c15
		b = bits.RotateLeft64(b+binary.LittleEndian.Uint64(data[8:]), 37) ^ a
	}
	for _, c := range data {
		a = (a ^ uint64(c)) * 0x100000001b3
	}
	return a ^ b
}

func checksum() {
	for range 20 {
		sink += int(mixer(everybodyText) & 0xff)
	}
}
