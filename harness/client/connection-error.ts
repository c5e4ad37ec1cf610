import { ConnectionError } from '../contracts/connection-error.ts';

/**
 * What `fetch` rejected with, as a {@link ConnectionError}: it says "fetch failed" and hides the reason in the
 * cause.
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

/** All other failures, too, leave it unknown whether the request was carried out: they count as a reset. */
const CODES = ['ECONNREFUSED', 'ETIMEDOUT'] as const;

function innermost(error: unknown): { readonly code?: unknown; readonly message: string } {
  if (!(error instanceof Error)) return { message: String(error) };
  if (error.cause !== undefined) return innermost(error.cause);
  const { code } = error as { code?: unknown };
  return { code, message: error.message || String(code) };
}
