/**
 * There is no answer: the connection was refused or broke before one came. No apiserver said so, hence no
 * `Status`; whether a write has happened is unknown.
 *
 * Upstream: kubernetes/client-go@v0.30.0 rest/request.go Request.request, which passes on a url.Error
 */
export class ConnectionError extends Error {
  override readonly name = 'ConnectionError';

  constructor(method: string, url: string, cause: unknown) {
    super(`Failed to ${method} ${url}: ${innermost(cause)}. Is the apiserver running?`, { cause });
  }
}

/** `fetch` says "fetch failed" and hides the reason in the cause. */
function innermost(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  if (error.cause !== undefined) return innermost(error.cause);
  const { code } = error as { code?: unknown };
  return error.message || String(code);
}
