import type { AddressInfo } from 'node:net';
import type { FetchHandler } from './fetch.ts';
import { type HttpServerOptions, httpServer } from './http-server.ts';

interface ListenOptions extends HttpServerOptions {
  /** @defaultValue a free port */
  readonly port?: number;
  /** @defaultValue `127.0.0.1`: reachable only from this machine */
  readonly host?: string;
}

/** A handler that is reachable over HTTP. */
interface Listening extends AsyncDisposable {
  /** `http://127.0.0.1:43127`, or with `https` */
  readonly url: string;
  /** Stops listening and closes every connection, including open streams. */
  close(): Promise<void>;
}

/** Listens on a port for `handler`. @throws Error when the port is in use */
export async function listen(handler: FetchHandler, options: ListenOptions = {}): Promise<Listening> {
  const { port = 0, host = '127.0.0.1', tls } = options;
  const { server, closeConnections } = httpServer(handler, { ...options, host });
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, host, resolve);
  });
  const { port: bound } = server.address() as AddressInfo;
  const close = (): Promise<void> =>
    new Promise((resolve) => {
      server.close(() => resolve());
      closeConnections();
    });
  const authority = `${host.includes(':') ? `[${host}]` : host}:${bound}`;
  return { url: `${tls ? 'https' : 'http'}://${authority}`, close, [Symbol.asyncDispose]: close };
}
