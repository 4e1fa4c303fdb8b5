#!/bin/sh
# go.sh: builds adapter.go of this folder with the system's Go packages, and runs it.
GO111MODULE=off GOPATH=/usr/share/gocode go build -o "$DIR/adapter" adapter.go && exec "$DIR/adapter"
