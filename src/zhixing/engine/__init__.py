"""Durable jobs: the ledger, the worker, leases, lanes and retries."""
