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
 * How a component talks to an apiserver. One interface, several ways in: in a simulation the connection goes
 * straight to the verbs, elsewhere over HTTP. A component cannot tell which, so a finished one runs unchanged
 * against a real cluster.
 *
 * Every method rejects with a {@link StatusError} when the server refuses, with a {@link ConnectionError} when
 * it cannot be reached, and with `signal.reason` when it is aborted. Every object that comes back is shared and
 * deeply frozen: copy before you change.
 *
 * Upstream: kubernetes/client-go@v0.36.3 dynamic/interface.go ResourceInterface
 */
export interface Client {
  /**
   * @throws StatusError NotFound; Timeout when the replica has not reached `resourceVersion` in three seconds;
   * InternalError when that is no number
   */
  get<T extends KubeObject>(resource: Resource<T>, key: ObjectKey, options?: GetOptions): Promise<T>;

  /**
   * @throws StatusError Expired when `resourceVersion` or `continue` is compacted away; Timeout when the replica
   * has not reached `resourceVersion` in three seconds; BadRequest when one of them cannot be read; Invalid
   */
  list<T extends KubeObject>(resource: Resource<T>, options?: ListOptions): Promise<List<T>>;

  /**
   * Opens a stream of changes. That the revision is too old is told *in* the stream, by an `ERROR` event with
   * code 410, as a real apiserver does; and so, with code 504, that a streaming list waited three seconds for a
   * revision that the replica has not reached.
   *
   * @throws StatusError BadRequest, Invalid: the options make no sense; InternalError: `resourceVersion` is no number
   */
  watch<T extends KubeObject>(resource: Resource<T>, options?: WatchOptions): Promise<Watch<T>>;

  /** @throws StatusError AlreadyExists, Invalid, NotFound (no such namespace), Forbidden (it is going away) */
  create<T extends KubeObject>(resource: Resource<T>, object: New<T>, options?: WriteOptions): Promise<T>;

  /**
   * Replaces the object, all but its status. With `metadata.resourceVersion` set it is a compare-and-swap,
   * without it the last writer wins.
   *
   * @throws StatusError NotFound, Conflict, Invalid
   */
  update<T extends KubeObject>(resource: Resource<T>, object: Updated<T>, options?: WriteOptions): Promise<T>;

  /** Replaces the status and nothing else. @throws StatusError NotFound, Conflict, Invalid */
  updateStatus<T extends KubeObject>(
    resource: Resource<T>,
    object: Updated<T>,
    options?: WriteOptions,
  ): Promise<T>;

  /**
   * Changes the object as the patch says; the server reads and writes it in one step.
   *
   * @throws StatusError NotFound, Conflict (it was changed; or others own what is applied), Invalid
   */
  patch<T extends KubeObject>(
    resource: Resource<T>,
    key: ObjectKey,
    patch: Patch,
    options?: PatchOptions,
  ): Promise<T>;

  /**
   * Asks for the object to go. It is gone at once, or, with finalizers or a grace period, marked by
   * `deletionTimestamp` and still there.
   *
   * @throws StatusError NotFound, Conflict (a precondition does not hold)
   */
  delete<T extends KubeObject>(
    resource: Resource<T>,
    key: ObjectKey,
    options?: DeleteOptions,
  ): Promise<Deleted<T>>;

  /** Deletes what the selectors select, one by one; not atomic. Resolves with what was selected. */
  deleteCollection<T extends KubeObject>(
    resource: Resource<T>,
    options?: DeleteOptions & ListOptions,
  ): Promise<List<T>>;

  /** Assigns a pod to a node, once and for all. @throws StatusError NotFound, Conflict (already assigned) */
  bind(pod: ObjectKey, nodeName: string, options?: BindOptions): Promise<void>;

  /**
   * Deletes a pod if its disruption budgets allow.
   *
   * @throws StatusError TooManyRequests when a budget forbids it now; InternalError when more than one applies
   */
  evict(pod: ObjectKey, options?: DeleteOptions): Promise<void>;

  /**
   * Adds ephemeral containers to a pod that runs; nothing else of it changes. None can be changed or taken away again.
   *
   * @throws StatusError NotFound, Conflict, Invalid
   */
  updateEphemeralContainers(pod: Updated<Pod>, options?: WriteOptions): Promise<Pod>;

