import { type HttpAnswer, NetworkError, type NodeNetwork } from '../../contracts/node/index.ts';
import type { Clock } from '../../sim/index.ts';
import type { ByteStream } from '../byte-stream.ts';
import { NotHttp, type ReadRequest } from '../http/read-request.ts';
import { serveHttp } from '../http/serve-http.ts';
import { nodeNetwork } from '../network/node-network.ts';
import type { NetworkNamespace } from '../network/stack/namespace.ts';

/** The sandbox that a connection goes to. */
interface ForwardPortOptions {
  readonly podSandboxId: string;
  /** The path of its network namespace; `host` for the machine's own. */
  readonly netns: string;
  readonly namespace: NetworkNamespace;
  readonly clock: Clock;
}

/**
 * How long a program may take to answer, in ms. Upstream: containerd/containerd@v2.3.3 internal/cri/config/config.go
 * StreamIdleTimeout
 */
const ANSWER_MS_MAX = 4 * 60 * 60 * 1_000;

/** How long opening a connection may take, in ms: longer than a kernel retries. */
const CONNECT_MS_MAX = 10 * 60 * 1_000;

/**
 * Carries a connection to a port of a sandbox, as if it came from inside the sandbox.
 *
 * Upstream: containerd/containerd@v2.3.3 internal/cri/server/sandbox_portforward_linux.go portForward
 *
 * Differs: the simulated network carries whole HTTP requests, not bytes. So the function reads requests from the
 * connection, and sends them one by one; it rejects other protocols.
 *
 * @throws Error with the reason of the failure
 */
export async function forwardPort(
  { podSandboxId, netns, namespace, clock }: ForwardPortOptions,
  port: number,
  connection: ByteStream,
): Promise<void> {
  const network = nodeNetwork({ clock, namespace: () => namespace });
  const host = await reachable(network, port);
  if (typeof host === 'object') {
    const why = `failed to connect to localhost:${port} inside namespace "${podSandboxId}"`;
    throw new Error(
      `failed to execute portforward in network namespace "${netns}": ${why}, IPv4: ${host.v4} IPv6 ${host.v6} `,
    );
  }
  try {
    await serveHttp(connection, (request) => ask(network, host, port, request));
  } catch (error) {
    if (!(error instanceof NotHttp)) throw error;
    throw new Error(
      `failed to execute portforward for "${podSandboxId}" port ${port}: only HTTP/1.1 is carried to the pods of this cluster`,
    );
  }
}

/** The errors of both addresses of `localhost`. */
interface ConnectErrors {
  readonly v4: string;
  readonly v6: string;
}

/** Returns the address of `localhost` that accepts connections, or the errors. */
async function reachable(network: NodeNetwork, port: number): Promise<string | ConnectErrors> {
  const connect = async (host: string, dial: string): Promise<string | undefined> => {
    try {
      await network.connect({ host, port, timeoutMs: CONNECT_MS_MAX });
      return undefined;
    } catch (error) {
      return (error as NetworkError).message.replace('dial tcp ', `dial ${dial} `);
    }
  };
  const v4 = await connect('127.0.0.1', 'tcp4');
  if (v4 === undefined) return '127.0.0.1';
  const v6 = await connect('::1', 'tcp6');
  return v6 === undefined ? '::1' : { v4, v6 };
}

/**
 * @returns undefined when the program closes the connection or exits
 * @throws NotHttp when the program does not speak HTTP
 */
async function ask(
  network: NodeNetwork,
  host: string,
  port: number,
  { method, path, headers, body }: ReadRequest,
): Promise<HttpAnswer | undefined> {
  try {
    const request = { scheme: 'http', method, path, headers, body } as const;
    return await network.request({ ...request, host, port, timeoutMs: ANSWER_MS_MAX });
  } catch (error) {
    if (!(error instanceof NetworkError)) throw error;
    if (error.code === 'EPROTO') throw new NotHttp();
    return undefined;
  }
}
