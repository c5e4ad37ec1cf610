import { isIP } from 'node:net';

/**
 * Returns a refusal of a request that a browser sends for a page of another site; undefined for any other request. A
 * browser can add a certificate to such a request, and a server without access control needs no credentials at all:
 *
 * - The host must be an address, `localhost`, or the server's own name. A site can redirect any other name to this
 *   machine (DNS rebinding).
 * - The page must come from this server, or from another server on this machine, such as `kubectl proxy`. Only browsers
 *   send an origin.
 *
 * Differs: upstream has no such check.
 *
 * @param own the host that the server listens at
 */
export function foreignRequest({ url, headers }: Request, own: string): Response | undefined {
  const { host, hostname } = new URL(url);
  if (!isAddress(hostname) && !isLocalName(hostname) && hostname !== own) {
    return refusal(`The host ${host} is not a name of this server. Use localhost or an IP address.`);
  }
  const origin = headers.get('origin');
  if (origin === null) return undefined;
  const page = URL.canParse(origin) ? new URL(origin) : undefined;
  if (page && (page.host === host || isLoopback(page.hostname))) return undefined;
  return refusal(`Pages of ${origin} may not use this server.`);
}

function refusal(why: string): Response {
  return new Response(`Forbidden: ${why}\n`, {
    status: 403,
    headers: { 'Content-Type': 'text/plain; charset=utf-8' },
  });
}

const isAddress = (hostname: string): boolean => isIP(hostname.replace(/^\[|\]$/g, '')) !== 0;

const isLocalName = (hostname: string): boolean =>
  hostname === 'localhost' || hostname.endsWith('.localhost');

const isLoopback = (hostname: string): boolean =>
  isLocalName(hostname) || hostname === '[::1]' || (isIP(hostname) === 4 && hostname.startsWith('127.'));
