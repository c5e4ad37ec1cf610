import type { MessageSocket, Upgrade } from '../../sim/index.ts';
import { textRefusal, webSocketProtocols } from './spdy-handshake.ts';

/**
 * Upgrades a watch to a WebSocket. Each event is one message, a line of JSON.
 *
 * Upstream: kubernetes/apiserver@v0.36.3 pkg/endpoints/handlers/watch.go WatchServer.HandleWS;
 * golang/net@v0.49.0 websocket/server.go checkOrigin, websocket/hybi.go AcceptHandshake
 *
 * Differs: events are not sent in protobuf.
 *
 * @param watch serves the request as an ordinary watch
 */
export async function upgradeWatch(
  request: Request,
  watch: (request: Request) => Promise<Response>,
): Promise<Upgrade | Response> {
  const left = new AbortController();
  const response = await watch(new Request(request, { signal: left.signal }));
  const { body } = response;
  if (!response.ok || !body) return response;
  const protocols = webSocketProtocols(request.headers);
  const code = !request.headers.has('origin') ? 403 : protocols.length > 1 ? 400 : undefined;
  if (code !== undefined) {
    left.abort();
    return new Response(null, { status: code });
  }
  if (response.headers.get('content-type') !== 'application/json') {
    left.abort();
    return textRefusal(406, 'only JSON is sent over a WebSocket');
  }
  const serve = (socket: MessageSocket): void => {
    void untilClosed(socket).then(() => left.abort());
    void sendLines(body, socket);
  };
  return { protocol: protocols[0] ?? '', sendsText: true, serve };
}

/** Ignores the messages of the client. */
async function untilClosed({ messages }: MessageSocket): Promise<void> {
  for await (const _ of messages);
}

async function sendLines(body: ReadableStream<Uint8Array>, socket: MessageSocket): Promise<void> {
  const encoder = new TextEncoder();
  const decoder = new TextDecoder();
  let rest = '';
  for await (const bytes of body) {
    const lines = (rest + decoder.decode(bytes, { stream: true })).split('\n');
    rest = lines.pop() ?? '';
    for (const line of lines) if (line !== '') await socket.send(encoder.encode(`${line}\n`));
  }
  socket.close();
}
