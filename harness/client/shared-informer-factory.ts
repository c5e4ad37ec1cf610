import type { KubeObject } from '../api/objects.ts';
import { groupResource, type Resource } from '../api/resource.ts';
import type { Client } from '../contracts/client.ts';
import type { SharedInformerFactory } from '../contracts/component.ts';
import type { NewInformer, SharedInformer } from '../contracts/informer.ts';
import type { Clock, Random } from '../sim/index.ts';

export interface InformerFactoryOptions {
  readonly newInformer: NewInformer;
  readonly client: Client;
  readonly clock: Clock;
  readonly random: Random;
  /** Stops the informers. */
  readonly signal: AbortSignal;
  /** Told of what goes wrong in an informer, also when one gives up. @defaultValue nobody is told */
  readonly onError?: (error: unknown) => void;
}

/** How often it is asked whether the caches have synced. Upstream: kubernetes/client-go@v0.30.0 tools/cache/shared_informer.go syncedPollPeriod */
const SYNCED_POLL_MS = 100;

/** Handlers may ask for less. Upstream: kubernetes/kubernetes@v1.30.0 kube-controller-manager --min-resync-period */
const RESYNC_MS = 43_200_000;

/** Informers, one a resource, over whatever makes informers: the reference's, or the learner's. */
export function sharedInformerFactory(options: InformerFactoryOptions): SharedInformerFactory {
  const { newInformer, client, clock, random, signal, onError = () => {} } = options;
  const informers = new Map<string, SharedInformer<never>>();
  const running = new Set<string>();

  return {
    forResource<T extends KubeObject>(resource: Resource<T>): SharedInformer<T> {
      const name = groupResource(resource);
      const known = informers.get(name);
      if (known) return known as unknown as SharedInformer<T>;
      const informer = newInformer({
        client,
        resource,
        clock,
        random: random.fork(name),
        resyncPeriodMs: RESYNC_MS,
        onError,
      });
      informers.set(name, informer as unknown as SharedInformer<never>);
      return informer;
    },

    start() {
      for (const [name, informer] of informers) {
        if (running.has(name)) continue;
        running.add(name);
        informer.run(signal).catch(onError);
      }
    },

    async waitForCacheSync() {
      while (![...informers.values()].every((informer) => informer.hasSynced())) {
        await clock.sleep(SYNCED_POLL_MS, signal);
      }
    },
  };
}
