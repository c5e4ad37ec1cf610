import type { BareUpgrade } from '../../sim/index.ts';
import { BEARER_PROTOCOL } from './bearer-protocol.ts';

const SPDY = 'SPDY/3.1';

/**
 * The header that offers protocols in a request, and names the chosen one in the answer.
 *
 * Upstream: kubernetes/streaming@v0.36.3 pkg/httpstream/httpstream.go HeaderProtocolVersion
 */
const PROTOCOLS = 'X-Stream-Protocol-Version';

/** Reports whether a client requests SPDY without a WebSocket, as kubectl did before 1.30. */
export function asksForSpdy(headers: Headers): boolean {
  return (headers.get('upgrade') ?? '').toLowerCase().includes(SPDY.toLowerCase());
}

/** Returns the protocols that the client offers over SPDY. */
export function spdyProtocols(headers: Headers): readonly string[] {
  return listed(headers.get(PROTOCOLS));
}

/** Returns the protocols that the client offers over a WebSocket. A token among them is none. */
export function webSocketProtocols(headers: Headers): readonly string[] {
  return listed(headers.get('sec-websocket-protocol')).filter((each) => !each.startsWith(BEARER_PROTOCOL));
}

/** Returns the headers of the answer to an SPDY client. */
export function spdyHeaders(protocol: string): BareUpgrade['headers'] {
  return { Upgrade: SPDY, [PROTOCOLS]: protocol };
}

/**
 * Returns an error response if the client does not offer the supported protocol; otherwise undefined.
 *
 * Upstream: kubernetes/streaming@v0.36.3 pkg/httpstream/httpstream.go Handshake
 */
export function protocolRefusal(offered: readonly string[], supported: string): Response | undefined {
  if (offered.includes(supported)) return undefined;
  const why = `client supports [${offered.join(' ')}], server accepts [${supported}]`;
  return textRefusal(403, `unable to upgrade: unable to negotiate protocol: ${why}`);
}

/** Creates an error response with plain text instead of a Status, as kubelets and their tunnels do. */
export function textRefusal(status: number, text: string): Response {
  return new Response(`${text}\n`, { status, headers: { 'Content-Type': 'text/plain; charset=utf-8' } });
}

function listed(header: string | null): readonly string[] {
  return (header ?? '')
    .split(',')
    .map((each) => each.trim())
    .filter(Boolean);
}
