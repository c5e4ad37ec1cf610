import type { KubeObject, ObjectKey } from '../api/objects.ts';
import type { Resource } from '../api/resource.ts';
import type { Cause } from '../api/status.ts';
import type { Access, User, VerifiedToken } from '../contracts/access/index.ts';

/** The parts of an object with separate field owners, each with a separate writer. `''` is the object itself. */
export type Part = '' | 'status' | 'finalize' | KindPart;

/** Further parts that only some kinds have. */
export type KindPart = 'approval' | 'ephemeralcontainers';

/**
 * Everything that the apiserver knows about one kind, such as the differences between a Pod and a ConfigMap. The verbs
 * are the same for all kinds and call the {@link Kind}. Each kind has a file in `kinds/`.
 *
 * Objects are shared and frozen, so no function changes its argument. It returns the same object if nothing changes,
 * and otherwise a copy that shares the unchanged parts.
 *
 * Upstream: kubernetes/apiserver@v0.36.3 pkg/registry/rest/create.go RESTCreateStrategy and its siblings
 */
export interface Kind<T extends KubeObject = KubeObject> {
  readonly resource: Resource<T>;

  /** Fills in optional values. Called for each created or updated object before the comparison with the old one. */
  setDefaults(object: T): T;

  /**
   * Applies the admission plugins that are always on to a new object; `get` finds other objects. Called after
   * defaulting and before {@link prepareForCreate}.
   */
  admitCreate?(object: T, get: (resource: Resource, key: ObjectKey) => KubeObject | undefined): T;

  /**
   * Resets or sets fields that a client cannot choose on creation, usually the status. The verb has already set
   * `metadata.generation` and the other system fields.
   *
   * @param user - the user that creates it, if known
   */
  prepareForCreate(object: T, user?: User): T;

  /**
   * Returns the answer for kinds whose objects are never stored. Called after validation.
   *
   * Upstream: kubernetes/apiserver@v0.36.3 pkg/registry/rest/rest.go Creater, without a Storage of its own
   */
  answer?(object: T, asker: Asker): T;

  /** Returns the violations in the fields of `object`, including its metadata; empty if it can be stored. */
  validate(object: T): readonly Cause[];

  /** Like {@link prepareForCreate}, for an update through the main resource: usually keeps the old status. */
  prepareForUpdate(object: T, old: T): T;

  /**
   * Returns the violations in an update: those of {@link validate}, and changes of immutable fields, including
   * metadata.
   */
  validateUpdate(object: T, old: T): readonly Cause[];

  /** Returns warnings about a new object that is nevertheless stored. */
  warningsOnCreate?(object: T): readonly string[];

  /** Like {@link warningsOnCreate}, for an updated object. */
  warningsOnUpdate?(object: T): readonly string[];

  /**
   * The warning that this version of the kind is deprecated, with its replacement; sent with each answer.
   *
   * Upstream: kubernetes/apiserver@v0.36.3 pkg/endpoints/deprecation/deprecation.go WarningMessage
   */
  readonly deprecation?: string;

  /** Keeps everything but the status in an update through `/status`. Undefined without that subresource. */
  prepareForStatusUpdate?(object: T, old: T): T;

  validateStatusUpdate?(object: T, old: T): readonly Cause[];

  /**
   * Fills in times that a client may leave out, for kinds that record changes of their status. Called after
   * {@link prepareForStatusUpdate}, and after the update of a part.
   */
  setTimes?(object: T, old: T, now: string): T;

  /**
   * The fields, such as `metadata.labels`, that a write of a part resets, so that its manager never owns them.
   *
   * Upstream: GetResetFields of the strategies
   *
   * @defaultValue the status if it has a separate writer; for that writer, the spec
   */
  readonly resetFields?: { readonly [part in Part]?: readonly string[] };

  /**
   * Reports whether two objects have the same desired state. If not, the verb increments `metadata.generation`.
   * Undefined for kinds without a generation.
   */
  sameDesiredState?(object: T, old: T): boolean;

  /** Returns the fields for field selectors, besides `metadata.name` and `metadata.namespace`. */
  selectableFields(object: T): Readonly<Record<string, string>>;

  /** The names of {@link selectableFields}; a selector on any other field is a 400. */
  readonly selectableFieldNames: readonly string[];

  /**
   * A field by which many watchers select one object each: `spec.nodeName` for the kubelets' watches of pods. An event
   * then goes only to some of them. Lists by that field search only its objects.
   *
   * Upstream: kubernetes/kubernetes@v1.36.3 pkg/registry/core/pod/strategy.go NodeNameTriggerFunc, NodeNameIndexFunc
   */
  readonly watchIndex?: { readonly field: string; value(object: T): string };

