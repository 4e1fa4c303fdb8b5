# rack-attack as its readme has it, in puma; `redis` as the argument takes that store.
require 'active_support'
require 'active_support/cache'
require 'rack/attack'
require 'rack/handler/puma'
require 'redis'

store = ARGV == ['redis'] ? Redis.new(url: ENV.fetch('REDIS_URL')) : ActiveSupport::Cache::MemoryStore.new
Rack::Attack.cache.store = store
Rack::Attack.throttled_response_retry_after_header = true
Rack::Attack.throttle('requests by key', limit: 20, period: 4) { |request| request.get_header('HTTP_X_API_KEY') }

app = Rack::Builder.new do
  use Rack::Attack unless ENV['LIMITER'] == 'off'
  map('/limited') { run ->(_env) { [200, { 'content-type' => 'text/plain' }, ['served']] } }
end
Rack::Handler::Puma.run(app.to_app, Host: '127.0.0.1', Port: ENV.fetch('PORT'), Threads: '8:8', Silent: true)
