import { type KubeObject, keyOf, keyToString } from '../../api/objects.ts';
import { isInitialEventsEnd, type WatchEvent } from '../../api/watch-event.ts';
import type { InformerOptions, SharedInformer } from '../../contracts/informer.ts';

/**
 * The least that begins with a streaming list and knows which version its cache has reached. It has no handlers and no
 * indexes; when its watch ends it begins anew, from where it was, without a wait.
 */
export function streamingInformer<T extends KubeObject>(options: InformerOptions<T>): SharedInformer<T> {
  const { client, resource } = options;
  let objects = new Map<string, T>();
  let version = '';

  /** Takes one watch in. Gives the version from which to ask for the next one. */
  async function follow(events: AsyncIterable<WatchEvent<T>>): Promise<string> {
    let listed: Map<string, T> | undefined = new Map();
    for await (const event of events) {
      // The version is too old, or has not come: the newest state is never refused.
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