  /** `PUT` to a name that does not exist creates it. @defaultValue false */
  readonly allowCreateOnUpdate?: boolean;

  /** Whether an update may omit the resourceVersion. @defaultValue true */
  readonly allowUnconditionalUpdate?: boolean;

  /** Validates `metadata.name`. Returns upstream's messages for an invalid name. */
  validateName(name: string): readonly string[];

  /**
   * Returns the grace period in seconds when a delete requests `asked`; 0 removes the object at once. Undefined for
   * kinds without a grace period.
   *
   * Upstream: kubernetes/apiserver@v0.36.3 pkg/registry/rest/delete.go RESTGracefulDeleteStrategy
   */
  gracePeriodSeconds?(object: T, asked: number | undefined): number;

  /**
   * The propagation policy if the client requests none. `Unsupported` means no dependents, whatever the client
   * requests, because the garbage collector ignores these objects and would never remove its finalizers.
   *
   * Upstream: kubernetes/apiserver@v0.36.3 pkg/registry/rest/delete.go GarbageCollectionDeleteStrategy
   *
   * @defaultValue `Background`
   */
  readonly defaultPropagationPolicy?: 'Background' | 'Orphan' | 'Unsupported';

  /** Whether a delete that removes the object returns it, rather than a `Status`. @defaultValue false */
  readonly returnsDeletedObject?: boolean;

  /**
   * For kinds that are deleted in two steps: the first delete marks them, and they disappear when their finalizers are
   * done.
   */
  readonly termination?: Termination<T>;

  /** For kinds that receive allocated values (cluster IP, node port). Called once per apiserver. */
  readonly newAllocator?: () => Allocator<T>;

  /**
   * For a version of a kind whose stored version differs. All other functions of the kind receive objects in the stored
   * version.
   */
  readonly conversion?: Conversion;

  /** For kinds with one of these subresources: like an update, but of that part alone. */
  readonly parts?: { readonly [part in KindPart]?: Pick<Kind<T>, 'prepareForUpdate' | 'validateUpdate'> };

  /** For kinds with a `scale` subresource. */
  readonly scale?: ScaleAccess<T>;
}

/** The requester of an answer that is not stored, and its access to other objects. */
export interface Asker {
  readonly user: User;
  /** Who may do what. Undefined if this apiserver asks nobody. */
  readonly access: Access | undefined;
  readonly nowMs: number;
  /** Checks the signature of a token of a service account, and nothing else. */
  verifyToken(token: string): VerifiedToken;
  /** Returns the newest state of an object. */
  get<O extends KubeObject>(resource: Resource<O>, key: ObjectKey): O | undefined;
}

/** The termination of a namespace, which is emptied before it disappears. */
interface Termination<T extends KubeObject> {
  /** Returns the object after the first delete, apart from its metadata. */
  begin(object: T, now: string): T;
  /** The finalizer that the first delete adds. */
  readonly finalizer?: string;
  /** Reports whether no finalizers remain outside of the metadata. */
  isFinalized(object: T): boolean;
}

/** The conversion between a version of a kind and its stored version. */
export interface Conversion {
  /** The resource of this version. */
  readonly served: Resource;
  /** The resource of the stored version. */
  readonly stored: Resource;
  /**
   * Converts an object to the stored version. Also receives applied configurations, which can be incomplete. Need not
   * convert apiVersion and kind.
   */
  toStored(object: object): object;
  /** Converts a stored object to this version. */
  fromStored(object: object): object;
}

/**
 * Allocates addresses and ports. It chooses values for a request, and learns from the writes which values are
 * allocated.
 */
export interface Allocator<T extends KubeObject> {
  /**
   * Returns the object with all its values, without allocating them yet. Called after defaulting, before
   * {@link Kind.prepareForCreate} and {@link Kind.prepareForUpdate}.
   *
   * @param old - the stored object, for an update
   * @throws StatusError when no value is left, or the requested one is not available
   */
  allocate(object: T, old?: T): T;
  /** Records a write: values in `current` are allocated, and values only in `previous` are free. */
  record(current: T | undefined, previous: T | undefined): void;
}

/** The location of the replicas in a scalable kind. */
export interface ScaleAccess<T extends KubeObject> {
  /** Returns the requested number; undefined if there is none, which is possible for a custom resource. */
  replicas(object: T): number | undefined;
  currentReplicas(object: T): number;
  /** Returns the selector in its string form. */
  selector(object: T): string;
  withReplicas(object: T, replicas: number): T;
  /**
   * The path of the replicas in a custom resource. If set, only the rules of the object apply to a sent Scale, not
   * those of the Scale itself.
   */
  readonly customPath?: string;
}
