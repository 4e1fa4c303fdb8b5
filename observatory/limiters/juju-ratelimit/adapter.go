// juju/ratelimit, a bucket for each caller.
package main

import (
	"log"
	"net/http"
	"os"
	"sync"

	"github.com/juju/ratelimit"
)

func main() {
	var mu sync.Mutex
	buckets := map[string]*ratelimit.Bucket{}
	bucketOf := func(key string) *ratelimit.Bucket {
		mu.Lock()
		defer mu.Unlock()
		if buckets[key] == nil {
			buckets[key] = ratelimit.NewBucketWithRate(5, 20)
		}
		return buckets[key]
	}
	http.HandleFunc("/limited", func(w http.ResponseWriter, r *http.Request) {
		if os.Getenv("LIMITER") != "off" && bucketOf(r.Header.Get("X-Api-Key")).TakeAvailable(1) == 0 {
			http.Error(w, "too many requests", http.StatusTooManyRequests)
			return
		}
		w.Write([]byte("served"))
	})
	log.Fatal(http.ListenAndServe("127.0.0.1:"+os.Getenv("PORT"), nil))
}
