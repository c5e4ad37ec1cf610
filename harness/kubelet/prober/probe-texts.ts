import { formatDuration } from '../../api/duration.ts';
import type { HttpRequest, NetworkError } from '../../contracts/node/host.ts';

/**
 * Returns the output of a gRPC probe for a failed call.
 *
 * Upstream: kubernetes/kubernetes@v1.36.3 pkg/probe/grpc/grpc.go grpcProber.Probe
 */
export function sayHealthError(
  { code, message }: NetworkError,
  { host, port, timeoutMs }: { readonly host: string; readonly port: number; readonly timeoutMs: number },
): string {
  const within = `within ${formatDuration(timeoutMs)}`;
  switch (code) {
    case 'UNIMPLEMENTED':
      return `error: this server does not implement the grpc health protocol (grpc.health.v1.Health): ${message}`;
    case 'ETIMEDOUT':
      return `timeout: health rpc did not complete ${within}`;
    case 'ECONNREFUSED':
    case 'EHOSTUNREACH':
      return `timeout: failed to connect service "${inURL(host)}:${port}" ${within}: context deadline exceeded`;
    default:
      return `error: health rpc probe failed: ${message}`;
  }
}

/** Formats the URL of a request: `http://10.244.1.2:8080/healthz`. */
export function urlOf({ scheme, host, port, path }: HttpRequest): string {
  return `${scheme}://${inURL(host)}:${port}${path}`;
}

/** Formats a host; an IPv6 address needs brackets. */
function inURL(host: string): string {
  return host.includes(':') ? `[${host}]` : host;
}
