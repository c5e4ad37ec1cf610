/**
 * Compares the informer of `@kubernetes/client-node` with the reference over the same node:http server. The reference also
 * runs over msw, and in process, as in every test. It gets its first state with a streaming list, or with a list from an
 * apiserver without streaming lists. The benchmark measures the time until all writes have reached the handler. The server
 * runs in the same process, so its encoding and sending are part of each contender's time.
 */
import { CoreV1Api, KubeConfig, makeInformer } from '@kubernetes/client-node';
import { setupServer } from 'msw/node';
import type { ConfigMap, New } from '../../api/objects.ts';
import { configMaps, namespaces } from '../../api/resource.ts';
import { ApiServer } from '../../apiserver/apiserver.ts';
import { createHandler } from '../../apiserver/handler/handler.ts';
import { Storage } from '../../apiserver/storage/storage.ts';
import { HttpClient } from '../../client/http-client.ts';
import type { Client } from '../../contracts/client.ts';
import { mswHandlers } from '../../mount/msw.ts';
import { listen } from '../../mount/node.ts';
import { realClock } from '../../mount/real-clock.ts';
import { seededRandom } from '../../sim/index.ts';
import { sideBySide, type Work } from '../../testing/side-by-side.ts';

/** The number of objects, which are updated again and again. */
const UPDATED = 100;
const EVENTS = 20_000;
const LISTED = 5_000;

const { components } = await import('#components');

/** Two apiservers over one storage, with and without streaming lists. */
const storage = new Storage();
const [streaming, listing] = [true, false].map(
  (servesStreamingLists) =>
    new ApiServer({ clock: realClock, random: seededRandom(1), storage, servesStreamingLists }),
) as [ApiServer, ApiServer];
for (const [namespace, count] of [
  ['updated', UPDATED],
  ['listed', LISTED],
] as const) {
  await streaming.create(namespaces, { metadata: { name: namespace }, spec: {} });
  for (let i = 0; i < count; i++) await streaming.create(configMaps, configMap(namespace, i, 'at first'));
}
const handler = createHandler(streaming);
const { url } = await listen(handler);
const { url: listingUrl } = await listen(createHandler(listing));
const mockedUrl = 'http://apiserver.test';

type OnUpdate = (object: { metadata?: { resourceVersion?: string } }) => void;

interface Contender {
  /**
   * Starts an informer of the ConfigMaps in a namespace. Resolves, after its first list, to a function that stops it.
   */
  start(namespace: string, onUpdate: OnUpdate): Promise<() => void>;
}

const clientNode: Contender = {
  async start(namespace, onUpdate) {
    const config = new KubeConfig();
    config.loadFromClusterAndUser({ name: 'bench', server: url, skipTLSVerify: true }, { name: 'bench' });
    const core = config.makeApiClient(CoreV1Api);
    const path = `/api/v1/namespaces/${namespace}/configmaps`;
    const informer = makeInformer(config, path, () => core.listNamespacedConfigMap({ namespace }));
    informer.on('update', onUpdate);
    // client-node reports the end of its watch as an error.
    informer.on('error', () => {});
    await informer.start();
    return () => void informer.stop();
  },
};

/** Returns the reference's informer over any client. */
async function startReference(client: Client, namespace: string, onUpdate: OnUpdate): Promise<() => void> {
  const informer = components.informer({
    client,
    resource: configMaps,
    namespace,
    clock: realClock,
    random: seededRandom(2),
  });
  const registration = informer.addEventHandler({ onUpdate: (_, current) => onUpdate(current) });
  const stopping = new AbortController();
  void informer.run(stopping.signal);
  while (!registration.hasSynced()) await realClock.sleep(1);
  return () => stopping.abort();
}

const over = (client: Client): Contender => ({
  start: (namespace, onUpdate) => startReference(client, namespace, onUpdate),
});

const overMsw: Contender = {
  async start(namespace, onUpdate) {
    // msw intercepts the HTTP of the whole process, so start it only while no other contender runs.
    const mocked = setupServer(...mswHandlers(mockedUrl, handler));
    mocked.listen({ onUnhandledRequest: 'error' });
    const stop = await startReference(new HttpClient({ baseUrl: mockedUrl }), namespace, onUpdate);
    return () => {
      stop();
      mocked.close();
    };
  },
};

sideBySide('An informer of ConfigMaps', {
  unit: 'objects',
  rounds: 3,
  contenders: {
    'client-node 1.4.0, node:http': () => clientNode,
    'reference, node:http': () => over(new HttpClient({ baseUrl: url })),
    'reference, node:http, no streaming list': () => over(new HttpClient({ baseUrl: listingUrl })),
    'reference, msw': () => overMsw,
    'reference, in process': () => over(streaming),
    'reference, in process, no streaming list': () => over(listing),
  },
  measures: {
    [`first list of ${LISTED.toLocaleString('en')}`]: firstList,
    [`${EVENTS.toLocaleString('en')} updates`]: updates,
  },
});

let written = 0;

function firstList(contender: Contender): Work {
  return async () => {
    const stop = await contender.start('listed', () => {});
    stop();
    return LISTED;
  };
}

async function updates(contender: Contender): Promise<Work> {
  let last = '';
  let seen = (): void => {};
  const stop = await contender.start('updated', ({ metadata }) => {
    if (metadata?.resourceVersion === last) seen();
  });
  // Write before the measurement, and deliver during it: the cost of a write is not measured here.
  for (const { cache } of [streaming, listing]) cache.hold();
  for (let i = 0; i < EVENTS; i++)
    last = await write(configMap('updated', i % UPDATED, `written ${++written}`));
  return async () => {
    const done = new Promise<void>((resolve) => {
      seen = resolve;
    });
    for (const { cache } of [streaming, listing]) cache.release();
    await done;
    stop();
    return EVENTS;
  };
}

/** Returns the new resourceVersion. */
async function write({ metadata, ...rest }: New<ConfigMap>): Promise<string> {
  const { name = '' } = metadata;
  const updated = { ...rest, kind: 'ConfigMap', apiVersion: 'v1', metadata: { ...metadata, name } };
  return (await streaming.update(configMaps, updated)).metadata.resourceVersion;
}

function configMap(namespace: string, index: number, text: string): New<ConfigMap> {
  return {
    metadata: { name: `config-${index}`, namespace, labels: { app: 'web' } },
    data: { text, more: 'x'.repeat(200) },
  };
}
