"""What is counted of HTTP requests, and the text in which all counters of a process are read."""

from prometheus_client import CollectorRegistry, Counter, Histogram, generate_latest

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

    def answered(self, path: str, method: str, status: int, seconds: float) -> None:
        """Counts one answer. `path` is the address's pattern, so that their number is bounded."""
        known = method if method in ("GET", "HEAD", "POST", "DELETE", "OPTIONS") else "other"
        self._requests.labels(path, known, str(status)).inc()
        self._seconds.labels(path).observe(seconds)

    def text(self) -> bytes:
        """All metrics of the registry in Prometheus' text form."""
        return generate_latest(self.registry)
