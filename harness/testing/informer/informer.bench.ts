/**
 * Two informers on one stream: the reference's and the one of `@kubernetes/client-node`, both over the same
 * node:http server. What is measured is how soon everything that was written has reached the handler.
 */
import { CoreV1Api, KubeConfig, makeInformer } from '@kubernetes/client-node';
import type { ConfigMap, New } from '../../api/objects.ts';
import { configMaps, namespaces } from '../../api/resource.ts';
import { ApiServer } from '../../apiserver/apiserver.ts';
import { createHandler } from '../../apiserver/handler/handler.ts';
import { HttpClient } from '../../client/http-client.ts';
import { listen } from '../../mount/node.ts';
import { realClock } from '../../mount/real-clock.ts';
import { seededRandom } from '../../sim/index.ts';
import { sideBySide, type Work } from '../side-by-side.ts';

const OBJECTS = 100;
const EVENTS = 20_000;

const { components } = await import('#components');

const server = new ApiServer({ clock: realClock, random: seededRandom(1) });
await server.create(namespaces, { metadata: { name: 'default' }, spec: {} });
for (let i = 0; i < OBJECTS; i++) await server.create(configMaps, configMap(i, 'at first'));
const { url } = await listen(createHandler(server));

/** An informer that runs. */
interface Contender {
  /** Starts it. Gives what stops it. Resolves when it has listed. */
  start(onUpdate: (object: { metadata?: { resourceVersion?: string } }) => void): Promise<() => void>;
}

const clientNode: Contender = {
  async start(onUpdate) {
    const config = new KubeConfig();
    config.loadFromClusterAndUser({ name: 'bench', server: url, skipTLSVerify: true }, { name: 'bench' });
    const core = config.makeApiClient(CoreV1Api);
    const path = '/api/v1/namespaces/default/configmaps';
    const informer = makeInformer(config, path, () => core.listNamespacedConfigMap({ namespace: 'default' }));
    informer.on('update', onUpdate);
    // It reports the end of its own watch as an error.
    informer.on('error', () => {});
    await informer.start();
    return () => void informer.stop();
  },
};

const reference: Contender = {
  async start(onUpdate) {
    const informer = components.informer({
      client: new HttpClient({ baseUrl: url }),
      resource: configMaps,
      namespace: 'default',
      clock: realClock,
      random: seededRandom(2),
    });
    const registration = informer.addEventHandler({ onUpdate: (_, current) => onUpdate(current) });
    const stopping = new AbortController();
    void informer.run(stopping.signal);
    while (!registration.hasSynced()) await realClock.sleep(1);
    return () => stopping.abort();
  },
};

sideBySide(`An informer over node:http, ${EVENTS.toLocaleString('en')} updates of ConfigMaps`, {
  unit: 'events',
  contenders: { 'client-node 1.4.0': () => clientNode, reference: () => reference },
  measures: { updates },
  rounds: 5,
});

let written = 0;

async function updates(contender: Contender): Promise<Work> {
  let last = '';
  let seen = (): void => {};
  const stop = await contender.start(({ metadata }) => {
    if (metadata?.resourceVersion === last) seen();
  });
  // Written now, but told only when the time runs: what a write costs is another benchmark's question.
  server.cache.hold();
  for (let i = 0; i < EVENTS; i++) last = await write(configMap(i % OBJECTS, `written ${++written}`));
  return async () => {
    const done = new Promise<void>((resolve) => {
      seen = resolve;
    });
    server.cache.release();
    await done;
    stop();
    return EVENTS;
  };
}

/** Gives the new resourceVersion. */
async function write({ metadata, ...rest }: New<ConfigMap>): Promise<string> {
  const { name = '' } = metadata;
  const updated = { ...rest, kind: 'ConfigMap', apiVersion: 'v1', metadata: { ...metadata, name } };
  return (await server.update(configMaps, updated)).metadata.resourceVersion;
}

function configMap(index: number, text: string): New<ConfigMap> {
  return {
    metadata: { name: `config-${index}`, namespace: 'default', labels: { app: 'web' } },
    data: { text, more: 'x'.repeat(200) },
  };
}