  /**
   * Approves or denies a request for a certificate, by a condition of this type; besides the conditions its status stays.
   * There is no way back.
   *
   * @throws StatusError NotFound, Conflict, Invalid
   */
  updateApproval(
    request: Updated<CertificateSigningRequest>,
    options?: WriteOptions,
  ): Promise<CertificateSigningRequest>;

  /**
   * Asks for a token with which its bearer is a service account. Nothing is stored.
   *
   * @throws StatusError NotFound (no such account, or nothing to bind the token to), Conflict (another uid), Invalid
   */
  createToken(
    serviceAccount: ObjectKey,
    request: authentication.TokenRequest,
    options?: WriteOptions,
  ): Promise<TokenRequest>;

  /**
   * Replaces the finalizers in a namespace's spec, which nothing else can: how one that was deleted and emptied is let go.
   *
   * @throws StatusError NotFound, Conflict, Invalid
   */
  finalize(namespace: Updated<Namespace>, options?: WriteOptions): Promise<Namespace>;

  /** Reads how many replicas a scalable object wants and has. */
  getScale(resource: Resource, key: ObjectKey, options?: CallOptions): Promise<Scale>;

  /** Sets how many replicas it wants. @throws StatusError NotFound, Conflict, Invalid */
  updateScale(resource: Resource, key: ObjectKey, scale: ScaleUpdate, options?: WriteOptions): Promise<Scale>;
}

/** An object to write back: as it was read, or with the parts changed that you want changed. */
export type Updated<T extends KubeObject> = Omit<T, 'metadata' | 'status'> & {
  metadata: Partial<ObjectMeta> & { name: string };
  status?: unknown;
};

/** What every call takes. */
export interface CallOptions {
  /** Aborts the call, and a watch for as long as it lasts. */
  readonly signal?: AbortSignal;
}

/** How new the object has to be. */
export interface GetOptions extends CallOptions {
  /**
   * Absent: the newest state. `'0'`: any state, however old, that the replica has at hand. Any other: a state
   * at least as new as this.
   */
  readonly resourceVersion?: string;
}

/** Which objects. */
export interface Selection {
  /** Absent: all namespaces. */
  readonly namespace?: string;
  /** As kubectl writes it: `app=web,tier in (front, back)`. */
  readonly labelSelector?: string;
  /** `metadata.name=web`, `spec.nodeName=node-1`: only the fields that the kind allows. */
  readonly fieldSelector?: string;
}

/** What is listed, how new it has to be, and how much of it at a time. */
export interface ListOptions extends CallOptions, Selection {
  /** As in {@link GetOptions}; together with `resourceVersionMatch`. With `'0'` a limit counts for nothing. */
  readonly resourceVersion?: string;
  /** @defaultValue where a resourceVersion is given: `NotOlderThan`; with a limit, too, `Exact` */
  readonly resourceVersionMatch?: 'Exact' | 'NotOlderThan';
  /** Items per page at most. Absent: all at once. */
  readonly limit?: number;
  /** From the page before. Leave `resourceVersion` out, or `'0'`: the token knows it, and a server refuses both. */
  readonly continue?: string;
}

/** What is watched, from where, and for how long. */
export interface WatchOptions extends CallOptions, Selection {
  /**
   * Changes after this revision. Absent or `'0'`: see `sendInitialEvents`, which is true then unless the caller says
   * otherwise.
   */
  readonly resourceVersion?: string;
  /**
   * Does the stream begin with what there is, one `ADDED` event an object, before it tells of changes? That is a streaming
   * list. What there is is as new as in a list: with no `resourceVersion` it is the newest, with `'0'` it may be stale, and
   * otherwise it is at least as new as that. With `allowWatchBookmarks` a bookmark says where what there is ends: see
   * {@link isInitialEventsEnd}.
   *
   * False: only changes. They begin now where `resourceVersion` is absent or `'0'`.
   *
   * Say `resourceVersionMatch`, too, or the server refuses it.
   *
   * @defaultValue true without a `resourceVersion`, and with `'0'`; false otherwise
   */
  readonly sendInitialEvents?: boolean;
  /** Goes with `sendInitialEvents`, and only with it. */
  readonly resourceVersionMatch?: 'NotOlderThan';
  /** Asks for `BOOKMARK` events. @defaultValue false */
  readonly allowWatchBookmarks?: boolean;
  /** The server ends the stream after this many seconds. @defaultValue 30 to 60 minutes, at random */
  readonly timeoutSeconds?: number;
}

