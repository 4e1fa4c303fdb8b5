"""Flask-Limiter as its quick start has it: the strategy is the first argument, `redis` as the second takes that store."""
import os
import sys

from flask import Flask, request

app = Flask(__name__)
redis = sys.argv[2:] == ['redis']


@app.route('/limited')
def limited():
    return 'served'


if os.environ.get('LIMITER') != 'off':
    from flask_limiter import Limiter

    Limiter(
        lambda: request.headers.get('X-Api-Key', 'nobody'),
        app=app,
        default_limits=['20 per 4 seconds'],
        strategy=sys.argv[1],
        storage_uri=os.environ['REDIS_URL'] if redis else 'memory://',
        headers_enabled=True,
    )

if __name__ == '__main__':
    app.run('127.0.0.1', int(os.environ['PORT']), threaded=True)
