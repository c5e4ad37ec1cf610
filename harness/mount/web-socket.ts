import type { IncomingMessage } from 'node:http';
import type { Duplex } from 'node:stream';
import { type WebSocket, WebSocketServer } from 'ws';
import type { MessageSocket, UpgradeHandler } from '../sim/index.ts';

/** What a server of node:http does with requests for an upgrade. */
interface Upgrading {
  onUpgrade(incoming: IncomingMessage, socket: Duplex, head: Buffer): void;
  /** Drops every connection that was upgraded. */
  close(): void;
}

/** @param urlOf the whole URL of a request */
export function upgrading(handler: UpgradeHandler, urlOf: (incoming: IncomingMessage) => string): Upgrading {
  const server = new WebSocketServer({ noServer: true });
  const chosen = new WeakMap<IncomingMessage, string>();
  server.on('headers', (headers, incoming) => {
    const protocol = chosen.get(incoming);
    if (protocol) headers.push(`Sec-WebSocket-Protocol: ${protocol}`);
  });
  const answer = async (incoming: IncomingMessage, socket: Duplex, head: Buffer): Promise<void> => {
    const upgrade = await handler(new Request(urlOf(incoming), requestOf(incoming)));
    if (upgrade instanceof Response) return refuse(socket, upgrade);
    chosen.set(incoming, upgrade.protocol);
    // `ws` takes no names with a slash, as Kubernetes has them. The handler has seen what is offered.
    delete incoming.headers['sec-websocket-protocol'];
    server.handleUpgrade(incoming, socket, head, (webSocket) => upgrade.serve(messageSocket(webSocket)));
  };
  return {
    onUpgrade(incoming, socket, head) {
      // A client that goes away is no failure of ours.
      socket.on('error', () => {});
      void answer(incoming, socket, head);
    },
    close() {
      for (const client of server.clients) client.terminate();
    },
  };
}

function requestOf({ method = 'GET', headers }: IncomingMessage): RequestInit {
  const pairs = Object.entries(headers).flatMap(([name, value]): [string, string][] =>
    value === undefined ? [] : [[name, String(value)]],
  );
  return { method, headers: pairs };
}

async function refuse(socket: Duplex, response: Response): Promise<void> {
  const body = Buffer.from(await response.arrayBuffer());
  response.headers.set('Content-Length', String(body.length));
  response.headers.set('Connection', 'close');
  const head = [...response.headers].map(([name, value]) => `${name}: ${value}\r\n`).join('');
  socket.end(Buffer.concat([Buffer.from(`HTTP/1.1 ${response.status} \r\n${head}\r\n`), body]));
}

/** How many messages may wait to be read before no more are taken from the network. */
const UNREAD_MAX = 64;

function messageSocket(socket: WebSocket): MessageSocket {
  const received: Uint8Array[] = [];
  let closed = false;
  let wake = (): void => {};
  socket.on('message', (data: Buffer) => {
    received.push(data);
    if (received.length > UNREAD_MAX) socket.pause();
    wake();
  });
  socket.on('close', () => {
    closed = true;
    wake();
  });
  socket.on('error', () => {});
  return {
    messages: {
      async *[Symbol.asyncIterator]() {
        for (;;) {
          const message = received.shift();
          if (received.length === 0) socket.resume();
          if (message) yield message;
          else if (closed) return;
          else
            await new Promise<void>((resolve) => {
              wake = resolve;
            });
        }
      },
    },
    send: (message) =>
      new Promise((resolve) => {
        // What cannot be sent is as good as sent: the end of the messages tells.
        if (socket.readyState === socket.OPEN) socket.send(message, () => resolve());
        else resolve();
      }),
    close: () => socket.close(1000),
  };
}
