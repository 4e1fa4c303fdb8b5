#!/bin/sh
# start.sh POLICY [redis]: the adapter in PHP's own server, with four workers, until SIGTERM.
cd "$(dirname "$0")" || exit 1
export POLICY="$1" STORE="$2" PHP_CLI_SERVER_WORKERS=4
php -S "127.0.0.1:$PORT" router.php &
child=$!
trap 'pkill -P $child; kill $child' TERM INT
wait $child
