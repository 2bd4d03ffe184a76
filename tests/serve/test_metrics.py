from frex.serve.metrics import Metrics


def test_figures_are_in_prometheus_form():
    metrics = Metrics()
    metrics.count("frex_requests_total", operation="suggest", status="200")
    metrics.count("frex_requests_total", 2, operation="explain", status="200")
    for seconds in (0.004, 0.2, 100.0):
        metrics.time("suggest", seconds)
    lines = metrics.text({"frex_workers": 2, "frex_worker_deaths_total": 1}).splitlines()
    assert 'frex_requests_total{operation="explain",status="200"} 2' in lines
    assert 'frex_request_seconds_bucket{operation="suggest",le="0.005"} 1' in lines
    assert 'frex_request_seconds_bucket{operation="suggest",le="0.25"} 2' in lines
    assert 'frex_request_seconds_bucket{operation="suggest",le="+Inf"} 3' in lines
    assert 'frex_request_seconds_sum{operation="suggest"} 100.204000' in lines
    assert "# TYPE frex_workers gauge" in lines
    assert "# TYPE frex_worker_deaths_total counter" in lines
    assert lines.count("# TYPE frex_requests_total counter") == 1
