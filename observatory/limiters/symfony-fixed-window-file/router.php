<?php
// symfony/rate-limiter as its docs set it up, with a lock. POLICY says which; STORE=redis takes that store, else files.
foreach (['Cache', 'Lock', 'RateLimiter'] as $component) {
    require "/usr/share/php/Symfony/Component/$component/autoload.php";
}

use Symfony\Component\Cache\Adapter\FilesystemAdapter;
use Symfony\Component\Cache\Adapter\RedisAdapter;
use Symfony\Component\Lock\LockFactory;
use Symfony\Component\Lock\Store\FlockStore;
use Symfony\Component\Lock\Store\RedisStore;
use Symfony\Component\RateLimiter\RateLimiterFactory;
use Symfony\Component\RateLimiter\Storage\CacheStorage;

if (getenv('LIMITER') !== 'off') {
    $redis = getenv('STORE') === 'redis' ? RedisAdapter::createConnection(getenv('REDIS_URL')) : null;
    $policy = getenv('POLICY');
    $limit = (new RateLimiterFactory(
        ['id' => 'api', 'policy' => $policy] + ($policy === 'token_bucket'
            ? ['limit' => 10, 'rate' => ['interval' => '1 second']]
            : ['limit' => 20, 'interval' => '4 seconds']),
        new CacheStorage($redis ? new RedisAdapter($redis) : new FilesystemAdapter('', 0, getenv('DIR'))),
        new LockFactory($redis ? new RedisStore($redis) : new FlockStore(getenv('DIR'))),
    ))->create($_SERVER['HTTP_X_API_KEY'] ?? 'nobody')->consume();
    header('X-RateLimit-Remaining: ' . $limit->getRemainingTokens());
    header('X-RateLimit-Retry-After: ' . $limit->getRetryAfter()->getTimestamp() - time());
    header('X-RateLimit-Limit: ' . $limit->getLimit());
    if (!$limit->isAccepted()) {
        http_response_code(429);
        exit('too many requests');
    }
}
echo 'served';
