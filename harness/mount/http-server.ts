import { constants } from 'node:crypto';
import { createServer, type IncomingMessage, type Server } from 'node:http';
import { createServer as createTlsServer, Server as TlsServer } from 'node:https';
import type { Duplex } from 'node:stream';
import type { TLSSocket } from 'node:tls';
import { getRequestListener } from '@hono/node-server';
import type { Peer, UpgradeHandler } from '../sim/index.ts';
import type { FetchHandler } from './fetch.ts';
import { foreignRequest } from './foreign-request.ts';
import { peerOf } from './peer.ts';
import { requestHead } from './request-head.ts';
import { upgrading } from './upgrading.ts';

export interface HttpServerOptions {
  /** The name or address that the server listens at. @defaultValue `127.0.0.1` */
  readonly host?: string;
  /** @defaultValue plain HTTP */
  readonly tls?: TlsOptions;
  /** Handles upgrade requests. @defaultValue upgrade requests are handled like any other */
  readonly upgrade?: UpgradeHandler;
}

/** The TLS of a server; all in PEM. */
interface TlsOptions {
  readonly cert: string;
  readonly key: string;
  /** The authority that clients should have a certificate of. The server asks for one, and requires none. */
  readonly ca: string;
}

/** A server of node:http or node:https that serves a handler. */
interface HttpServer {
  readonly server: Server;
  /** Closes every connection, including open streams and upgraded connections. */
  closeConnections(): void;
}

/**
 * The limits of a connection.
 *
 * Upstream: kubernetes/apiserver@v0.36.3 pkg/server/secure_serving.go SecureServingInfo.Serve,
 * pkg/server/config.go NewConfig (RequestTimeout)
 */
const LIMITS = {
  /** How long an idle connection stays open. */
  keepAliveTimeout: 90_000,
  /** How long a client may take to send the head of a request. */
  headersTimeout: 32_000,
  /** How long a client may take to send a whole request. */
  requestTimeout: 60_000,
  /** In bytes. */
  maxHeaderSize: 1 << 20,
} as const;

/**
 * A client without a certificate, or with a bad one, is the handler's to reject: the handshake succeeds.
 *
 * Upstream: kubernetes/apiserver@v0.36.3 pkg/server/secure_serving.go SecureServingInfo.tlsConfig (RequestClientCert)
 */
const CLIENT_CERTIFICATES = {
  requestCert: true,
  rejectUnauthorized: false,
  // A resumed session would have lost the issuers of the client's certificate.
  secureOptions: constants.SSL_OP_NO_TICKET,
} as const;

/**
 * Creates a server for `handler`. It refuses requests from pages of other sites. The server does not listen yet.
 *
 * Differs: upstream's server also supports HTTP/2.
 */
export function httpServer(handler: FetchHandler, options: HttpServerOptions = {}): HttpServer {
  const { host = '127.0.0.1', tls, upgrade } = options;
  const guarded =
    <Answer>(serve: (request: Request, peer?: Peer) => Promise<Answer>) =>
    async (request: Request, peer?: Peer): Promise<Answer | Response> =>
      foreignRequest(request, host) ?? (await serve(request, peer));
  const serve = guarded(handler);
  const listener = getRequestListener((request, { incoming }) => serve(request, peerOf(incoming.socket)), {
    // By default the adapter replaces the global Request and Response by faster implementations.
    overrideGlobalObjects: false,
  });
  const server = tls
    ? createTlsServer({ ...tls, ...CLIENT_CERTIFICATES, ...LIMITS }, listener)
    : createServer(LIMITS, listener);
  if (tls) server.on('secureConnection', stopWhilePaused);
  const urlOf = ({ url = '/', headers }: IncomingMessage): string =>
    `${tls ? 'https' : 'http'}://${headers.host ?? host}${url}`;
  const upgrades = upgrade && upgrading(guarded(upgrade), urlOf, serveAsUsual(server));
  if (upgrades) server.on('upgrade', upgrades.onUpgrade);
  const closeConnections = (): void => {
    upgrades?.close();
    server.closeAllConnections();
  };
  return { server, closeConnections };
}

/**
 * Returns a function that serves a request as if it had asked for no upgrade. Node has given up such a connection, so
 * the connection starts again, with the same request without its upgrade.
 */
function serveAsUsual(server: Server) {
  const event = server instanceof TlsServer ? 'secureConnection' : 'connection';
  return (incoming: IncomingMessage, socket: Duplex, head: Buffer): void => {
    if (socket.destroyed) return;
    socket.unshift(Buffer.concat([requestHead(incoming), head]));
    server.emit(event, socket);
  };
}

/**
 * Makes a TLS connection deliver its data through its stream, which stops while it is paused.
 *
 * Node pauses a connection and its HTTP parser when a request arrives before the previous response is sent. The TLS
 * layer normally hands its records directly to the parser, even to a paused parser. The parser then fails, and Node
 * closes the connection. This happens to a client that sends the head and the body of its request in two records. A data
 * listener on the stream makes Node abandon this shortcut for good.
 */
function stopWhilePaused(socket: TLSSocket): void {
  const ignore = (): void => {};
  socket.on('data', ignore).off('data', ignore);
}
