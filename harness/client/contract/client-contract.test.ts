import { setupServer } from 'msw/node';
import { configMaps, namespaces } from '../../api/resource.ts';
import { ApiServer } from '../../apiserver/apiserver.ts';
import { createHandler } from '../../apiserver/handler/handler.ts';
import { createDefault, serverOn } from '../../apiserver/mirror/mirrored.fixture.ts';
import { Cluster } from '../../cluster/cluster.ts';
import type { Client } from '../../contracts/client.ts';
import type { Components } from '../../contracts/component.ts';
import { MemoryLog } from '../../contracts/store/memory-log.ts';
import { fetchFrom } from '../../mount/fetch.ts';
import { mswHandlers } from '../../mount/msw.ts';
import { listen } from '../../mount/node.ts';
import { seededRandom } from '../../sim/index.ts';
import { ManualClock } from '../../testing/manual-clock.ts';
import { HttpClient } from '../http-client.ts';
import { describeCacheVersion } from './cache-version.ts';
import { describeClientContract } from './client-contract.ts';
import type { Opened } from './open.ts';
import { streamingInformer } from './streaming-informer.fixture.ts';

const { components } = (await import('#components')) as { readonly components: Components };

/** Opens the reference's store, empty and in memory. */
const referenceStore = () =>
  components.keyValueStore({
    clock: new ManualClock(),
    log: new MemoryLog(),
    signal: new AbortController().signal,
  });

const baseUrl = 'http://apiserver.test';

describeClientContract('ApiServer in process', () => opened((server) => server));

describeClientContract('ApiServer on a key-value store', async () => {
  const served = await serverOn(await referenceStore(), new ManualClock());
  await createDefault(served);
  const { server, mirror, clock } = served;
  return {
    client: server,
    compact: () => mirror.storage.compact(mirror.storage.revision),
    advance: (ms) => clock.advance(ms),
    [Symbol.asyncDispose]: async () => served.end(),
  };
});

describeClientContract('Connection in a simulation', async () => {
  const cluster = new Cluster({ latencyMs: 0 });
  await cluster.admin.create(namespaces, { metadata: { name: 'default' }, spec: {} });
  // The tests wait for real turns of the event loop; in each turn, all due tasks run.
  let ended = false;
  let aheadMs = 0;
  const running = (async () => {
    while (!ended) {
      const forMs = aheadMs;
      aheadMs = 0;
      await cluster.runFor(forMs);
    }
  })();
  return {
    client: cluster.connect('contract'),
    compact: () => cluster.storage.compact(cluster.storage.revision),
    advance: (ms) => {
      aheadMs += ms;
    },
    async [Symbol.asyncDispose]() {
      ended = true;
      await running;
    },
  };
});

describeClientContract('HttpClient over a handler', () =>
  opened((server) => new HttpClient({ baseUrl, fetch: fetchFrom(createHandler(server)) })),
);

describeClientContract('HttpClient over msw', () =>
  opened((server, stack) => {
    const mocked = setupServer(...mswHandlers(baseUrl, createHandler(server)));
    mocked.listen({ onUnhandledRequest: 'error' });
    stack.defer(async () => mocked.close());
    return new HttpClient({ baseUrl });
  }),
);

describeClientContract('HttpClient over node:http', () =>
  opened(async (server, stack) => {
    const listening = await listen(createHandler(server));
    stack.defer(() => listening.close());
    return new HttpClient({ baseUrl: listening.url });
  }),
);

describeCacheVersion(
  'An informer that begins with a streaming list',
  () => opened((server) => server),
  (client) =>
    streamingInformer({ client, resource: configMaps, clock: new ManualClock(), random: seededRandom(1) }),
);

interface Stack {
  defer(dispose: () => Promise<void>): void;
}

/** Creates a fresh apiserver and a client that `connect` opens to it. */
async function opened(
  connect: (server: ApiServer, stack: Stack) => Client | Promise<Client>,
): Promise<Opened> {
  const clock = new ManualClock();
  const server = new ApiServer({ clock, random: seededRandom(1) });
  await server.create(namespaces, { metadata: { name: 'default' }, spec: {} });
  const disposals: (() => Promise<void>)[] = [];
  const client = await connect(server, { defer: (dispose) => disposals.push(dispose) });
  return {
    client,
    compact: () => server.storage.compact(server.storage.revision),
    advance: (ms) => clock.advance(ms),
    async [Symbol.asyncDispose]() {
      for (const dispose of disposals) await dispose();
    },
  };
}
