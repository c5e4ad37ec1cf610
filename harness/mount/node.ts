import { createServer, type IncomingMessage } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { getRequestListener } from '@hono/node-server';
import type { UpgradeHandler } from '../sim/index.ts';
import type { FetchHandler } from './fetch.ts';
import { upgrading } from './upgrading.ts';

interface ListenOptions {
  /** @defaultValue one that is free */
  readonly port?: number;
  /** @defaultValue `127.0.0.1`: this machine alone */
  readonly host?: string;
  /** The certificate and its key, in PEM. @defaultValue plain HTTP */
  readonly tls?: { readonly cert: string; readonly key: string };
  /** Answers requests for an upgrade of their connection. @defaultValue they are answered as if they had not asked for one */
  readonly upgrade?: UpgradeHandler;
}

/** A handler that is reachable by HTTP. */
interface Listening extends AsyncDisposable {
  /** `http://127.0.0.1:43127`, or with `https` */
  readonly url: string;
  /** Stops listening and drops every connection, also those on which something still streams. */
  close(): Promise<void>;
}

/** Opens a port for `handler`. @throws Error when the port is taken */
export async function listen(handler: FetchHandler, options: ListenOptions = {}): Promise<Listening> {
  const { port = 0, host = '127.0.0.1', tls, upgrade } = options;
  // The adapter would replace the Request and Response of the whole process by faster ones.
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
