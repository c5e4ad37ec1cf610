import {
  type HttpAnswer,
  type HttpRequest,
  NetworkError,
  type NodeNetwork,
  type SocketAddress,
} from '../../contracts/node/index.ts';
import type { Clock } from '../../sim/index.ts';
import type { HealthStatus, Server } from '../programs/program.ts';
import { addressOf, hostPort, said } from './go-words.ts';
import { UNREACHABLE_AFTER_MS } from './stack/arp.ts';
import { type OpenConnection, openConnection } from './stack/connection.ts';
import type { NetworkNamespace } from './stack/namespace.ts';
import type { NetworkErrno, PacketTrace } from './stack/packet-trace.ts';

/** Options of {@link nodeNetwork}. */
interface NodeNetworkOptions {
  readonly clock: Clock;
  /** The namespace of the process; `127.0.0.1` is an address of this namespace. */
  readonly namespace: () => NetworkNamespace;
}

/**
 * How long a kernel waits for an answer to the first packet of a connection before it sends the packet again. It does
 * so six times.
 *
 * Upstream: torvalds/linux@v6.12 net/ipv4/tcp_timer.c, include/net/tcp.h TCP_TIMEOUT_INIT, TCP_SYN_RETRIES
 */
const SYN_WAITS_MS = [1_000, 2_000, 4_000, 8_000, 16_000, 32_000, 64_000];

/**
 * How long a kernel first waits for the answer to any other packet. Upstream: torvalds/linux@v6.12 include/net/tcp.h
 * TCP_RTO_MIN
 */
const RESEND_AFTER_MS = 200;

/**
 * gRPC reconnects after this time, and waits a bit longer each time. Upstream: grpc/grpc-go@v1.72.2 backoff/backoff.go
 * DefaultConfig
 */
const GRPC_BACKOFF = { firstMs: 1_000, factor: 1.6 };

/** Creates the network access of a process. Packets arrive without delay; waiting for an answer takes virtual time. */
export function nodeNetwork({ clock, namespace }: NodeNetworkOptions): NodeNetwork {
  /** Opens a connection, and retries until the timeout. */
  const dial = async ({ host, port, timeoutMs }: SocketAddress): Promise<OpenConnection> => {
    const to = `dial tcp ${hostPort(host, port)}`;
    const late = new NetworkError('ETIMEDOUT', `${to}: i/o timeout`);
    const fail = async (errno: NetworkErrno, afterMs: number, leftMs: number): Promise<never> => {
      if (afterMs > 0) await clock.sleep(Math.min(leftMs, afterMs));
      throw leftMs < afterMs ? late : new NetworkError(errno, `${to}: connect: ${said[errno]}`);
    };
    const ip = addressOf(host);
    if (!ip) return fail('EHOSTUNREACH', UNREACHABLE_AFTER_MS, timeoutMs);
    const from = namespace();
    const sport = from.sockets.ephemeral('tcp', ip, port);
    let leftMs = timeoutMs;
    for (const waitMs of SYN_WAITS_MS) {
      const { connection, fate } = openConnection(from, { ip, port }, { sport });
      if (connection) return connection;
      if (fate.kind === 'rejected') return fail(fate.error, fate.afterMs, leftMs);
      await clock.sleep(Math.min(leftMs, waitMs));
      leftMs -= waitMs;
      if (leftMs <= 0) throw late;
    }
    throw new NetworkError('ETIMEDOUT', `${to}: connect: connection timed out`);
  };

  const request = async (asked: HttpRequest): Promise<HttpAnswer> => {
    const late = 'Client.Timeout exceeded while awaiting headers';
    const { timeoutMs, connectTimeoutMs = timeoutMs } = asked;
    const patience = { ...asked, timeoutMs: Math.min(timeoutMs, connectTimeoutMs) };
    const connection = await dial(patience).catch((error: NetworkError) => {
      throw error.code === 'ETIMEDOUT' ? new NetworkError('ETIMEDOUT', `${error.message} (${late})`) : error;
    });
    const wait = { clock, timeoutMs: asked.timeoutMs, late: `context deadline exceeded (${late})` };
    const from = connection.seenFrom.ip.text;
    return exchange(connection, wait, (server) => answerOf(server, asked, from));
  };

  const healthCheck: NodeNetwork['healthCheck'] = async ({ service, ...address }) => {
    const endMs = clock.now() + address.timeoutMs;
    for (let pauseMs = GRPC_BACKOFF.firstMs; ; pauseMs *= GRPC_BACKOFF.factor) {
      const timeoutMs = endMs - clock.now();
      try {
        const connection = await dial({ ...address, timeoutMs });
        const wait = { clock, timeoutMs, late: 'context deadline exceeded' };
        return await exchange(connection, wait, (server) => healthOf(server, service));
      } catch (error) {
        if (!(error instanceof NetworkError) || !NO_CONNECTION.has(error.code)) throw error;
        await clock.sleep(Math.min(pauseMs, endMs - clock.now()));
        if (clock.now() >= endMs) throw error;
      }
    }
  };

  return { request, connect: async (address) => (await dial(address)).close(), healthCheck };
}

