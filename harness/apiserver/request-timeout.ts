/** Upstream: kubernetes/apiserver@v0.36.3 pkg/server/config.go NewConfig, RequestTimeout */
export const REQUEST_TIMEOUT_MS = 60_000;
