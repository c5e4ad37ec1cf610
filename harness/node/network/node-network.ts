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

/** gRPC tries to connect again after this, and each time a bit later. Upstream: grpc/grpc-go@v1.72.2 backoff/backoff.go DefaultConfig */
const GRPC_BACKOFF = { firstMs: 1_000, factor: 1.6 };

/** How a process reaches addresses, in its own time. The way there takes no time. */
export function nodeNetwork({ network, clock, loopback }: NodeNetworkOptions): NodeNetwork {
  /** Finds the program that listens. If the address does not exist, the search fails after a while. */
  const dial = async ({ host, port, timeoutMs }: SocketAddress): Promise<Listener> => {
    const to = `dial tcp ${hostPort(host, port)}`;
    const found = isLoopback(host) ? { namespace: loopback(), port } : network.find(host, port);
    const listener = found?.namespace.listenerOn(found.port);
    if (listener) return listener;
    if (found) throw new NetworkError('ECONNREFUSED', `${to}: connect: connection refused`);
    await clock.sleep(Math.min(timeoutMs, UNREACHABLE_AFTER_MS));
    throw timeoutMs < UNREACHABLE_AFTER_MS
      ? new NetworkError('ETIMEDOUT', `${to}: i/o timeout`)
      : new NetworkError('EHOSTUNREACH', `${to}: connect: no route to host`);
  };

  const request = async (asked: HttpRequest): Promise<HttpAnswer> => {
    const late = 'Client.Timeout exceeded while awaiting headers';
    const listener = await dial(asked).catch((error: NetworkError) => {
      throw error.code === 'ETIMEDOUT' ? new NetworkError('ETIMEDOUT', `${error.message} (${late})`) : error;
    });
    const wait = { clock, timeoutMs: asked.timeoutMs, late: `context deadline exceeded (${late})` };
    return exchange(listener, wait, (server) => answerOf(server, asked));
  };

  const healthCheck: NodeNetwork['healthCheck'] = async ({ service, ...address }) => {
    const endMs = clock.now() + address.timeoutMs;
    for (let pauseMs = GRPC_BACKOFF.firstMs; ; pauseMs *= GRPC_BACKOFF.factor) {
      const timeoutMs = endMs - clock.now();
      try {
        const listener = await dial({ ...address, timeoutMs });
        const wait = { clock, timeoutMs, late: 'context deadline exceeded' };
        return await exchange(listener, wait, (server) => healthOf(server, service));
      } catch (error) {
        if (!(error instanceof NetworkError) || !NO_CONNECTION.has(error.code)) throw error;
        await clock.sleep(Math.min(pauseMs, endMs - clock.now()));
        if (clock.now() >= endMs) throw error;
      }
    }
  };

  return { request, connect: async (address) => void (await dial(address)), healthCheck };
}

const NO_CONNECTION: ReadonlySet<NetworkError['code']> = new Set(['ECONNREFUSED', 'EHOSTUNREACH']);

function isLoopback(host: string): boolean {
  return host === 'localhost' || host === '::1' || host.startsWith('127.');
}

/** Keeps a connection open until the first of: an answer, the timeout, the end of the server. */
function exchange<T>(
  listener: Listener,
  { clock, timeoutMs, late }: { readonly clock: Clock; readonly timeoutMs: number; readonly late: string },
  use: (server: Server) => Promise<T>,
): Promise<T> {
  return new Promise((resolve, reject) => {
    const finish = (settle: () => void): void => {
      if (!listener.connections.delete(breakOff)) return;
      cancel();
      settle();
    };
    const breakOff = (): void => finish(() => reject(new NetworkError('ECONNRESET', 'EOF')));
    listener.connections.add(breakOff);
    const cancel = clock.after(timeoutMs, () => finish(() => reject(new NetworkError('ETIMEDOUT', late))));
    use(listener.server).then(
      (answer) => finish(() => resolve(answer)),
      (error) => (error instanceof NetworkError ? finish(() => reject(error)) : breakOff()),
    );
  });
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

/** Upstream: golang/go@go1.26 src/net/ipsock.go JoinHostPort */
function hostPort(host: string, port: number): string {
  return host.includes(':') ? `[${host}]:${port}` : `${host}:${port}`;
}
