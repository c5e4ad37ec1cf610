import type { BareUpgrade } from '../../sim/index.ts';

const SPDY = 'SPDY/3.1';

/** The header in which protocols are offered, and one is chosen. Upstream: kubernetes/streaming@v0.36.3 pkg/httpstream/httpstream.go HeaderProtocolVersion */
const PROTOCOLS = 'X-Stream-Protocol-Version';

/** Whether a client wants to speak SPDY without a WebSocket around it, as kubectl did before 1.30. */
export function asksForSpdy(headers: Headers): boolean {
  return (headers.get('upgrade') ?? '').toLowerCase().includes(SPDY.toLowerCase());
}

/** The protocols that it offers to speak over SPDY. */
export function spdyProtocols(headers: Headers): readonly string[] {
  return listed(headers.get(PROTOCOLS));
}

/** The protocols that a client offers to speak over a WebSocket. */
export function webSocketProtocols(headers: Headers): readonly string[] {
  return listed(headers.get('sec-websocket-protocol'));
}

/** The headers of the answer to a client that asks for SPDY. */
export function spdyHeaders(protocol: string): BareUpgrade['headers'] {
  return { Upgrade: SPDY, [PROTOCOLS]: protocol };
}

/**
 * Why none of the protocols that are offered is spoken; undefined if one is.
 *
 * Upstream: kubernetes/streaming@v0.36.3 pkg/httpstream/httpstream.go Handshake
 */
export function protocolRefusal(offered: readonly string[], supported: string): Response | undefined {
  if (offered.includes(supported)) return undefined;
  const why = `client supports [${offered.join(' ')}], server accepts [${supported}]`;
  return textRefusal(403, `unable to upgrade: unable to negotiate protocol: ${why}`);
}

/** A refusal that is a text, and no Status of the API: so do kubelets refuse, and tunnels to them. */
export function textRefusal(status: number, text: string): Response {
  return new Response(`${text}\n`, { status, headers: { 'Content-Type': 'text/plain; charset=utf-8' } });
}

function listed(header: string | null): readonly string[] {
  return (header ?? '')
    .split(',')
    .map((each) => each.trim())
    .filter(Boolean);
}
