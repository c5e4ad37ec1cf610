/** The token follows, in base64url. */
export const BEARER_PROTOCOL = 'base64url.bearer.authorization.k8s.io.';

/** The token in the protocols that a request offers. */
interface Bearer {
  /** As in the header `Authorization`. Absent without a token. */
  readonly authorization?: string;
  /** Whether a token is there that cannot be read. */
  readonly isMalformed: boolean;
}

/**
 * Returns the token that a page sends among the protocols of its WebSocket, because browsers let it set no header.
 *
 * Upstream: kubernetes/apiserver@v0.36.3 pkg/authentication/request/websocket/protocol.go ProtocolAuthenticator
 *
 * Differs: with a header `Authorization`, only the header counts.
 */
export function bearerOf(headers: Headers): Bearer {
  if (!asksForWebSocket(headers)) return NONE;
  const offered = (headers.get('sec-websocket-protocol') ?? '').split(',').map((each) => each.trim());
  const [encoded, ...more] = offered
    .filter((each) => each.startsWith(BEARER_PROTOCOL))
    .map((each) => each.slice(BEARER_PROTOCOL.length));
  if (encoded === undefined) return NONE;
  const token = more.length === 0 && /^[\w-]*$/.test(encoded) ? decoded(encoded) : undefined;
  // The server answers with one of the other protocols, so there must be one.
  const isMalformed = token === undefined || (token !== '' && offered.length === 1);
  return token && !isMalformed ? { authorization: `Bearer ${token}`, isMalformed } : { isMalformed };
}

const NONE: Bearer = { isMalformed: false };

/** Returns the text of base64url without padding; undefined if it is not the text of anything. */
function decoded(encoded: string): string | undefined {
  const bytes = Buffer.from(encoded, 'base64url');
  const text = bytes.toString('utf8');
  const isText = Buffer.from(text).equals(bytes) && encoded.length % 4 !== 1;
  return isText ? text : undefined;
}

/** Reports whether a client requests a WebSocket. */
export function asksForWebSocket(headers: Headers): boolean {
  return headers.get('upgrade')?.toLowerCase() === 'websocket';
}
