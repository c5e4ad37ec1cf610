/**
 * Measures the apiserver over HTTPS, as a real kubectl reaches it. It is compared with a constant response over the
 * same mount, which shows the cost of HTTPS itself. If etcd 3.4 is installed, it is also compared with etcd's JSON
 * gateway, because upstream's apiserver stores its objects in etcd. The clients run in a separate process.
 */
import { bench } from 'vitest';
import { namespaces, pods } from '../api/resource.ts';
import { ApiServer } from '../apiserver/apiserver.ts';
import { createHandler } from '../apiserver/handler/handler.ts';
import { pod } from '../client/contract/objects.ts';
import { etcdVersion, NO_ETCD, startEtcd } from '../etcd/etcd.ts';
import { seededRandom } from '../sim/index.ts';
import { ManualClock } from '../testing/manual-clock.ts';
import { sideBySide, type Work } from '../testing/side-by-side.ts';
import type { FetchHandler } from './fetch.ts';
import { type LoadRequest, type LoadTarget, prepareLoad } from './load.fixture.ts';
import { listen } from './node.ts';
import { realClock } from './real-clock.ts';
import { servingCertificate } from './tls.ts';

const CONNECTIONS = 32;
const REQUESTS = 1_500;
const OBJECTS = 500;
const WRITES = 50;

/** The requests for one server. */
interface Contender extends LoadTarget {
  readonly get: (index: number) => LoadRequest;
  readonly create: (index: number) => LoadRequest;
  readonly merge: (index: number) => LoadRequest;
  readonly strategic: (index: number) => LoadRequest;
  readonly apply: (index: number) => LoadRequest;
  /** A write that causes an event for every watch. */
  readonly touch: (index: number) => LoadRequest;
  readonly watch: LoadRequest;
  /** A text that occurs once in each event of a watch. */
  readonly event: string;
}

const certificate = servingCertificate({ hosts: ['127.0.0.1'], nowMs: realClock.now() });
const version = etcdVersion();

sideBySide<Contender>(`Over HTTPS, ${CONNECTIONS} connections`, {
  unit: 'requests',
  contenders: {
    'constant answer': constant,
    apiserver,
    ...(version ? { [`etcd ${version}`]: etcd } : {}),
  },
  measures: {
    GET: requesting('get'),
    'PATCH merge': requesting('merge'),
    'PATCH strategic': requesting('strategic'),
    'PATCH apply': requesting('apply'),
    'event to 32 watches': fanOut(32),
    'event to 100 watches': fanOut(100),
    // Last, because each request adds a pod.
    POST: requesting('create'),
  },
  rounds: 5,
});

if (!version) bench.skip(NO_ETCD, () => {});

let sent = 0;

function requesting(
  what: 'get' | 'create' | 'merge' | 'strategic' | 'apply',
): (contender: Contender) => Promise<Work> {
  return async (contender) => {
    const requests = Array.from({ length: REQUESTS }, () => contender[what](sent++));
    const go = await prepareLoad({ ...jobOf(contender), requests });
    return async () => {
      await go();
      return REQUESTS;
    };
  };
}

/** Sends one write after another, each to `count` watches, and counts the received events. */
function fanOut(count: number): (contender: Contender) => Promise<Work> {
  return async (contender) => {
    const requests = Array.from({ length: WRITES }, () => contender.touch(sent++));
    const { watch, event } = contender;
    const streams = { count, request: watch, event, events: WRITES };
    const go = await prepareLoad({ ...jobOf(contender), connections: 1, requests, streams });
    return async () => {
      await go();
      return WRITES * count;
    };
  };
}

function jobOf({ url, ca, get }: Contender): LoadTarget & { connections: number; warmUp: LoadRequest } {
  return { url, ca, connections: CONNECTIONS, warmUp: get(0) };
}

async function serving(handler: FetchHandler): Promise<LoadTarget> {
  const { url } = await listen(handler, { tls: certificate });
  return { url, ca: certificate.ca };
}

const PODS = '/api/v1/namespaces/default/pods';
const TOUCHED = '/api/v1/namespaces/default/configmaps/touched';
const listed = (index: number): string => `${PODS}/listed-${index % OBJECTS}`;
const annotated = (index: number): object => ({ metadata: { annotations: { sent: String(index) } } });

function patching(path: string, type: string, body: object): LoadRequest {
  const headers = { 'Content-Type': `application/${type}` };
  return { method: 'PATCH', path, headers, body: JSON.stringify(body) };
}

