import { type Component, type ConfigMap, configMaps, keyOf, keyToString, messageOf } from '#harness';

// AUTHOR: the reference, with the exports of the stub. Comment only the decisions.

const ANNOTATION = 'katas.example.com/keys';

export function jobAnnotation({ data = {} }: ConfigMap): string {
  return String(Object.keys(data).length);
}

export const jobController: Component = async ({ client, informers, log, newWorkQueue, runWorkers }) => {
  const queue = newWorkQueue<string>();
  const informer = informers.forResource(configMaps);
  const enqueue = (configMap: ConfigMap): void => queue.add(keyToString(keyOf(configMap)));
  informer.addEventHandler({ onAdd: enqueue, onUpdate: (_, current) => enqueue(current) });
  informers.start();
  await informers.waitForCacheSync();
  await runWorkers({
    queue,
    workers: 2,
    // It rejects when a write fails: then the queue retries.
    sync: async (key) => {
      const configMap = informer.indexer.getByKey(key);
      if (!configMap) return;
      const annotation = jobAnnotation(configMap);
      if (configMap.metadata.annotations?.[ANNOTATION] === annotation) return;
      const body = { metadata: { annotations: { [ANNOTATION]: annotation } } };
      await client.patch(configMaps, keyOf(configMap), { type: 'merge', body });
    },
    onError: (error, key) => log(`error syncing '${key}': ${messageOf(error)}`),
  });
};
