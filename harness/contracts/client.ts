import type * as authentication from '#api/authentication/v1';
import type {
  CertificateSigningRequest,
  KubeObject,
  List,
  Namespace,
  New,
  ObjectKey,
  ObjectMeta,
  Pod,
} from '../api/objects.ts';
import type { Resource } from '../api/resource.ts';
import type { WatchEvent } from '../api/watch-event.ts';

/**
 * A component's access to an apiserver. There are several implementations: in a simulation, requests go straight to the
 * verbs; elsewhere they go over HTTP. A component sees no difference, so a finished component runs unchanged against a
 * real cluster.
 *
 * Every method rejects with a {@link StatusError} when the server refuses, and with a {@link ConnectionError} when the
 * connection fails. An aborted call rejects with `signal.reason`. Every returned object is shared and deeply frozen:
 * copy it before you change it.
 *
 * Upstream: kubernetes/client-go@v0.36.3 dynamic/interface.go ResourceInterface
 */
export interface Client {
  /**
   * Returns an object.
   *
   * @throws StatusError NotFound; Timeout when the replica does not reach `resourceVersion` in three seconds;
   * InternalError when `resourceVersion` is not a number
   */
  get<T extends KubeObject>(resource: Resource<T>, key: ObjectKey, options?: GetOptions): Promise<T>;

  /**
   * Returns the selected objects, or a page of them.
   *
   * @example
   * await client.list(pods, { namespace: 'default', labelSelector: 'app=web' });
   *
   * @throws StatusError Expired when `resourceVersion` or `continue` is compacted; Timeout when the replica does not
   * reach `resourceVersion` in three seconds; BadRequest when one of the two cannot be parsed; Invalid
   */
  list<T extends KubeObject>(resource: Resource<T>, options?: ListOptions): Promise<List<T>>;

  /**
   * Opens a stream of changes. Two errors arrive *in* the stream, as an `ERROR` event, like on a real apiserver. Code
   * 410: the revision is too old. Code 504: a streaming list has waited three seconds for a revision that the replica
   * has not reached.
   *
   * @throws StatusError BadRequest or Invalid when the options contradict each other; InternalError when
   * `resourceVersion` is not a number
   */
  watch<T extends KubeObject>(resource: Resource<T>, options?: WatchOptions): Promise<Watch<T>>;

  /**
   * Creates an object. @throws StatusError AlreadyExists, Invalid, NotFound (no such namespace), Forbidden (the
   * namespace is terminating)
   */
  create<T extends KubeObject>(resource: Resource<T>, object: New<T>, options?: WriteOptions): Promise<T>;

  /**
   * Replaces the object except its status. With `metadata.resourceVersion` the update is a compare-and-swap; without it
   * the last writer wins.
   *
   * @throws StatusError NotFound, Conflict, Invalid
   */
  update<T extends KubeObject>(resource: Resource<T>, object: Updated<T>, options?: WriteOptions): Promise<T>;

  /** Replaces only the status. @throws StatusError NotFound, Conflict, Invalid */
  updateStatus<T extends KubeObject>(
    resource: Resource<T>,
    object: Updated<T>,
    options?: WriteOptions,
  ): Promise<T>;

  /**
   * Applies a patch. The server reads and writes the object in one atomic step.
   *
   * @example
   * await client.patch(pods, key, { type: 'merge', body: { metadata: { labels: { track: 'canary' } } } });
   *
   * @throws StatusError NotFound, Conflict (the object has changed, or another manager owns an applied field), Invalid
   */
  patch<T extends KubeObject>(
    resource: Resource<T>,
    key: ObjectKey,
    patch: Patch,
    options?: PatchOptions,
  ): Promise<T>;

  /**
   * Deletes the object. The server removes it at once, unless it has finalizers or a grace period: then the server sets
   * `deletionTimestamp`, and the object still exists for now.
   *
   * @throws StatusError NotFound, Conflict (a precondition fails)
   */
  delete<T extends KubeObject>(
    resource: Resource<T>,
    key: ObjectKey,
    options?: DeleteOptions,
  ): Promise<Deleted<T>>;

  /** Deletes the selected objects one by one; not atomic. Resolves with the selected objects. */
  deleteCollection<T extends KubeObject>(
    resource: Resource<T>,
    options?: DeleteOptions & ListOptions,
  ): Promise<List<T>>;

  /** Binds a pod to a node, permanently. @throws StatusError NotFound, Conflict (already bound) */
  bind(pod: ObjectKey, nodeName: string, options?: BindOptions): Promise<void>;

  /**
   * Deletes a pod if its disruption budgets allow it.
   *
   * @throws StatusError TooManyRequests when a budget forbids the deletion now; InternalError when several budgets
   * apply
   */
  evict(pod: ObjectKey, options?: DeleteOptions): Promise<void>;

