import type { KubeObject } from '../../api/objects.ts';
import type { Components } from '../../contracts/component.ts';
import type { InformerOptions, NewInformer, SharedInformer } from '../../contracts/informer.ts';

/**
 * Returns the components with informers whose caches do not report which version they have reached. The consistency store is then
 * always ready, so only expectations show which writes the caches lack.
 *
 * Upstream: kubernetes/kubernetes@v1.36.3 pkg/controller/util/consistency/consistency.go ownerRecord.EnsureReady
 */
export function versionless<C extends Partial<Components>>(components: C): C {
  const { informer } = components;
  return informer ? { ...components, informer: withoutVersions(informer) } : components;
}

function withoutVersions(newInformer: NewInformer): NewInformer {
  return <T extends KubeObject>(options: InformerOptions<T>): SharedInformer<T> => {
    const informer = newInformer(options);
    const { indexer } = informer;
    return {
      indexer: {
        getByKey: (key) => indexer.getByKey(key),
        list: () => indexer.list(),
        listKeys: () => indexer.listKeys(),
        byIndex: (indexName, value) => indexer.byIndex(indexName, value),
        lastStoreSyncResourceVersion: () => '',
      },
      addEventHandler: (handler, more) => informer.addEventHandler(handler, more),
      removeEventHandler: (registration) => informer.removeEventHandler(registration),
      hasSynced: () => informer.hasSynced(),
      lastSyncResourceVersion: () => informer.lastSyncResourceVersion(),
      run: (signal) => informer.run(signal),
    };
  };
}