/** How something is written. */
export interface WriteOptions extends CallOptions {
  /** Does everything but write. @defaultValue false */
  readonly dryRun?: boolean;
  readonly fieldManager?: string;
  /** What becomes of fields that the kind does not have. @defaultValue `Strict` for our clients */
  readonly fieldValidation?: 'Ignore' | 'Warn' | 'Strict';
}

/** How a patch is written, and to which part of the object. */
export interface PatchOptions extends WriteOptions {
  /** Patches the subresource instead. */
  readonly subresource?: 'status' | 'scale' | 'ephemeralcontainers' | 'approval';
  /** Takes the fields that others own: for `apply`, and only there. @defaultValue false */
  readonly force?: boolean;
}

/**
 * The ways to say what is to change. The body is what travels, as a value.
 *
 * `apply` says what the object is to be: what the `fieldManager`, which must be named, applied before and does not
 * say any more goes. Where there is no object it is created.
 */
export type Patch =
  | { readonly type: 'json'; readonly body: readonly unknown[] }
  | { readonly type: 'merge'; readonly body: unknown }
  | { readonly type: 'strategic'; readonly body: unknown }
  | { readonly type: 'apply'; readonly body: unknown };

/** On which conditions an object is deleted, how fast, and what becomes of its dependents. */
export interface DeleteOptions extends CallOptions {
  /** Seconds for the object to end in good order; 0: at once. @defaultValue what the object or its kind says */
  readonly gracePeriodSeconds?: number;
  /** Only if this still holds. */
  readonly preconditions?: { readonly uid?: string; readonly resourceVersion?: string };
  /** What becomes of dependents. @defaultValue what the kind says: `Background` for most */
  readonly propagationPolicy?: 'Orphan' | 'Background' | 'Foreground';
  readonly dryRun?: boolean;
}

/**
 * What a delete gives back: the object, as it is now when it is only marked, or as it last was for kinds that
 * return it; for all other kinds, that it is gone.
 */
export type Deleted<T extends KubeObject> = T | Success;

/** A `Status` that says: done. `details` name what it was done to. */
export interface Success {
  kind: 'Status';
  apiVersion: 'v1';
  metadata: Record<string, never>;
  status: 'Success';
  details: { name: string; group?: string; kind: string; uid: string };
}

/** On which condition a pod is bound, and whether it is. */
export interface BindOptions extends CallOptions {
  /** Only this incarnation of the pod. */
  readonly uid?: string;
  /** Does everything but write. @defaultValue false */
  readonly dryRun?: boolean;
}

/** Upstream: kubernetes/api@v0.36.3 autoscaling/v1/types.go Scale */
export interface Scale extends KubeObject {
  spec: { replicas: number };
  status: {
    replicas: number;
    /** Serialised label selector of the pods that are counted. */
    selector?: string;
  };
}

/** A token as it was asked for and given. Upstream: kubernetes/api@v0.36.3 authentication/v1/types.go TokenRequest */
export type TokenRequest = authentication.TokenRequest & {
  readonly spec: Required<Pick<authentication.TokenRequestSpec, 'audiences' | 'expirationSeconds'>>;
  readonly status: { readonly token: string; readonly expirationTimestamp: string };
};

/** How many replicas an object is to want. */
export interface ScaleUpdate {
  readonly replicas: number;
  /** Only if the object still has this resourceVersion. */
  readonly resourceVersion?: string;
  /** What the Scale says besides: only if the object has this `uid`; the rest must be valid, and is not stored. */
  readonly metadata?: Partial<ObjectMeta>;
}

/**
 * A stream of changes. Iterate over it once; to leave the loop, or {@link Watch.stop}, closes it. The iteration
 * ends without an error when the server ends the stream.
 *
 * Upstream: kubernetes/apimachinery@v0.36.3 pkg/watch/watch.go Interface
 */
export interface Watch<T extends KubeObject> extends AsyncIterable<WatchEvent<T>> {
  /** How many events can be had without waiting, where that is known: upstream's `len(ResultChan())`. */
  readonly buffered?: number;

  /** Closes the stream: a loop over it ends. To stop twice does no harm. */
  stop(): void;
}
