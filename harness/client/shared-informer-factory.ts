import { allowManyListeners } from '#platform/listeners';
import type { KubeObject } from '../api/objects.ts';
import { groupResource, type Resource } from '../api/resource.ts';
import type { Client } from '../contracts/client.ts';
import type { SharedInformerFactory } from '../contracts/component.ts';
import type { Indexers, NewInformer, SharedInformer } from '../contracts/informer.ts';
import type { Clock, Random } from '../sim/index.ts';

/** Dependencies of the informers of one component. */
interface InformerFactoryOptions {
  readonly newInformer: NewInformer;
  readonly client: Client;
  readonly clock: Clock;
  readonly random: Random;
  /** Stops the informers. */
  readonly signal: AbortSignal;
  /** Called with each error in an informer, also when an informer gives up. @defaultValue errors are ignored */
  readonly onError?: (error: unknown) => void;
}

/**
 * Polling interval for the sync of the caches. Upstream: kubernetes/client-go@v0.36.3 tools/cache/shared_informer.go
 * syncedPollPeriod
 */
const SYNCED_POLL_MS = 100;

/**
 * Handlers can request a shorter period. Upstream: kubernetes/kubernetes@v1.36.3
 * cmd/kube-controller-manager/app/controllermanager.go ResyncPeriod, at its shortest
 */
const RESYNC_MS = 43_200_000;

/**
 * Creates the informers of one component, one for each resource and version, with the reference's implementation or the
 * learner's.
 */
export function sharedInformerFactory(options: InformerFactoryOptions): SharedInformerFactory {
  const { newInformer, client, clock, random, signal, onError = () => {} } = options;
  const informers = new Map<string, Known>();
  const running = new Map<string, AbortController>();

  return {
    forResource<T extends KubeObject>(resource: Resource<T>, indexers: Indexers<T> = {}): SharedInformer<T> {
      const name = groupResource(resource);
      const key = keyOf(resource);
      const known = informers.get(key);
      if (known) {
        const missing = Object.keys(indexers).find((index) => !known.indexes.has(index));
        if (missing === undefined) return known.informer as unknown as SharedInformer<T>;
        throw new Error(
          `Failed to index ${name} by ${missing}: its informer already exists. Pass all indexers with the first request for it.`,
        );
      }
      const all = { namespace: byNamespace, ...indexers };
      const informer = newInformer({
        client,
        resource,
        clock,
        random: random.fork(name),
        indexers: all,
        resyncPeriodMs: RESYNC_MS,
        onError,
      });
      informers.set(key, {
        informer: informer as unknown as SharedInformer<never>,
        indexes: new Set(Object.keys(all)),
      });
      return informer;
    },

    start() {
      for (const [key, { informer }] of informers) {
        if (running.has(key)) continue;
        const own = abortsWith(signal);
        running.set(key, own);
        informer.run(own.signal).catch(onError);
      }
    },

    stop(resource: Resource) {
      const key = keyOf(resource);
      running.get(key)?.abort();
      running.delete(key);
      informers.delete(key);
    },

    async waitForCacheSync() {
      while (![...informers.values()].every(({ informer }) => informer.hasSynced())) {
        await clock.sleep(SYNCED_POLL_MS, signal);
      }
    },
  };
}

interface Known {
  readonly informer: SharedInformer<never>;
  readonly indexes: ReadonlySet<string>;
}

/**
 * Returns a new controller that is aborted together with the signal.
 *
 * `AbortSignal.any` would do the same, as would the option `signal` of `addEventListener`. But Node keeps those until
 * they are aborted, with all objects that their listeners reference. A simulation that ends while its components still
 * run would never be freed.
 */
function abortsWith(signal: AbortSignal): AbortController {
  const own = new AbortController();
  // Every wait in an informer listens to this signal, and Node warns of a leak above ten listeners.
  allowManyListeners(own.signal);
  const abort = (): void => own.abort(signal.reason);
  signal.addEventListener('abort', abort, { once: true });
  own.signal.addEventListener('abort', () => signal.removeEventListener('abort', abort), { once: true });
  if (signal.aborted) abort();
  return own;
}

/** `v1 deployments.apps` */
const keyOf = (resource: Resource): string => `${resource.version} ${groupResource(resource)}`;

/** Upstream: kubernetes/client-go@v0.36.3 tools/cache/index.go MetaNamespaceIndexFunc */
const byNamespace = ({ metadata }: KubeObject): readonly string[] => [metadata.namespace ?? ''];
