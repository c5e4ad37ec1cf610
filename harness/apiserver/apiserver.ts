import type { KubeObject, ObjectKey } from '../api/objects.ts';
import type { Resource } from '../api/resource.ts';
import type { Access, AccessConfiguration, NewAccess, User } from '../contracts/access/index.ts';
import type { Admission, NewAdmission, WebhookTransport } from '../contracts/admission/index.ts';
import type { Clock, Random } from '../sim/index.ts';
import { verifyToken } from './access/legacy-tokens.ts';
import { allocatorsByResource } from './allocators.ts';
import { CustomResources } from './custom/custom-resources.ts';
import { runDefinitionControllers } from './custom/definition-controllers.ts';
import { decode } from './decode.ts';
import type { Kind } from './kind.ts';
import { kinds as builtIn } from './kinds/index.ts';
import { objectCacheOf } from './object-cache.ts';
import { observedWebhooks } from './observed-webhooks.ts';
import { applyPatch } from './patch/index.ts';
import type { ObserveRequest } from './request-steps.ts';
import { ISSUER, ServiceAccountTokens } from './service-account-tokens.ts';
import { Session, type SessionOptions } from './session.ts';
import type { StoreWrites } from './storage/object-writes.ts';
import { Storage } from './storage/storage.ts';
import { WatchCache } from './storage/watch-cache.ts';
import { ANONYMOUS, APISERVER_USER, userNamed } from './users.ts';
import { convertedKinds, kindsByResource, type Registry } from './verbs/registry.ts';

export interface ApiServerOptions {
  readonly clock: Clock;
  /** The source of uids, generated names and watch durations. */
  readonly random: Random;
  /** @defaultValue that of `store`, or a separate storage */
  readonly storage?: Storage;
  /** The way of all writes to another store. @defaultValue the storage itself is the store */
  readonly store?: StoreWrites | undefined;
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
  /** Decides who may do what. @defaultValue everybody may do everything */
  readonly access?: NewAccess | undefined;
  /** The flags of the access control. @defaultValue as kubeadm sets them, without static tokens */
  readonly accessConfiguration?: Partial<AccessConfiguration> | undefined;
  /** The key that signs the tokens of service accounts; all replicas need the same. @defaultValue from the seed */
  readonly tokenKey?: string;
  /** Changes and refuses objects on their way into the storage. @defaultValue only the rules without which a simulation goes wrong */
  readonly admission?: NewAdmission | undefined;
  /** Watches the requests of all sessions. @defaultValue nobody watches */
  readonly observe?: ObserveRequest | undefined;
  /** Sends reviews to webhooks. @defaultValue no webhook can be reached */
  readonly webhooks?: WebhookTransport;
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
  /** Who may do what. Undefined if this replica asks nobody. */
  readonly access: Access | undefined;
  readonly #registry: Registry;
  /** The sessions of users that are known by their names alone. */
  readonly #sessions = new Map<string, Session>();

  constructor(options: ApiServerOptions) {
    const registry = registryOf(options);
    super(registry, { user: userNamed(ANONYMOUS) });
    this.storage = registry.storage;
    this.cache = registry.cache;
    this.access = registry.access;
    this.#registry = registry;
    runDefinitionControllers(registry);
  }

