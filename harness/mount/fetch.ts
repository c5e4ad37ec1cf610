/** Requests in, responses out: what a mount mounts. */
export type FetchHandler = (request: Request) => Promise<Response>;

/**
 * A `fetch` that goes to `handler` and nowhere else, without a network. Aborting behaves as with a real one: a
 * call that waits rejects with the signal's reason, a body that is being read fails with it, and either way the
 * handler's `request.signal` is aborted and its stream cancelled.
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
 * The response, with a body that fails as soon as `signal` is aborted; what it was read from is then cancelled.
 * Some transports do not do that by themselves.
 */
export function cutBy(signal: AbortSignal, response: Response): Response {
  if (!response.body) return response;
  const { readable, writable } = new TransformStream<Uint8Array, Uint8Array>();
  // Whatever breaks, the reader is told by the stream itself.
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
