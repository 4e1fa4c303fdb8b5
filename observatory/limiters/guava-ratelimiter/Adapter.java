import com.google.common.util.concurrent.RateLimiter;
import com.sun.net.httpserver.HttpServer;
import java.net.InetSocketAddress;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executors;

/** Guava's RateLimiter, one for each caller, in the JDK's own server. */
class Adapter {
    public static void main(String[] args) throws Exception {
        boolean limited = !"off".equals(System.getenv("LIMITER"));
        var limiters = new ConcurrentHashMap<String, RateLimiter>();
        int port = Integer.parseInt(System.getenv("PORT"));
        var server = HttpServer.create(new InetSocketAddress("127.0.0.1", port), 0);
        server.createContext("/limited", exchange -> {
            String key = String.valueOf(exchange.getRequestHeaders().getFirst("X-Api-Key"));
            boolean served = !limited || limiters.computeIfAbsent(key, k -> RateLimiter.create(5)).tryAcquire();
            byte[] body = (served ? "served" : "too many requests").getBytes();
            exchange.sendResponseHeaders(served ? 200 : 429, body.length);
            exchange.getResponseBody().write(body);
            exchange.close();
        });
        server.setExecutor(Executors.newFixedThreadPool(16));
        server.start();
    }
}
