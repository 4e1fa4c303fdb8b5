// golang.org/x/time/rate, a Limiter for each caller.
package main

import (
	"log"
	"net/http"
	"os"
	"sync"

	"golang.org/x/time/rate"
)

func main() {
	var mu sync.Mutex
	limiters := map[string]*rate.Limiter{}
	limiterOf := func(key string) *rate.Limiter {
		mu.Lock()
		defer mu.Unlock()
		if limiters[key] == nil {
			limiters[key] = rate.NewLimiter(5, 20)
		}
		return limiters[key]
	}
	http.HandleFunc("/limited", func(w http.ResponseWriter, r *http.Request) {
		if os.Getenv("LIMITER") != "off" && !limiterOf(r.Header.Get("X-Api-Key")).Allow() {
			http.Error(w, "too many requests", http.StatusTooManyRequests)
			return
		}
		w.Write([]byte("served"))
	})
	log.Fatal(http.ListenAndServe("127.0.0.1:"+os.Getenv("PORT"), nil))
}