const NO_CONNECTION: ReadonlySet<NetworkError['code']> = new Set([
  'ECONNREFUSED',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'EPERM',
]);

/**
 * Keeps a connection open until the answer arrives, the timeout expires, or the client learns that the server has died.
 */
function exchange<T>(
  connection: OpenConnection,
  { clock, timeoutMs, late }: { readonly clock: Clock; readonly timeoutMs: number; readonly late: string },
  use: (server: Server) => Promise<T>,
): Promise<T> {
  const { connections, server } = connection.socket;
  return new Promise((resolve, reject) => {
    const finish = (settle: () => void): void => {
      if (!connections.delete(breakOff)) return;
      cancel();
      connection.close();
      settle();
    };
    /** Sends until a packet arrives. */
    const deliver = (send: () => PacketTrace, then: () => void, afterMs = RESEND_AFTER_MS): void => {
      if (!connections.has(breakOff)) return;
      const { fate } = send();
      const isReset = send === connection.ask && fate.kind === 'rejected' && fate.error === 'ECONNREFUSED';
      if (fate.kind === 'delivered') then();
      else if (isReset)
        finish(() => reject(new NetworkError('ECONNRESET', 'read: connection reset by peer')));
      else clock.after(afterMs, () => deliver(send, then, 2 * afterMs));
    };
    const answer = (settle: () => void): void => deliver(connection.answer, () => finish(settle));
    const breakOff = (): void => answer(() => reject(new NetworkError('ECONNRESET', 'EOF')));
    connections.add(breakOff);
    const cancel = clock.after(timeoutMs, () => finish(() => reject(new NetworkError('ETIMEDOUT', late))));
    deliver(connection.ask, () =>
      use(server).then(
        (result) => answer(() => resolve(result)),
        (error) => (error instanceof NetworkError ? answer(() => reject(error)) : breakOff()),
      ),
    );
  });
}

async function answerOf(server: Server, request: HttpRequest, from: string): Promise<HttpAnswer> {
  const { scheme, method, path, headers, body = '' } = request;
  if (!server.http) throw new NetworkError('EPROTO', 'malformed HTTP response');
  if (scheme === 'https' && !server.tls) {
    throw new NetworkError('EPROTO', 'http: server gave HTTP response to HTTPS client');
  }
  if (scheme === 'http' && server.tls) {
    return { status: 400, headers: {}, body: 'Client sent an HTTP request to an HTTPS server.\n' };
  }
  return server.http({ method, path, headers, body, from });
}

async function healthOf(server: Server, service: string): Promise<HealthStatus> {
  if (!server.health) {
    throw new NetworkError('UNIMPLEMENTED', 'unknown service grpc.health.v1.Health');
  }
  return server.health(service);
}
