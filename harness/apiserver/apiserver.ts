import type { Clock, Random } from '../sim/index.ts';
import { allocatorsByResource } from './allocators.ts';
import { CustomResources } from './custom/custom-resources.ts';
import { runDefinitionControllers } from './custom/definition-controllers.ts';
import type { Kind } from './kind.ts';
import { kinds as builtIn } from './kinds/index.ts';
import { Session } from './session.ts';
import { Storage } from './storage/storage.ts';
import { WatchCache } from './storage/watch-cache.ts';
import { ANONYMOUS } from './user-groups.ts';
import { convertedKinds, kindsByResource, type Registry } from './verbs/registry.ts';

export interface ApiServerOptions {
  readonly clock: Clock;
  /** For uids, generated names and how long watches last. */
  readonly random: Random;
  /** @defaultValue a storage of its own */
  readonly storage?: Storage;
  /** What it serves. @defaultValue all the kinds of this workbook */
  readonly kinds?: readonly Kind[];
  /**
   * Whether it serves streaming lists. One that does not refuses them with 422. Upstream:
   * kubernetes/apiserver@v0.36.3 pkg/features/kube_features.go WatchList
   *
   * @defaultValue true
   */
  readonly servesStreamingLists?: boolean;
  /**
   * Whether an object has managedFields from its creation on, as upstream, and not from its first apply on. A write costs several
   * times as much then. Upstream: kubernetes/apimachinery@v0.36.3 pkg/util/managedfields/internal/fieldmanager.go
   * DefaultTrackOnCreateProbability
   *
   * @defaultValue false
   */
  readonly trackOnCreate?: boolean;
}

/**
 * One kube-apiserver replica: a {@link Client} that does the work itself. Everything else that is a Client, the
 * in-process connection and HTTP, ends here.
 *
 * Several replicas share one {@link Storage}; each has its own {@link WatchCache}, which can lag behind.
 *
 * Asked without {@link as}, it serves an anonymous user.
 */
export class ApiServer extends Session {
  readonly storage: Storage;
  /** This replica's view of the storage. */
  readonly cache: WatchCache;
  readonly #registry: Registry;
  readonly #sessions = new Map<string, Session>();

  constructor(options: ApiServerOptions) {
    const { clock, random, storage = new Storage(), kinds = builtIn } = options;
    const { servesStreamingLists = true, trackOnCreate = false } = options;
    const kindOf = kindsByResource(kinds);
    const cache = new WatchCache(storage, clock, (resource) => kindOf(resource).watchIndex?.value);
    const customResources = new CustomResources(storage, (resource) => cache.endWatches(resource));
    const allocatorOf = allocatorsByResource(kinds, storage);
    const convertedKindOf = convertedKinds(kinds);
    const registry = {
      storage,
      cache,
      customResources,
      clock,
      random,
      servesStreamingLists,
      trackOnCreate,
      kindOf,
      convertedKindOf,
      allocatorOf,
    };
    super(registry, ANONYMOUS);
    this.storage = storage;
    this.cache = cache;
    this.#registry = registry;
    runDefinitionControllers(registry);
  }

  /** This replica as it serves `user`. */
  as(user: string): Session {
    let session = this.#sessions.get(user);
    if (!session) {
      session = new Session(this.#registry, user);
      this.#sessions.set(user, session);
    }
    return session;
  }
}