/** The requests for an apiserver; the constant response gets the same. */
const requests = {
  get: (index) => ({ method: 'GET', path: listed(index) }),
  create: (index) => ({
    method: 'POST',
    path: PODS,
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify(pod(`posted-${index}`)),
  }),
  merge: (index) => patching(listed(index), 'merge-patch+json', annotated(index)),
  strategic: (index) => patching(listed(index), 'strategic-merge-patch+json', annotated(index)),
  apply: (index) => {
    const metadata = { name: `listed-${index % OBJECTS}`, annotations: { applied: String(index) } };
    const configuration = { apiVersion: 'v1', kind: 'Pod', metadata };
    return patching(`${listed(index)}?fieldManager=bench`, 'apply-patch+yaml', configuration);
  },
  touch: (index) => patching(TOUCHED, 'merge-patch+json', { data: { sent: String(index) } }),
  watch: { method: 'GET', path: '/api/v1/configmaps?watch=1' },
  event: '"type":"MODIFIED"',
} satisfies Partial<Contender>;

async function apiserver(): Promise<Contender> {
  const server = new ApiServer({ clock: new ManualClock(), random: seededRandom(1), trackOnCreate: true });
  const handler = createHandler(server);
  await server.create(namespaces, { metadata: { name: 'default' }, spec: {} });
  for (let i = 0; i < OBJECTS; i++) await server.create(pods, pod(`listed-${i}`));
  const body = JSON.stringify({ metadata: { name: 'touched' } });
  await handler(
    new Request(`http://apiserver.test${TOUCHED.replace('/touched', '')}`, {
      method: 'POST',
      body,
      headers: { 'Content-Type': 'application/json' },
    }),
  );
  return { ...(await serving(handler)), ...requests };
}

/** Reads the request body and returns a constant pod. A watch gets the same event for each patch. */
async function constant(): Promise<Contender> {
  const server = new ApiServer({ clock: new ManualClock(), random: seededRandom(1), trackOnCreate: true });
  await server.create(namespaces, { metadata: { name: 'default' }, spec: {} });
  const body = JSON.stringify(await server.create(pods, pod('listed-0')));
  const headers = { 'Content-Type': 'application/json' };
  const event = Buffer.from(`{"type":"MODIFIED","object":${body}}\n`);
  const watches = new Set<ReadableStreamDefaultController<Uint8Array>>();
  const target = await serving(async (request) => {
    if (request.url.endsWith('?watch=1')) {
      let own: ReadableStreamDefaultController<Uint8Array>;
      const stream = new ReadableStream<Uint8Array>({
        start(controller) {
          own = controller;
          watches.add(controller);
          controller.enqueue(Buffer.from('\n'));
        },
        cancel: () => void watches.delete(own),
      });
      return new Response(stream, { headers });
    }
    await request.arrayBuffer();
    if (request.method === 'PATCH') for (const watch of watches) watch.enqueue(event);
    return new Response(body, { headers });
  });
  return { ...target, ...requests };
}

/** Stores the same objects as values in etcd, with a put for each patch. */
async function etcd(): Promise<Contender> {
  const { url } = await startEtcd({ certificate, syncs: true });
  const encoded = (text: string): string => Buffer.from(text).toString('base64');
  const calling = (method: string, body: object): LoadRequest => ({
    method: 'POST',
    path: `/v3/${method}`,
    body: JSON.stringify(body),
  });
  const put = (key: string, index: number): LoadRequest => {
    const value = JSON.stringify({ ...pod(key), ...annotated(index) });
    return calling('kv/put', { key: encoded(key), value: encoded(value) });
  };
  const again = (index: number): LoadRequest => put(`listed-${index % OBJECTS}`, index);
  const target = { url, ca: certificate.ca };
  const fill = Array.from({ length: OBJECTS }, (_, index) => again(index));
  const get = (index: number): LoadRequest =>
    calling('kv/range', { key: encoded(`listed-${index % OBJECTS}`) });
  const go = await prepareLoad({ ...target, connections: CONNECTIONS, warmUp: get(0), requests: fill });
  await go();
  return {
    ...target,
    get,
    create: (index) => put(`posted-${index}`, index),
    ...{ merge: again, strategic: again, apply: again },
    touch: (index) => put('touched', index),
    watch: calling('watch', { create_request: { key: encoded('touched') } }),
    event: '"mod_revision"',
  };
}
