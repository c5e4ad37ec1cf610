/**
 * The client could not reach the server, or got no response. So no Status exists.
 *
 * - `ECONNREFUSED`: no server listens at the address. No server received the request.
 * - `ECONNRESET`: the connection broke before the response arrived. The server may have executed the request.
 * - `ETIMEDOUT`: no response arrived in time. The server may have executed the request.
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
 * Returns whether no server listened at the address. If it returns false, `error` keeps its type, because it may be a
 * {@link ConnectionError} with another code.
 *
 * Upstream: kubernetes/apimachinery@v0.36.3 pkg/util/net/util.go IsConnectionRefused
 */
export function isConnectionRefused(
  error: unknown,
): error is ConnectionError & { readonly code: 'ECONNREFUSED' } {
  return error instanceof ConnectionError && error.code === 'ECONNREFUSED';
}
