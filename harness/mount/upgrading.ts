import { type IncomingMessage, STATUS_CODES } from 'node:http';
import type { Duplex } from 'node:stream';
import { WebSocketServer } from 'ws';
import type { BareUpgrade, UpgradeHandler } from '../sim/index.ts';
import { byteSocket } from './byte-socket.ts';
import { peerOf } from './peer.ts';
import { messageSocket } from './web-socket.ts';

/** The handling of upgrade requests in a node:http server. */
interface Upgrading {
  onUpgrade(incoming: IncomingMessage, socket: Duplex, head: Buffer): void;
  /** Closes every upgraded connection. */
  close(): void;
}

/**
 * @param urlOf returns the complete URL of a request
 * @param serveAsUsual serves a request that the handler does not upgrade
 */
export function upgrading(
  handler: UpgradeHandler,
  urlOf: (incoming: IncomingMessage) => string,
  serveAsUsual: Upgrading['onUpgrade'],
): Upgrading {
  const server = new WebSocketServer({ noServer: true });
  const bare = new Set<Duplex>();
  const chosen = new WeakMap<IncomingMessage, string>();
  server.on('headers', (headers, incoming) => {
    const protocol = chosen.get(incoming);
    if (protocol) headers.push(`Sec-WebSocket-Protocol: ${protocol}`);
  });
  const answer = async (incoming: IncomingMessage, socket: Duplex, head: Buffer): Promise<void> => {
    const request = requestOf(incoming, urlOf);
    if (!request) return refuse(socket, new Response(null, { status: 400 }));
    const upgrade = await handler(request, peerOf(socket));
    if (!upgrade) return serveAsUsual(incoming, socket, head);
    if (upgrade instanceof Response) return refuse(socket, upgrade);
    if ('headers' in upgrade) {
      bare.add(socket);
      socket.on('close', () => bare.delete(socket));
      return switchTo(upgrade, socket, head);
    }
    chosen.set(incoming, upgrade.protocol);
    // `ws` rejects protocol names with a slash, which Kubernetes uses. The handler has already seen the offered
    // protocols.
    delete incoming.headers['sec-websocket-protocol'];
    server.handleUpgrade(incoming, socket, head, (webSocket) =>
      upgrade.serve(messageSocket(webSocket, socket, upgrade)),
    );
  };
  return {
    onUpgrade(incoming, socket, head) {
      // A disconnected client is not an error of the server.
      socket.on('error', () => {});
      void answer(incoming, socket, head);
    },
    close() {
      for (const client of server.clients) client.terminate();
      for (const socket of bare) socket.destroy();
    },
  };
}

function switchTo({ headers, serve }: BareUpgrade, socket: Duplex, head: Buffer): void {
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`);
  socket.write(`HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\n${lines.join('')}\r\n`);
  serve(byteSocket(socket, head));
}

/** @returns undefined if the method or the host is invalid in a Request */
function requestOf(
  incoming: IncomingMessage,
  urlOf: (incoming: IncomingMessage) => string,
): Request | undefined {
  const { method = 'GET', headers } = incoming;
  const pairs = Object.entries(headers).flatMap(([name, value]): [string, string][] =>
    value === undefined ? [] : [[name, String(value)]],
  );
  try {
    return new Request(urlOf(incoming), { method, headers: pairs });
  } catch {
    return undefined;
  }
}

async function refuse(socket: Duplex, response: Response): Promise<void> {
  const body = Buffer.from(await response.arrayBuffer());
  response.headers.set('Content-Length', String(body.length));
  response.headers.set('Connection', 'close');
  const head = [...response.headers].map(([name, value]) => `${name}: ${value}\r\n`).join('');
  socket.end(
    Buffer.concat([
      Buffer.from(`HTTP/1.1 ${response.status} ${STATUS_CODES[response.status]}\r\n${head}\r\n`),
      body,
    ]),
  );
}
