import { ConnectionError } from '../contracts/connection-error.ts';

/**
 * Converts a rejection of `fetch` to a {@link ConnectionError}. The rejection says only "fetch failed" and hides the
 * reason in its cause.
 *
 * Upstream: kubernetes/client-go@v0.36.3 rest/request.go Request.request, which passes on a url.Error
 */
export function connectionError(method: string, url: string, cause: unknown): ConnectionError {
  const { code, message } = innermost(cause);
  return new ConnectionError(
    CODES.find((known) => known === code || message.includes(known)) ?? 'ECONNRESET',
    `Failed to ${method} ${url}: ${message}. Is the apiserver running?`,
    { cause },
  );
}

/** Any other failure also leaves it unknown whether the server processed the request: it counts as a reset. */
const CODES = ['ECONNREFUSED', 'ETIMEDOUT'] as const;

function innermost(error: unknown): { readonly code?: unknown; readonly message: string } {
  if (!(error instanceof Error)) return { message: String(error) };
  if (error.cause !== undefined) return innermost(error.cause);
  const { code } = error as { code?: unknown };
  return { code, message: error.message || String(code) };
}
