import { errors } from '../../api/status.ts';

/**
 * The protocols that a client offers to speak over a WebSocket, best first.
 *
 * @param since the first kubectl that offers a WebSocket
 * @throws StatusError BadRequest when it asks for SPDY, and no WebSocket
 */
export function offeredProtocols(headers: Headers, since: string): readonly string[] {
  if (/spdy/i.test(headers.get('upgrade') ?? '')) {
    throw errors.badRequest(`SPDY is not served here, WebSockets are: use ${since}`);
  }
  return (headers.get('sec-websocket-protocol') ?? '').split(',').map((each) => each.trim());
}
