/**
 * The server was not reached, or did not answer: there is no Status, because there was no server to give one.
 *
 * - `ECONNREFUSED`: no server listens. The request was not seen by any.
 * - `ECONNRESET`: the connection broke while the answer was awaited. The request may have been carried out.
 * - `ETIMEDOUT`: no answer came in time. The request may have been carried out.
 */
export class ConnectionError extends Error {
  override readonly name = 'ConnectionError';
  readonly code: 'ECONNREFUSED' | 'ECONNRESET' | 'ETIMEDOUT';

  constructor(code: ConnectionError['code'], message: string, options?: ErrorOptions) {
    super(message, options);
    this.code = code;
  }
}

/**
 * Did nothing listen there? Where something did, `error` keeps its type: it may be another {@link ConnectionError}.
 *
 * Upstream: kubernetes/apimachinery@v0.36.3 pkg/util/net/util.go IsConnectionRefused
 */
export function isConnectionRefused(
  error: unknown,
): error is ConnectionError & { readonly code: 'ECONNREFUSED' } {
  return error instanceof ConnectionError && error.code === 'ECONNREFUSED';
}
