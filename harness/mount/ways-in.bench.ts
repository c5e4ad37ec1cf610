/**
 * Measures the ways to call the apiserver: directly, in a simulation, as a request to a function, through msw, and over
 * a socket. The results are the reason why components in a simulation call the verbs directly.
 */
import { setupServer } from 'msw/node';
import { namespaces, pods } from '../api/resource.ts';
import { ApiServer } from '../apiserver/apiserver.ts';
import { createHandler } from '../apiserver/handler/handler.ts';
import { inDefault, pod } from '../client/contract/objects.ts';
import { HttpClient } from '../client/http-client.ts';
import { createCluster } from '../cluster/cluster.ts';
import type { Client } from '../contracts/client.ts';
import { seededRandom } from '../sim/index.ts';
import { ManualClock } from '../testing/manual-clock.ts';
import { forAtLeast, sideBySide, type Work } from '../testing/side-by-side.ts';
import { fetchFrom } from './fetch.ts';
import { mswHandlers } from './msw.ts';
import { listen } from './node.ts';

const LISTED = 500;
const MEASURE_MS = 150;
const baseUrl = 'http://apiserver.test';

/** One way to call an apiserver, with its own apiserver. */
interface Way {
  readonly client: Client;
  /** Waits for a response in the manner of this way. */
  settle<T>(answer: Promise<T>): Promise<T>;
  /** Enables the way for one measurement. */
  opened?(work: Work): Work;
}

const settle = <T>(answer: Promise<T>): Promise<T> => answer;

sideBySide<Way>('The ways in', {
  unit: 'requests',
  contenders: {
    ApiServer: async () => ({ client: await apiServer(), settle }),
    'in a simulation': simulated,
    'handler as fetch': async () => {
      const fetch = fetchFrom(createHandler(await apiServer()));
      return { client: new HttpClient({ baseUrl, fetch }), settle };
    },
    'node:http': async () => {
      const { url } = await listen(createHandler(await apiServer()));
      return { client: new HttpClient({ baseUrl: url }), settle };
    },
    msw: mocked,
  },
  measures: {
    GET: (way) => repeating(way, () => way.client.get(pods, inDefault('listed-0'))),
    'PATCH status': (way) => repeating(way, (i) => patchStatus(way.client, i)),
    'PATCH strategic': (way) => repeating(way, (i) => annotate(way.client, i)),
    'PATCH apply': (way) => repeating(way, (i) => apply(way.client, i)),
    [`list ${LISTED}`]: (way) => repeating(way, () => way.client.list(pods)),
    // Last, because each request adds a pod.
    POST: (way) => repeating(way, () => way.client.create(pods, pod(`posted-${++posted}`))),
  },
  rounds: 3,
});

let posted = 0;

async function apiServer(): Promise<ApiServer> {
  const server = new ApiServer({ clock: new ManualClock(), random: seededRandom(1) });
  await server.create(namespaces, { metadata: { name: 'default' }, spec: {} });
  return filled(server);
}

async function filled<C extends Client>(client: C): Promise<C> {
  for (let i = 0; i < LISTED; i++) await client.create(pods, pod(`listed-${i}`));
  return client;
}

async function simulated(): Promise<Way> {
  const cluster = await createCluster();
  await filled(cluster.admin);
  return { client: cluster.connect('bench'), settle: (answer) => cluster.settle(answer) };
}

/** While msw listens, it intercepts every request of this process, so it listens only during its own measurement. */
async function mocked(): Promise<Way> {
  const server = setupServer(...mswHandlers(baseUrl, createHandler(await apiServer())));
  return {
    client: new HttpClient({ baseUrl, fetch: (...args) => globalThis.fetch(...args) }),
    settle,
    opened: (work) => async () => {
      server.listen({ onUnhandledRequest: 'error' });
      try {
        return await work();
      } finally {
        server.close();
      }
    },
  };
}

function repeating(
  { settle, opened = (work) => work }: Way,
  request: (index: number) => Promise<unknown>,
): Work {
  let index = 0;
  const once = async (): Promise<number> => {
    await settle(request(index++));
    return 1;
  };
  return opened(forAtLeast(MEASURE_MS, once));
}

function patchStatus(client: Client, index: number): Promise<unknown> {
  const body = { status: { message: `patched ${index}` } };
  return client.patch(pods, inDefault('listed-1'), { type: 'merge', body }, { subresource: 'status' });
}

function annotate(client: Client, index: number): Promise<unknown> {
  const body = { metadata: { annotations: { patched: String(index) } } };
  return client.patch(pods, inDefault('listed-2'), { type: 'strategic', body });
}

function apply(client: Client, index: number): Promise<unknown> {
  const metadata = { name: 'listed-3', annotations: { applied: String(index) } };
  const body = { apiVersion: 'v1', kind: 'Pod', metadata };
  return client.patch(pods, inDefault('listed-3'), { type: 'apply', body }, { fieldManager: 'bench' });
}