  /**
   * Returns this replica's session for a user, which authorizes each request.
   *
   * @param user - a name stands for the user of that name
   * @param actor - the source of the requests, as the log names it. @defaultValue the name of the user
   */
  as(
    user: string | User,
    actor?: string,
    options?: Pick<SessionOptions, 'credential' | 'impersonates'>,
  ): Session {
    const isKnown = typeof user === 'string' && actor === undefined && !options;
    const known = isKnown ? this.#sessions.get(user) : undefined;
    if (known) return known;
    const whole = typeof user === 'string' ? userNamed(user) : user;
    const session = new Session(this.#registry, { ...options, user: whole, ...(actor && { actor }) });
    if (isKnown) this.#sessions.set(user, session);
    return session;
  }

  /**
   * Returns a session for requests that have been authorized already, such as those of the HTTP front end.
   *
   * @param timeoutMs - the longest time of a request. @defaultValue a minute
   */
  authorized(user: User, timeoutMs?: number): Session {
    return new Session(this.#registry, { user, isAuthorized: true, timeoutMs });
  }
}

/** The registry of an apiserver, which knows its whole storage. */
type OwnRegistry = Registry & { readonly storage: Storage };

function registryOf(options: ApiServerOptions): OwnRegistry {
  const { clock, random, store, kinds = builtIn } = options;
  const { storage = store?.storage ?? new Storage() } = options;
  const { servesStreamingLists = true, trackOnCreate = false } = options;
  const { tokenKey = random.fork('service-account-key').uuid() } = options;
  const kindOf = kindsByResource(kinds);
  const cache = new WatchCache(storage, clock, (resource) => kindOf(resource).watchIndex?.value);
  const customResources = new CustomResources(storage, (resource) => cache.endWatches(resource));
  const tokens = new ServiceAccountTokens(tokenKey);
  const base = {
    tokens,
    ...{
      storage,
      writes: store ?? storage,
      fresh: store && (() => store.fresh()),
      allocations: store?.allocations,
    },
    ...{ cache, customResources, clock, random, servesStreamingLists, trackOnCreate, kindOf },
    observe: options.observe,
    admitting: options.observe && new WeakMap(),
    conversions: options.webhooks,
    convertedKindOf: convertedKinds(kinds),
    allocatorOf: allocatorsByResource(kinds, storage),
  };
  const objects = objectCacheOf(storage, cache);
  const read = <T extends KubeObject>(resource: Resource<T>, key: ObjectKey) =>
    storage.get(resource, key) as T | undefined;
  const access = options.access?.({
    clock,
    cache: objects,
    read,
    configuration: {
      ...DEFAULT_CONFIGURATION,
      verifyToken: (token) => verifyToken(tokens, token, read),
      ...options.accessConfiguration,
    },
  });
  if (!options.admission) return { ...base, access };
  const { webhooks = UNREACHABLE } = options;
  // The admission uses a client of the apiserver, which uses the admission.
  let admission: Admission | undefined;
  const registry: OwnRegistry = {
    ...base,
    access,
    admission: {
      admit: (attributes) => (admission as Admission).admit(attributes),
      validate: (attributes) => (admission as Admission).validate(attributes),
    },
  };
  admission = options.admission({
    clock,
    random: random.fork('admission'),
    cache: objects,
    client: new Session(registry, { user: APISERVER_USER, isAuthorized: true }),
    setDefaults: (resource, object) => kindOf(resource).setDefaults(object),
    decode: <T extends KubeObject>(resource: Resource<T>, object: unknown) =>
      decode<T>(resource, object as object, { fieldValidation: 'Ignore' }).object,
    applyJsonPatch: (object, body) => applyPatch(object, { type: 'json', body }, undefined) as object,
    webhooks: base.admitting
      ? observedWebhooks(webhooks, { clock, cache: objects, admitting: base.admitting })
      : webhooks,
  });
  return registry;
}

/** Upstream: kubernetes/kubernetes@v1.36.3 cmd/kubeadm/app/phases/controlplane/manifests.go getAPIServerCommand */
const DEFAULT_CONFIGURATION: Omit<AccessConfiguration, 'verifyToken'> = {
  anonymous: true,
  staticTokens: new Map(),
  issuer: ISSUER,
  audiences: [ISSUER],
  authorizers: ['Node', 'RBAC'],
};

const UNREACHABLE: WebhookTransport = {
  async send({ service, url }) {
    const host = service ? `${service.name}.${service.namespace}.svc` : new URL(url ?? '').host;
    throw new Error(`dial tcp: lookup ${host}: no such host`);
  },
};
