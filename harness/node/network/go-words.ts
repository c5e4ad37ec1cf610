import { type IP, parseIP } from '../../api/ip-prefix.ts';
import type { NetworkErrno } from './stack/packet-trace.ts';

/** Go's text for each errno. */
export const said: Readonly<Record<NetworkErrno, string>> = {
  ECONNREFUSED: 'connection refused',
  EHOSTUNREACH: 'no route to host',
  ENETUNREACH: 'network is unreachable',
  EPERM: 'operation not permitted',
};

/** Parses the address of a host; undefined for a name other than `localhost`. */
export function addressOf(host: string): IP | undefined {
  try {
    return parseIP(host === 'localhost' ? '127.0.0.1' : host);
  } catch {
    return undefined;
  }
}

/**
 * Joins a host and a port: `10.244.1.2:80`, `[2001:db8::1]:80`.
 *
 * Upstream: JoinHostPort in Go's standard library, net/ipsock.go
 */
export function hostPort(host: string, port: number): string {
  return host.includes(':') ? `[${host}]:${port}` : `${host}:${port}`;
}
