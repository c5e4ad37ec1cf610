import { request as requestHttp } from 'node:http';
import { Agent, type RequestOptions, request as requestHttps } from 'node:https';
import { Readable, Writable } from 'node:stream';
import { Exec, KubeConfig, type V1Status } from '@kubernetes/client-node';
import { realClock } from '../mount/real-clock.ts';
import type { Clock } from '../sim/index.ts';
import type { ContainerName, Executed, Target } from './target.ts';

interface KubeconfigTargetOptions {
  /** @defaultValue the current context */
  readonly context?: string | undefined;
  /** @defaultValue real time */
  readonly clock?: Clock;
}

/**
 * Returns the cluster of a kubeconfig, with the credentials of its user.
 *
 * @param kubeconfig the content of the file
 * @throws Error if the context does not exist, or its user has no valid credentials
 */
export async function kubeconfigTarget(
  kubeconfig: string,
  { context, clock = realClock }: KubeconfigTargetOptions = {},
): Promise<Target> {
  const config = new KubeConfig();
  config.loadFromString(kubeconfig);
  if (context !== undefined) config.setCurrentContext(context);
  const cluster = config.getCurrentCluster();
  if (!cluster)
    throw new Error(`the kubeconfig has no cluster for the context ${config.getCurrentContext()}`);
  const options: RequestOptions = {};
  await config.applyToHTTPSOptions(options);
  const exec = (at: ContainerName, command: readonly string[]): Promise<Executed> =>
    executed(config, at, command);
  return { url: cluster.server.replace(/\/$/, ''), fetch: fetchWith(keepingAlive(options)), clock, exec };
}

/** Reuses connections, because a handshake costs more than a request. An agent for a proxy stays as it is. */
function keepingAlive(options: RequestOptions): RequestOptions {
  if (options.agent?.constructor !== Agent) return options;
  const { ca, cert, key, rejectUnauthorized, servername } = options;
  return { ...options, agent: new Agent({ keepAlive: true, ca, cert, key, rejectUnauthorized, servername }) };
}

/** Returns a `fetch` that uses these certificates and headers: the global `fetch` has no option for an authority. */
function fetchWith(options: RequestOptions): Target['fetch'] {
  return (url, { method, headers, body, signal }) =>
    new Promise((resolve, reject) => {
      const request = url.startsWith('http:') ? requestHttp : requestHttps;
      const sent = request(
        url,
        {
          ...options,
          method: method ?? 'GET',
          headers: {
            ...options.headers,
            ...(headers as Record<string, string>),
            // Without it Node sends the body of a DELETE without any length.
            ...(typeof body === 'string' ? { 'Content-Length': Buffer.byteLength(body) } : {}),
          },
          ...(signal ? { signal } : {}),
        },
        (answer) => {
          const pairs = Object.entries(answer.headers).flatMap(([name, value]) =>
            [value ?? []].flat().map((each): [string, string] => [name, each]),
          );
          const stream = Readable.toWeb(answer) as ReadableStream<Uint8Array>;
          resolve(new Response(stream, { status: answer.statusCode ?? 0, headers: pairs }));
        },
      );
      sent.on('error', reject);
      sent.end(body ?? undefined);
    });
}

async function executed(
  config: KubeConfig,
  { namespace, pod, container }: ContainerName,
  command: readonly string[],
): Promise<Executed> {
  const output = { stdout: '', stderr: '' };
  const into = (name: keyof typeof output): Writable =>
    new Writable({
      write: (chunk: Buffer, _encoding, done) => {
        output[name] += chunk.toString();
        done();
      },
    });
  const [stdout, stderr] = [into('stdout'), into('stderr')];
  const { promise, resolve, reject } = withResolvers<V1Status>();
  const socket = await new Exec(config).exec(
    namespace,
    pod,
    container,
    [...command],
    stdout,
    stderr,
    null,
    false,
    resolve,
  );
  socket.onerror = ({ message }) => reject(new Error(message));
  const status = await promise;
  return { ...output, code: status.status === 'Success' ? 0 : exitCodeOf(status) };
}

/** Upstream: kubernetes/client-go@v0.36.3 tools/remotecommand/v4.go errorDecoderV4.decode */
function exitCodeOf({ details }: V1Status): number | undefined {
  const text = details?.causes?.find(({ reason }) => reason === 'ExitCode')?.message;
  return text === undefined ? undefined : Number(text);
}

function withResolvers<T>() {
  let resolve: (value: T) => void = () => {};
  let reject: (error: Error) => void = () => {};
  const promise = new Promise<T>((onValue, onError) => {
    resolve = onValue;
    reject = onError;
  });
  return { promise, resolve, reject };
}
