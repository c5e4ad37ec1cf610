import { type KubeObject, keyOf, keyToString } from '../../api/objects.ts';
import { isInitialEventsEnd, type WatchEvent } from '../../api/watch-event.ts';
import type { InformerOptions, SharedInformer } from '../../contracts/informer.ts';

/**
 * A minimal informer that starts with a streaming list and knows the version of its cache. It has no handlers and no
 * indexes. When its watch ends, it reconnects at once from its last version.
 */
export function streamingInformer<T extends KubeObject>(options: InformerOptions<T>): SharedInformer<T> {
  const { client, resource } = options;
  let objects = new Map<string, T>();
  let version = '';

  /** Consumes one watch. Returns the version for the next watch. */
  async function follow(events: AsyncIterable<WatchEvent<T>>): Promise<string> {
    let listed: Map<string, T> | undefined = new Map();
    for await (const event of events) {
      // The version is too old or lies in the future. The next request asks for the newest state, which is always
      // available.
      if (event.type === 'ERROR') return '';
      if (event.type === 'DELETED') (listed ?? objects).delete(keyToString(keyOf(event.object)));
      else if (event.type !== 'BOOKMARK')
        (listed ?? objects).set(keyToString(keyOf(event.object)), event.object);
      if (listed && isInitialEventsEnd(event)) {
        objects = listed;
        listed = undefined;
      }
      if (!listed) version = event.object.metadata.resourceVersion;
    }
    return version;
  }

  return {
    indexer: {
      getByKey: (key) => objects.get(key),
      list: () => [...objects.values()],
      listKeys: () => [...objects.keys()],
      byIndex: () => [],
      lastStoreSyncResourceVersion: () => version,
    },
    addEventHandler: () => ({ hasSynced: () => version !== '' }),
    removeEventHandler: () => {},
    hasSynced: () => version !== '',
    lastSyncResourceVersion: () => version,
    async run(signal) {
      let from = '';
      while (!signal.aborted) {
        const watch = await client.watch(resource, {
          ...(from ? { resourceVersion: from } : {}),
          sendInitialEvents: true,
          resourceVersionMatch: 'NotOlderThan',
          allowWatchBookmarks: true,
          timeoutSeconds: 300,
          signal,
        });
        from = await follow(watch);
      }
    },
  };
}
