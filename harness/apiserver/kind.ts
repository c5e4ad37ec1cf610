import type { KubeObject, ObjectKey } from '../api/objects.ts';
import type { Resource } from '../api/resource.ts';
import type { Cause } from '../api/status.ts';

/** The parts of an object in which fields have owners, each with a writer of its own. `''` is the object itself. */
export type Part = '' | 'status' | 'finalize' | KindPart;

/** Further parts of an object, of which only some kinds have one. */
export type KindPart = 'approval' | 'ephemeralcontainers';

/**
 * What the apiserver knows of one kind: everything in which a Pod differs from a ConfigMap. The verbs are the
 * same for all; they ask the {@link Kind}. One file a kind, under `kinds/`.
 *
 * Objects are shared and frozen, so nothing here changes its argument: a function returns the very same object
 * when it has nothing to change, and a copy that shares what did not change otherwise.
 *
 * Upstream: kubernetes/apiserver@v0.36.3 pkg/registry/rest/create.go RESTCreateStrategy and its siblings
 */
export interface Kind<T extends KubeObject = KubeObject> {
  readonly resource: Resource<T>;

  /** Fills in what a client may leave out. Applied to all that is created or updated, before it is compared. */
  setDefaults(object: T): T;

  /**
   * What admission plugins that are always on add to a new object, from other objects that `get` finds. Asked after
   * defaulting, before {@link prepareForCreate}.
   */
  admitCreate?(object: T, get: (resource: Resource, key: ObjectKey) => KubeObject | undefined): T;

  /**
   * Removes or sets what a client may not decide when it creates: the status, for most. `metadata.generation`
   * and the other system fields are set by the verb already.
   *
   * @param user who creates it, where that is known
   */
  prepareForCreate(object: T, user?: string): T;

  /**
   * For kinds whose objects are never stored: what a new one is answered with. Asked once it is valid.
   *
   * Upstream: kubernetes/apiserver@v0.36.3 pkg/registry/rest/rest.go Creater, without a Storage of its own
   */
  answer?(object: T, asker: Asker): T;

  /** Every rule that `object` breaks, its metadata included, field by field; empty when it may be stored. */
  validate(object: T): readonly Cause[];

  /** Like {@link prepareForCreate}, for an update through the main resource: keeps the old status, for most. */
  prepareForUpdate(object: T, old: T): T;

  /** Every rule that this change breaks: those of {@link validate}, and the fields that are immutable, metadata included. */
  validateUpdate(object: T, old: T): readonly Cause[];

  /** What a client should know of a new object, although it may be stored. */
  warningsOnCreate?(object: T): readonly string[];

  /** {@link warningsOnCreate}, of an object that was updated. */
  warningsOnUpdate?(object: T): readonly string[];

  /**
   * That this version of the kind should no longer be used, and what instead; told with every answer.
   *
   * Upstream: kubernetes/apiserver@v0.36.3 pkg/endpoints/deprecation/deprecation.go WarningMessage
   */
  readonly deprecation?: string;

  /** For an update through `/status`: keeps everything but the status. Absent without that subresource. */
  prepareForStatusUpdate?(object: T, old: T): T;

  validateStatusUpdate?(object: T, old: T): readonly Cause[];

  /**
   * For kinds that note when their status changed: fills in the times that a client leaves out. Asked after
   * {@link prepareForStatusUpdate}, and after that of a part.
   */
  setTimes?(object: T, old: T, now: string): T;

  /**
   * What a writer of a part does not write, as `metadata.labels`, and so does not come to own.
   *
   * Upstream: GetResetFields of the strategies
   *
   * @defaultValue the status where it has a writer of its own; for that writer, the spec
   */
  readonly resetFields?: { readonly [part in Part]?: readonly string[] };

  /**
   * Is the desired state of the two the same? If not, the verb moves `metadata.generation` on. Absent for kinds
   * that have no generation.
   */
  sameDesiredState?(object: T, old: T): boolean;

  /** What field selectors may select, besides `metadata.name` and `metadata.namespace`. */
  selectableFields(object: T): Readonly<Record<string, string>>;

  /** The names of {@link selectableFields}; a selector on any other field is a 400. */
  readonly selectableFieldNames: readonly string[];

  /**
   * A field by which many watchers select one object each, so that an event need not be shown to all of them:
   * `spec.nodeName` for the kubelets' watches of pods. Lists by that field look at its objects alone.
   *
   * Upstream: kubernetes/kubernetes@v1.36.3 pkg/registry/core/pod/strategy.go NodeNameTriggerFunc, NodeNameIndexFunc
   */
  readonly watchIndex?: { readonly field: string; value(object: T): string };

