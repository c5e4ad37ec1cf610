import { advertise } from '../cluster/bootstrap.ts';
import type { Cluster } from '../cluster/cluster.ts';
import { bytesOfText, textOfBytes } from '../contracts/node/byte-text.ts';
import type { HttpAnswer } from '../contracts/node/index.ts';
import type { FetchHandler } from '../mount/fetch.ts';
import type { ServedRequest } from '../node/programs/program.ts';
import type { Clock } from '../sim/index.ts';

/** Upstream: kubernetes/kubernetes@v1.36.3 kube-apiserver --secure-port */
const PORT = 6443;

/** The longest time for one answer, in ms. Upstream: kube-apiserver --request-timeout */
const ANSWER_MS = 60_000;

/**
 * Serves an apiserver to the programs in pods, behind the Service `default/kubernetes`: on a host beside the machines,
 * which a partition of a machine cuts off.
 *
 * Differs: an answer arrives whole, so a watch answers after a minute, with its events up to then. The simulated network
 * has no TLS: a client presents no certificate, and checks none.
 */
export async function serveToPods(cluster: Cluster, handler: FetchHandler): Promise<void> {
  const host = cluster.network.outside('control-plane');
  host.namespace.sockets.listen(
    { protocol: 'tcp', port: PORT },
    { tls: true, http: (request) => answer(request, handler, cluster.clock) },
  );
  await advertise(cluster.as('system:apiserver'), host.ip);
}

async function answer(asked: ServedRequest, handler: FetchHandler, clock: Clock): Promise<HttpAnswer> {
  const { method, path, body } = asked;
  const { host = 'kubernetes.default.svc', ...headers } = asked.headers;
  const late = new AbortController();
  const cancel = clock.after(ANSWER_MS, () => late.abort());
  const request = new Request(`https://${host}${path}`, {
    ...{ method, headers, signal: late.signal },
    ...(body && { body: new Uint8Array(bytesOfText(body)) }),
  });
  const response = await handler(request);
  const received = await wholeBody(response, late.signal);
  cancel();
  return {
    status: response.status,
    headers: Object.fromEntries(response.headers),
    body: textOfBytes(received),
  };
}

/** Returns the bytes of a body until its end, or until the signal aborts. */
async function wholeBody({ body }: Response, signal: AbortSignal): Promise<Uint8Array> {
  if (!body) return new Uint8Array();
  const reader = body.getReader();
  signal.addEventListener('abort', () => void reader.cancel().catch(() => {}));
  const chunks: Uint8Array[] = [];
  for (;;) {
    const { done, value } = await reader.read();
    if (done) return Buffer.concat(chunks);
    chunks.push(value);
  }
}
