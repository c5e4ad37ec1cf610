import { createServer, type IncomingMessage } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { getRequestListener } from '@hono/node-server';
import type { UpgradeHandler } from '../sim/index.ts';
import type { FetchHandler } from './fetch.ts';
import { upgrading } from './upgrading.ts';

interface ListenOptions {
  /** @defaultValue a free port */
  readonly port?: number;
  /** @defaultValue `127.0.0.1`: reachable only from this machine */
  readonly host?: string;
  /** The certificate and its key, in PEM. @defaultValue plain HTTP */
  readonly tls?: { readonly cert: string; readonly key: string };
  /** Handles upgrade requests. @defaultValue upgrade requests are handled like any other */
  readonly upgrade?: UpgradeHandler;
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
  const { port = 0, host = '127.0.0.1', tls, upgrade } = options;
  // By default the adapter replaces the global Request and Response by faster implementations.
  const listener = getRequestListener(handler, { overrideGlobalObjects: false });
  const server = tls ? createTlsServer(tls, listener) : createServer(listener);
  const urlOf = ({ url = '/', headers }: IncomingMessage): string =>
    `${tls ? 'https' : 'http'}://${headers.host ?? host}${url}`;
  const upgrades = upgrade && upgrading(upgrade, urlOf);
  if (upgrades) server.on('upgrade', upgrades.onUpgrade);
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, host, resolve);
  });
  const { port: bound } = server.address() as AddressInfo;
  const close = (): Promise<void> =>
    new Promise((resolve) => {
      server.close(() => resolve());
      upgrades?.close();
      server.closeAllConnections();
    });
  const authority = `${host.includes(':') ? `[${host}]` : host}:${bound}`;
  return { url: `${tls ? 'https' : 'http'}://${authority}`, close, [Symbol.asyncDispose]: close };
}
