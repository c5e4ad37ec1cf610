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
  /** The source of uids, generated names and watch durations. */
  readonly random: Random;
  /** @defaultValue a separate storage */
  readonly storage?: Storage;
  /** The kinds to serve. @defaultValue all kinds of this workbook */
  readonly kinds?: readonly Kind[];
  /**
   * Whether to serve streaming lists. If not, such requests get a 422. Upstream: kubernetes/apiserver@v0.36.3
   * pkg/features/kube_features.go WatchList
   *
   * @defaultValue true
   */
  readonly servesStreamingLists?: boolean;
  /**
   * Whether an object has managedFields from its creation on, as upstream, rather than from its first apply on. Each
   * write then costs several times as much. Upstream: kubernetes/apimachinery@v0.36.3
   * pkg/util/managedfields/internal/fieldmanager.go DefaultTrackOnCreateProbability
   *
   * @defaultValue false
   */
  readonly trackOnCreate?: boolean;
}

/**
 * One kube-apiserver replica: the {@link Client} that carries out the requests. All other Clients, in-process or over
 * HTTP, forward to it.
 *
 * Several replicas share one {@link Storage}; each has its own {@link WatchCache}, which can lag.
 *
 * Without {@link as}, the user is anonymous.
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

  /** Returns this replica's session for `user`. */
  as(user: string): Session {
    let session = this.#sessions.get(user);
    if (!session) {
      session = new Session(this.#registry, user);
      this.#sessions.set(user, session);
    }
    return session;
  }
}
