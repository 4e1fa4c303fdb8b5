// juju/ratelimit, one bucket for all callers, made when the server starts.
package main

import (
	"log"
	"net/http"
	"os"

	"github.com/juju/ratelimit"
)

func main() {
	bucket := ratelimit.NewBucketWithRate(5, 20)
	http.HandleFunc("/limited", func(w http.ResponseWriter, r *http.Request) {
		if os.Getenv("LIMITER") != "off" && bucket.TakeAvailable(1) == 0 {
			http.Error(w, "too many requests", http.StatusTooManyRequests)
			return
		}
		w.Write([]byte("served"))
	})
	log.Fatal(http.ListenAndServe("127.0.0.1:"+os.Getenv("PORT"), nil))
}
