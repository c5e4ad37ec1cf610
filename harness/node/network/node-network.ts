import {
  type HttpAnswer,
  type HttpRequest,
  NetworkError,
  type NodeNetwork,
  type SocketAddress,
} from '../../contracts/node/index.ts';
import type { Clock } from '../../sim/index.ts';
import type { HealthStatus, Server } from '../programs/program.ts';
import type { ClusterNetwork } from './cluster-network.ts';
import type { Listener, NetworkNamespace } from './namespace.ts';

/**
 * How long a kernel asks for the machine that has an address before it says that there is none: three times a second.
 *
 * Upstream: torvalds/linux@v6.12 net/ipv4/arp.c arp_tbl (mcast_probes, retrans_time)
 */
const UNREACHABLE_AFTER_MS = 3_000;

/** Who reaches out, and from where. */
export interface NodeNetworkOptions {
  readonly network: ClusterNetwork;
  readonly clock: Clock;
  /** The namespace that it is in: `127.0.0.1` leads there. */
  readonly loopback: () => NetworkNamespace;
}

/** How a process reaches addresses, in its own time. The way there takes no time. */
export function nodeNetwork({ network, clock, loopback }: NodeNetworkOptions): NodeNetwork {
  const find = (host: string, port: number): ReturnType<ClusterNetwork['find']> =>
    isLoopback(host) ? { namespace: loopback(), port } : network.find(host, port);
  const open = <T>(address: SocketAddress, late: Late, use: (server: Server) => T | Promise<T>): Promise<T> =>
    new Promise((resolve, reject) => {
      const { host, port, timeoutMs } = address;
      const to = `dial tcp ${hostPort(host, port)}`;
      const found = find(host, port);
      if (!found) {
        const [afterMs, error] =
          timeoutMs < UNREACHABLE_AFTER_MS
            ? [timeoutMs, new NetworkError('ETIMEDOUT', `${to}: i/o timeout${late.whileDialling}`)]
            : [UNREACHABLE_AFTER_MS, new NetworkError('EHOSTUNREACH', `${to}: connect: no route to host`)];
        clock.after(afterMs, () => reject(error));
        return;
      }
      const listener = found.namespace.listenerOn(found.port);
      if (!listener) {
        reject(new NetworkError('ECONNREFUSED', `${to}: connect: connection refused`));
        return;
      }
      hold(listener, { clock, timeoutMs, late: late.whileWaiting, reject }, (done) => {
        const answered = (async () => use(listener.server))();
        answered.then(
          (answer) => done(() => resolve(answer)),
          (error) => done(() => reject(error instanceof NetworkError ? error : brokenOff())),
        );
      });
    });

  return {
    request: (request) =>
      open(
        request,
        {
          whileDialling: ' (Client.Timeout exceeded while awaiting headers)',
          whileWaiting: 'context deadline exceeded (Client.Timeout exceeded while awaiting headers)',
        },
        (server) => answerOf(server, request),
      ),
    connect: (address) => open(address, { whileDialling: '', whileWaiting: '' }, () => undefined),
    healthCheck: ({ service, ...address }) =>
      open(address, { whileDialling: '', whileWaiting: 'context deadline exceeded' }, (server) =>
        healthOf(server, service),
      ),
  };
}

function isLoopback(host: string): boolean {
  return host === 'localhost' || host === '::1' || host.startsWith('127.');
}

/** What is said when it takes too long: before there is a connection, and while an answer is waited for. */
interface Late {
  readonly whileDialling: string;
  readonly whileWaiting: string;
}

/** Keeps a connection open until the first of: an answer, the timeout, the end of the server. */
function hold(
  listener: Listener,
  wait: { clock: Clock; timeoutMs: number; late: string; reject: (error: NetworkError) => void },
  begin: (done: (settle: () => void) => void) => void,
): void {
  const finish = (settle: () => void): void => {
    if (!listener.connections.delete(breakOff)) return;
    cancel();
    settle();
  };
  const breakOff = (): void => finish(() => wait.reject(brokenOff()));
  listener.connections.add(breakOff);
  const cancel = wait.clock.after(wait.timeoutMs, () =>
    finish(() => wait.reject(new NetworkError('ETIMEDOUT', wait.late))),
  );
  begin(finish);
}

async function answerOf(server: Server, request: HttpRequest): Promise<HttpAnswer> {
  const { scheme, method, path, headers } = request;
  if (!server.http) throw new NetworkError('EPROTO', 'malformed HTTP response');
  if (scheme === 'https' && !server.tls) {
    throw new NetworkError('EPROTO', 'http: server gave HTTP response to HTTPS client');
  }
  if (scheme === 'http' && server.tls) {
    return { status: 400, headers: {}, body: 'Client sent an HTTP request to an HTTPS server.\n' };
  }
  return server.http({ method, path, headers });
}

async function healthOf(server: Server, service: string): Promise<HealthStatus> {
  if (!server.health) {
    throw new NetworkError('UNIMPLEMENTED', 'unknown service grpc.health.v1.Health');
  }
  return server.health(service);
}

/** The kernel of a machine ends the connections of a process that has ended. */
function brokenOff(): NetworkError {
  return new NetworkError('ECONNRESET', 'EOF');
}

/** Upstream: golang/go@go1.26 src/net/ipsock.go JoinHostPort */
function hostPort(host: string, port: number): string {
  return host.includes(':') ? `[${host}]:${port}` : `${host}:${port}`;
}
