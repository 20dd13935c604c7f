"""What is counted of HTTP requests and of the workers' stock, and the text in which all counters are read."""

from prometheus_client import CollectorRegistry, Counter, Gauge, Histogram, generate_latest

from server.service.stock import Stock

CONTENT_TYPE = "text/plain; version=0.0.4; charset=utf-8"


class HttpMetrics:
    """Counters of one application's HTTP requests, kept in its registry beside those of others."""

    def __init__(self, registry: CollectorRegistry) -> None:
        self.registry = registry
        self._requests = Counter(
            "ramparts_http_requests", "HTTP requests answered.", ("path", "method", "status"), registry=registry
        )
        self._seconds = Histogram(
            "ramparts_http_request_seconds", "Time to answer an HTTP request.", ("path",), registry=registry
        )

        self._pool = Gauge(
            "ramparts_pool_deals",
            "Certified deals that wait to be raced; grade 0: not graded.",
            ("variant", "grade"),
            registry=registry,
        )
        self._waiting = Gauge("ramparts_analyses_waiting", "Records that wait for a worker.", (), registry=registry)
        self._workers = Gauge("ramparts_worker_running", "1 if any worker runs on this store.", (), registry=registry)

    def note_stock(self, stock: Stock | None) -> None:
        """Takes in what there is now; None: nobody knows."""
        self._pool.clear()
        for (variant, grade), size in stock.deals.items() if stock else ():
            self._pool.labels(variant, str(grade)).set(size)
        self._waiting.set(float("nan") if stock is None else stock.analyses)
        self._workers.set(float("nan") if stock is None else stock.is_worked)

    def answered(self, path: str, method: str, status: int, seconds: float) -> None:
        """Counts one answer. `path` is the address's pattern, so that their number is bounded."""
        known = method if method in ("GET", "HEAD", "POST", "DELETE", "OPTIONS") else "other"
        self._requests.labels(path, known, str(status)).inc()
        self._seconds.labels(path).observe(seconds)

    def text(self) -> bytes:
        """All metrics of the registry in Prometheus' text form."""
        return generate_latest(self.registry)