  /**
   * Adds ephemeral containers to a running pod and changes nothing else. An ephemeral container cannot be changed or
   * removed.
   *
   * @throws StatusError NotFound, Conflict, Invalid
   */
  updateEphemeralContainers(pod: Updated<Pod>, options?: WriteOptions): Promise<Pod>;

  /**
   * Approves or denies a CertificateSigningRequest by adding a condition of that type. The rest of the status stays
   * unchanged. The decision is final.
   *
   * @throws StatusError NotFound, Conflict, Invalid
   */
  updateApproval(
    request: Updated<CertificateSigningRequest>,
    options?: WriteOptions,
  ): Promise<CertificateSigningRequest>;

  /**
   * Creates a token that authenticates its bearer as a service account. The server stores nothing.
   *
   * @throws StatusError NotFound (no such account, or no such object to bind the token to), Conflict (another uid),
   * Invalid
   */
  createToken(
    serviceAccount: ObjectKey,
    request: authentication.TokenRequest,
    options?: WriteOptions,
  ): Promise<TokenRequest>;

  /**
   * Replaces the finalizers in a namespace's spec; no other call can change them. A terminating namespace disappears
   * once it is empty and its last finalizer is removed.
   *
   * @throws StatusError NotFound, Conflict, Invalid
   */
  finalize(namespace: Updated<Namespace>, options?: WriteOptions): Promise<Namespace>;

  /** Returns the desired and the current number of replicas of a scalable object. */
  getScale(resource: Resource, key: ObjectKey, options?: CallOptions): Promise<Scale>;

  /** Sets the desired number of replicas. @throws StatusError NotFound, Conflict, Invalid */
  updateScale(resource: Resource, key: ObjectKey, scale: ScaleUpdate, options?: WriteOptions): Promise<Scale>;
}

/** An object to write: as it was read, or with your changes. */
export type Updated<T extends KubeObject> = Omit<T, 'metadata' | 'status'> & {
  metadata: Partial<ObjectMeta> & { name: string };
  status?: unknown;
};

/** Options of every call. */
export interface CallOptions {
  /** Aborts the call. A watch can be aborted until its stream ends. */
  readonly signal?: AbortSignal;
}

/** The required freshness of an object. */
export interface GetOptions extends CallOptions {
  /**
   * Absent: the newest state. `'0'`: any state in the replica's cache, however old. Otherwise: a state at least as new
   * as this version.
   */
  readonly resourceVersion?: string;
}

/** The selected objects. */
export interface Selection {
  /** Absent: all namespaces. */
  readonly namespace?: string;
  /** In kubectl's syntax: `app=web,tier in (front, back)`. */
  readonly labelSelector?: string;
  /** `metadata.name=web`, `spec.nodeName=node-1`. Each kind allows only certain fields. */
  readonly fieldSelector?: string;
}

/** The objects to list, their required freshness, and the page size. */
export interface ListOptions extends CallOptions, Selection {
  /** As in {@link GetOptions}, refined by `resourceVersionMatch`. With `'0'` the server ignores `limit`. */
  readonly resourceVersion?: string;
  /** @defaultValue with a resourceVersion `NotOlderThan`; with a resourceVersion and a limit `Exact` */
  readonly resourceVersionMatch?: 'Exact' | 'NotOlderThan';
  /** The maximum number of items per page. Absent: one page with all items. */
  readonly limit?: number;
  /**
   * The token of the previous page. Omit `resourceVersion` or set it to `'0'`: the token contains the version, and the
   * server rejects both together.
   */
  readonly continue?: string;
}

/** The objects to watch, the start of the stream, and its duration. */
export interface WatchOptions extends CallOptions, Selection {
  /** The stream has the changes after this revision. If it is absent or `'0'`, `sendInitialEvents` defaults to true. */
  readonly resourceVersion?: string;
  /**
   * Whether the stream starts with the existing objects, one `ADDED` event each, before it reports changes. Such a
   * stream is a streaming list. The freshness of the existing objects is as in a list: without a `resourceVersion` they
   * are the newest; with `'0'` they may be stale; otherwise they are at least as new as `resourceVersion`. With
   * `allowWatchBookmarks` a bookmark marks the end of the existing objects: see {@link isInitialEventsEnd}.
   *
   * False: only changes. If `resourceVersion` is absent or `'0'`, they start now.
   *
   * Set `resourceVersionMatch`, too; otherwise the server rejects the request.
   *
   * @defaultValue true without a `resourceVersion`, and with `'0'`; false otherwise
   */
  readonly sendInitialEvents?: boolean;
  /** Required with `sendInitialEvents`, and rejected without it. */
  readonly resourceVersionMatch?: 'NotOlderThan';
  /** Requests `BOOKMARK` events. @defaultValue false */
  readonly allowWatchBookmarks?: boolean;
  /** The server ends the stream after this many seconds. @defaultValue 30 to 60 minutes, at random */
  readonly timeoutSeconds?: number;
}

