import { type IP, parseIP } from '../../api/ip-prefix.ts';
import type { NetworkErrno } from './stack/journey.ts';

/** Go's words for an errno. */
export const said: Readonly<Record<NetworkErrno, string>> = {
  ECONNREFUSED: 'connection refused',
  EHOSTUNREACH: 'no route to host',
  ENETUNREACH: 'network is unreachable',
  EPERM: 'operation not permitted',
};

/** The address that a host is written as; undefined for a name that is not `localhost`. */
export function addressOf(host: string): IP | undefined {
  try {
    return parseIP(host === 'localhost' ? '127.0.0.1' : host);
  } catch {
    return undefined;
  }
}

/**
 * `10.244.1.2:80`, `[2001:db8::1]:80`.
 *
 * Upstream: JoinHostPort in Go's standard library, net/ipsock.go
 */
export function hostPort(host: string, port: number): string {
  return host.includes(':') ? `[${host}]:${port}` : `${host}:${port}`;
}