  /** `PUT` to a name that does not exist creates it. @defaultValue false */
  readonly allowCreateOnUpdate?: boolean;

  /** May an update leave out the resourceVersion? @defaultValue true */
  readonly allowUnconditionalUpdate?: boolean;

  /** The rules for `metadata.name`: upstream's messages for a name that breaks them. */
  validateName(name: string): readonly string[];

  /**
   * How long the object may take to end, in seconds, when a delete asks for `asked`; 0 removes it at once.
   * Absent for kinds that always go at once.
   *
   * Upstream: kubernetes/apiserver@v0.36.3 pkg/registry/rest/delete.go RESTGracefulDeleteStrategy
   */
  gracePeriodSeconds?(object: T, asked: number | undefined): number;

  /**
   * What becomes of dependents when the client does not say. `Unsupported`: there are none, whatever the client says,
   * because the garbage collector does not look at these objects and would never let them go.
   *
   * Upstream: kubernetes/apiserver@v0.36.3 pkg/registry/rest/delete.go GarbageCollectionDeleteStrategy
   *
   * @defaultValue `Background`
   */
  readonly defaultPropagationPolicy?: 'Background' | 'Orphan' | 'Unsupported';

  /** Does a delete that removes the object give it back? If not, it gives a `Status`. @defaultValue false */
  readonly returnsDeletedObject?: boolean;

  /** For kinds that end in two steps: marked by the first delete, and gone once others are done with them. */
  readonly termination?: Termination<T>;

  /** For kinds that are given something of which there is only so much. Called once for each apiserver. */
  readonly newAllocator?: () => Allocator<T>;

  /**
   * For a further version of a kind that is stored in another one. All other functions of the kind are given objects as
   * they are stored.
   */
  readonly conversion?: Conversion;

  /** For kinds with one of these subresources: like an update, though of that part alone. */
  readonly parts?: { readonly [part in KindPart]?: Pick<Kind<T>, 'prepareForUpdate' | 'validateUpdate'> };

  /** For kinds with a `scale` subresource. */
  readonly scale?: ScaleAccess<T>;
}

/** Who asks for what is answered and not stored, and whom it asks. */
export interface Asker {
  readonly user: string;
  readonly nowMs: number;
  /** The newest state of an object. */
  get<O extends KubeObject>(resource: Resource<O>, key: ObjectKey): O | undefined;
}

/** How a namespace ends: emptied before it goes. */
interface Termination<T extends KubeObject> {
  /** What the first delete makes of the object, besides its metadata. */
  begin(object: T, now: string): T;
  /** What the first delete has the object wait for. */
  readonly finalizer?: string;
  /** Does nothing outside of the metadata keep it any more? */
  isFinalized(object: T): boolean;
}

/** How a version of a kind differs from the one in which its objects are stored. */
export interface Conversion {
  /** The resource of this version. */
  readonly served: Resource;
  /** The resource under which they are stored. */
  readonly stored: Resource;
  /**
   * What was written in this version, in the words of the stored one. Also asked of a configuration that is applied, of which
   * parts may be absent. Its apiVersion and kind need not be converted.
   */
  toStored(object: object): object;
  /** What is stored, in the words of this version. */
  fromStored(object: object): object;
}

/** Hands out addresses and ports. It chooses for a request; what is taken, it learns from the writes. */
export interface Allocator<T extends KubeObject> {
  /**
   * The object with all that it needs, which is not taken by that. Asked after defaulting, before
   * {@link Kind.prepareForCreate} and {@link Kind.prepareForUpdate}.
   *
   * @param old the stored object, for an update
   * @throws StatusError when there is nothing left, or not what the object asks for
   */
  allocate(object: T, old?: T): T;
  /** Told of every write: what `current` has is taken, what only `previous` had is free. */
  record(current: T | undefined, previous: T | undefined): void;
}

/** Where a scalable kind keeps the numbers that `Scale` shows. */
export interface ScaleAccess<T extends KubeObject> {
  /** Undefined where none are asked for, which a custom resource may leave open. */
  replicas(object: T): number | undefined;
  currentReplicas(object: T): number;
  /** The selector in its string form. */
  selector(object: T): string;
  withReplicas(object: T, replicas: number): T;
  /** Where the object says it, if what is sent is held to the rules of the object, and to none of its own. */
  readonly customPath?: string;
}