/** Options of a write. */
export interface WriteOptions extends CallOptions {
  /** Validates the write without storing it. @defaultValue false */
  readonly dryRun?: boolean;
  readonly fieldManager?: string;
  /** Handling of fields that the kind does not have. @defaultValue `Strict` for our clients */
  readonly fieldValidation?: 'Ignore' | 'Warn' | 'Strict';
}

/** Options of a patch, and the part of the object that it changes. */
export interface PatchOptions extends WriteOptions {
  /** Patches the subresource instead. */
  readonly subresource?: 'status' | 'scale' | 'ephemeralcontainers' | 'approval';
  /** Takes over fields that another manager owns. Only for `apply`. @defaultValue false */
  readonly force?: boolean;
}

/**
 * A change of an object, in one of four formats. The body is a value; the client encodes it.
 *
 * `apply` describes the desired object. Its `fieldManager` is required. A field that this manager applied before, and
 * omits now, is removed. If the object does not exist, it is created.
 */
export type Patch =
  | { readonly type: 'json'; readonly body: readonly unknown[] }
  | { readonly type: 'merge'; readonly body: unknown }
  | { readonly type: 'strategic'; readonly body: unknown }
  | { readonly type: 'apply'; readonly body: unknown };

/** Preconditions of a deletion, its grace period, and its effect on dependents. */
export interface DeleteOptions extends CallOptions {
  /** Time for a graceful shutdown in seconds; 0: immediate. @defaultValue the value of the object or its kind */
  readonly gracePeriodSeconds?: number;
  /** The object is deleted only if these match. */
  readonly preconditions?: { readonly uid?: string; readonly resourceVersion?: string };
  /** The effect on dependents. @defaultValue the kind's policy: `Background` for most kinds */
  readonly propagationPolicy?: 'Orphan' | 'Background' | 'Foreground';
  readonly dryRun?: boolean;
}

/**
 * The result of a delete. While the object is only marked: its current state. After removal: its last state for kinds
 * that return it, and a `Success` for all other kinds.
 */
export type Deleted<T extends KubeObject> = T | Success;

/** A `Status` that reports success. `details` name the object. */
export interface Success {
  kind: 'Status';
  apiVersion: 'v1';
  metadata: Record<string, never>;
  status: 'Success';
  details: { name: string; group?: string; kind: string; uid: string };
}

/** Options of a binding. */
export interface BindOptions extends CallOptions {
  /** Binds the pod only if it has this uid. */
  readonly uid?: string;
  /** Validates the binding without storing it. @defaultValue false */
  readonly dryRun?: boolean;
}

/** Upstream: kubernetes/api@v0.36.3 autoscaling/v1/types.go Scale */
export interface Scale extends KubeObject {
  /** Go drops zero values: missing replicas mean 0. */
  spec: { replicas?: number };
  status: {
    replicas: number;
    /** The serialized label selector of the counted pods. */
    selector?: string;
  };
}

/** A token as requested and issued. Upstream: kubernetes/api@v0.36.3 authentication/v1/types.go TokenRequest */
export type TokenRequest = authentication.TokenRequest & {
  readonly spec: Required<Pick<authentication.TokenRequestSpec, 'audiences' | 'expirationSeconds'>>;
  readonly status: { readonly token: string; readonly expirationTimestamp: string };
};

/** The desired number of replicas of an object. */
export interface ScaleUpdate {
  readonly replicas: number;
  /** Updates the object only if it still has this resourceVersion. */
  readonly resourceVersion?: string;
  /**
   * The other metadata of the Scale. With a `uid`, only the object with this `uid` is updated. The rest must be valid,
   * and is not stored.
   */
  readonly metadata?: Partial<ObjectMeta>;
}

/**
 * A stream of changes. Iterate over it once. Leaving the loop or calling {@link Watch.stop} closes the stream. The
 * iteration ends without an error when the server ends the stream.
 *
 * Upstream: kubernetes/apimachinery@v0.36.3 pkg/watch/watch.go Interface
 */
export interface Watch<T extends KubeObject> extends AsyncIterable<WatchEvent<T>> {
  /** The number of events available without waiting, if known: upstream's `len(ResultChan())`. */
  readonly buffered?: number;

  /** Closes the stream, so a loop over it ends. It is safe to call it twice. */
  stop(): void;
}
