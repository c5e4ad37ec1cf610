/**
 * Compares three ways to get the existing objects: pages, one list, and a watch that starts with them. Measures how
 * soon a client has all objects, the peak memory, and the bytes on the wire. Server and client run in the same process.
 */
import { type AddressInfo, connect as connectTo, createServer } from 'node:net';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { bench } from 'vitest';
import type { Pod } from '../api/objects.ts';
import { pods } from '../api/resource.ts';
import { isInitialEventsEnd } from '../api/watch-event.ts';
import { ApiServer } from '../apiserver/apiserver.ts';
import { createHandler } from '../apiserver/handler/handler.ts';
import { runningPod } from '../apiserver/storage/running-pod.fixture.ts';
import { HttpClient } from '../client/http-client.ts';
import type { Client } from '../contracts/client.ts';
import { seededRandom } from '../sim/index.ts';
import { ManualClock } from '../testing/manual-clock.ts';
import { sideBySide } from '../testing/side-by-side.ts';
import { listen } from './node.ts';
import { realClock } from './real-clock.ts';

const PODS = 10_000;
/** The objects per page, and between two measurements of the heap. */
const PAGE = 500;

/** Gets all pods. Calls `look` after every {@link PAGE} pods. */
type Fetching = (client: Client, look?: (fetched: readonly Pod[]) => void) => Promise<readonly Pod[]>;

const fetchings: Readonly<Record<string, Fetching>> = {
  'paged list': async (client, look) => {
    const fetched: Pod[] = [];
    let token: string | undefined;
    do {
      const { items, metadata } = await client.list(pods, {
        limit: PAGE,
        ...(token ? { continue: token } : {}),
      });
      fetched.push(...items);
      token = metadata.continue;
      look?.(fetched);
    } while (token);
    return fetched;
  },
  'one list': async (client, look) => {
    const { items } = await client.list(pods, { resourceVersion: '0' });
    look?.(items);
    return items;
  },
  'streaming list': async (client, look) => {
    const fetched: Pod[] = [];
    const watch = await client.watch(pods, {
      sendInitialEvents: true,
      resourceVersionMatch: 'NotOlderThan',
      allowWatchBookmarks: true,
    });
    for await (const event of watch) {
      if (isInitialEventsEnd(event)) break;
      if (event.type === 'ADDED' && fetched.push(event.object) % PAGE === 0) look?.(fetched);
    }
    return fetched;
  },
};

const server = new ApiServer({ clock: new ManualClock(), random: seededRandom(1) });
for (let i = 0; i < PODS; i++) server.storage.create(pods, runningPod(i));
const { url } = await listen(createHandler(server));
const wire = await countingProxy(Number(new URL(url).port));
const ways: Readonly<Record<string, Client>> = {
  'in process': server,
  'node:http': new HttpClient({ baseUrl: url }),
};

sideBySide<Fetching>(`A first list of ${PODS.toLocaleString('en')} pods`, {
  unit: 'pods',
  contenders: Object.fromEntries(Object.entries(fetchings).map(([name, fetching]) => [name, () => fetching])),
  measures: Object.fromEntries(
    Object.entries(ways).map(([way, client]) => [
      way,
      (fetching: Fetching) => async () => (await fetching(client)).length,
    ]),
  ),
});

bench(
  'What it takes',
  async () => {
    const taken: Taken[] = [];
    for (const fetching of Object.values(fetchings)) taken.push(await take(fetching));
    const rows = (['heap', 'beside the pods', 'on the wire'] as const).map((what) => {
      const first = taken[0]?.[what] ?? 0;
      return [
        what,
        ...taken.map((each) => `${(each[what] / 1e6).toFixed(1)} (×${(each[what] / first).toFixed(2)})`),
      ];
    });
    const table = [['MB', ...Object.keys(fetchings)], ...rows];
    process.stdout.write(`\n${table.map((row) => `  ${row.join('   ')}`).join('\n')}\n`);
  },
  { iterations: 1, time: 0, warmupIterations: 0, warmupTime: 0, throws: true },
);

/** All values in bytes. */
interface Taken {
  /** The peak growth of live memory, measured after each {@link PAGE} pods, which stay referenced as in a cache. */
  readonly heap: number;
  /** The part of the growth that is released in the end. */
  readonly 'beside the pods': number;
  readonly 'on the wire': number;
}

/** Measures a fetch over HTTP. In process nothing is copied, so there is nothing to measure. */
async function take(fetching: Fetching): Promise<Taken> {
  const client = new HttpClient({ baseUrl: wire.url });
  await fetching(client);
  const [before, sent] = [await settled(), wire.bytes()];
  let peak = 0;
  const fetched = await fetching(client, () => {
    peak = Math.max(peak, alive() - before);
  });
  const kept = (await settled()) - before;
  if (fetched.length !== PODS) throw new Error(`Failed to get all pods: there are ${fetched.length}.`);
  return { heap: peak, 'beside the pods': peak - kept, 'on the wire': wire.bytes() - sent };
}

/** Returns the live memory once it stops shrinking: a closing connection holds unsent data for a moment. */
async function settled(): Promise<number> {
  let [last, now] = [Number.POSITIVE_INFINITY, alive()];
  while (last - now > 100_000) {
    await realClock.sleep(200);
    [last, now] = [now, alive()];
  }
  return now;
}

function alive(): number {
  collectGarbage();
  const { heapUsed, external } = process.memoryUsage();
  return heapUsed + external;
}

function collectGarbage(): void {
  setFlagsFromString('--expose-gc');
  runInNewContext('gc')();
}

/** Forwards connections to a port, and counts the response bytes including headers and chunk framing. */
async function countingProxy(port: number): Promise<{ readonly url: string; bytes(): number }> {
  let bytes = 0;
  const proxy = createServer((client) => {
    const upstream = connectTo(port, '127.0.0.1');
    upstream.on('data', (chunk) => {
      bytes += chunk.length;
    });
    for (const socket of [client, upstream]) socket.on('error', () => {});
    client.pipe(upstream).pipe(client);
  });
  await new Promise<void>((resolve) => {
    proxy.listen(0, '127.0.0.1', resolve);
  });
  return { url: `http://127.0.0.1:${(proxy.address() as AddressInfo).port}`, bytes: () => bytes };
}
