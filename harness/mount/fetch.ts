import type { Transformer } from 'node:stream/web';
import type { Peer } from '../sim/index.ts';

/**
 * A handler that maps a request to a response; every mount takes one.
 *
 * @param peer - the client; absent if the connection has no TLS
 */
export type FetchHandler = (request: Request, peer?: Peer) => Promise<Response>;

/**
 * Returns a `fetch` that calls `handler` and uses no network. An abort works as in a real `fetch`: a pending call
 * rejects with the signal's reason, and a body that is being read fails with it. In both cases the handler's
 * `request.signal` is aborted and its stream cancelled.
 */
export function fetchFrom(handler: FetchHandler): typeof fetch {
  return async (input, init) => {
    const request = new Request(input, init);
    const signal = init?.signal ?? (input instanceof Request ? input.signal : undefined);
    if (!signal) return handler(request);
    signal.throwIfAborted();
    return cutBy(signal, await orAborted(signal, handler(request)));
  };
}

/**
 * Returns the response with a body that fails as soon as `signal` is aborted. The source of the body is then cancelled.
 * Some transports do not do this themselves.
 *
 * @param transformer changes the body. @defaultValue the body stays unchanged
 */
export function cutBy(
  signal: AbortSignal,
  response: Response,
  transformer: Transformer<Uint8Array, Uint8Array> = {},
): Response {
  if (!response.body) return response;
  const { readable, writable } = new TransformStream(transformer);
  // The stream reports every failure to its reader.
  response.body.pipeTo(writable, { signal }).catch(() => {});
  return new Response(readable, response);
}

function orAborted<T>(signal: AbortSignal, promise: Promise<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    const abort = (): void => reject(signal.reason);
    signal.addEventListener('abort', abort, { once: true });
    promise.then(resolve, reject).finally(() => signal.removeEventListener('abort', abort));
  });
}
