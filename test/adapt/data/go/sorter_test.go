// SPDX-License-Identifier: GPL-3.0-or-later
// sorter_test.go - what go.txt and cpu.txt were printed by.

package sorter

import (
	"fmt"
	"sort"
	"testing"
)

func numbers(n int) []int {
	v := make([]int, n)
	for i := range v {
		v[i] = i * 7919 % n
	}
	return v
}

func BenchmarkSort(b *testing.B) {
	for _, n := range []int{1000, 4000, 16000} {
		b.Run(fmt.Sprintf("n=%d", n), func(b *testing.B) {
			b.SetBytes(int64(8 * n))
			for i := 0; i < b.N; i++ {
				sort.Ints(numbers(n))
			}
		})
	}
}

func BenchmarkFind(b *testing.B) {
	for _, kind := range []string{"first", "last"} {
		for _, n := range []int{1000, 4000} {
			b.Run(fmt.Sprintf("%s/%d", kind, n), func(b *testing.B) {
				v := numbers(n)
				for i := 0; i < b.N; i++ {
					sort.SearchInts(v, n-1)
				}
			})
		}
	}
}

func BenchmarkEmpty(b *testing.B) {
	for i := 0; i < b.N; i++ {
	}
}
