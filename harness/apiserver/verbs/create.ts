import { freezeObject, isShared } from '../../api/freeze.ts';
import { generateName, isValidPathSegmentName } from '../../api/names.ts';
import { type KubeObject, keyOf, type New, type ObjectMeta } from '../../api/objects.ts';
import { groupVersion, namespaces, type Resource } from '../../api/resource.ts';
import { errors, failure, isAlreadyExists, StatusError } from '../../api/status.ts';
import type { WriteOptions } from '../../contracts/client.ts';
import { formatTime } from '../../sim/index.ts';
import { verifyToken } from '../access/legacy-tokens.ts';
import { withOwners } from '../apply/field-manager.ts';
import { scopeOf } from '../apply/field-scope.ts';
import { without } from '../copy-on-write.ts';
import { customVersionOf } from '../custom/custom-version.ts';
import { decode } from '../decode.ts';
import type { Eventually } from '../eventually.ts';
import type { Asker, Kind } from '../kind.ts';
import { ANONYMOUS, userNamed } from '../users.ts';
import { validatePlainObjectMeta } from '../validation/object-meta.ts';
import { admitted, checked, mutated } from './admitted.ts';
import { mustBeGrantableAs } from './grant.ts';
import { type Warned, withDistinctOwners } from './owner-references.ts';
import { inNamespace } from './placed.ts';
import { allocated, type Registry, writeBy } from './registry.ts';
import { mustBeValid } from './store.ts';

/** Maximum number of attempts for a name from `generateName`. Upstream: maxNameGenerationCreateAttempts */
const NAMES_MAX = 8;

/**
 * Creates an object: decodes, defaults, names, validates and writes it. If a generated name is taken, tries another
 * one.
 *
 * Upstream: kubernetes/apiserver@v0.36.3 pkg/registry/generic/registry/store.go Store.Create
 */
export async function create<T extends KubeObject>(
  registry: Registry,
  resource: Resource<T>,
  sent: New<T>,
  options: WriteOptions & Warned,
): Promise<T> {
  const { object } = decode<T>(resource, sent, {
    fieldValidation: options.fieldValidation ?? 'Strict',
    isTrusted: isShared,
  });
  const decoded = withDistinctOwners(object, options);
  const kind = registry.kindOf(resource);
  const { answer } = kind;
  if (answer) {
    const { namespace = '', name = '' } = (decoded.metadata ?? {}) as Partial<ObjectMeta>;
    const write = { operation: 'CREATE', resource, namespace, name, options } as const;
    return admitted(registry, write, decoded, {
      prepare: (review) => validated(kind, review),
      store: (review) => answered(registry, answer, review),
    });
  }
  if (decoded.metadata?.resourceVersion) throw new StatusError(RESOURCE_VERSION_SET);
  return createDecoded(registry, kind, ownedFromStart(registry, kind, decoded, options), options);
}

function validated<T extends KubeObject>(kind: Kind<T>, object: T): T {
  mustBeValid(kind.resource, '', kind.validate(object));
  return object;
}

/** Answers a request whose object is not stored. */
function answered<T extends KubeObject>(
  { storage, clock, user = userNamed(ANONYMOUS), access, tokens }: Registry,
  answer: NonNullable<Kind<T>['answer']>,
  object: T,
): T {
  const get: Asker['get'] = (resource, key) => storage.get(resource, key) as never;
  const asker: Asker = {
    user,
    access,
    nowMs: clock.now(),
    verifyToken: (token) => verifyToken(tokens, token, get),
    get,
  };
  return freezeObject(answer(object, asker));
}

/**
 * Returns a decoded new object with its field owners: those in its metadata, and the manager that creates it. Without
 * owners in the metadata, the creator is recorded only if the server tracks owners from the creation on.
 */
export function ownedFromStart<T extends KubeObject>(
  registry: Registry,
  kind: Kind<T>,
  object: T,
  options: WriteOptions,
): T {
  const { metadata } = object as { readonly metadata?: Partial<ObjectMeta> };
  const tracks = registry.trackOnCreate && metadata !== undefined;
  if (!metadata?.managedFields && !tracks) return object;
  const scope = scopeOf(kind, '');
  const empty = scope.empty as unknown as T;
  return withOwners(scope, empty, kind.setDefaults(object), { ...writeBy(registry, options), tracks });
}

/**
 * Like {@link create}, for a decoded object.
 *
 * @param confirm - called before the object is stored; throws if it may not be
 */
export function createDecoded<T extends KubeObject>(
  registry: Registry,
  kind: Kind<T>,
  decoded: T,
  options: WriteOptions & Warned,
  confirm?: (object: T) => void,
): Eventually<T> {
  const { resource } = kind;
  const sent = (decoded.metadata ?? {}) as Partial<ObjectMeta>;
  if (customVersionOf(resource)?.isTerminating) {
    const why = 'create not allowed while custom resource definition is terminating';
    throw errors.forbidden(resource, sent.name ?? '', why);
  }
  if (resource.namespaced && !sent.namespace) {
    throw errors.badRequest('an empty namespace may not be set during creation');
  }
  const attempt = new Attempt(registry, kind, options, confirm);
  if (!registry.admission) admitIntoNamespace(registry, resource, sent);
  const isPlain = !registry.admission && !registry.onStep;
  return isPlain ? attempt.unadmitted(decoded) : attempt.admitted(decoded);
}

/** The attempts to create one object. A generated name can be taken, and then another one is tried. */
class Attempt<T extends KubeObject> {
  readonly #registry: Registry;
  readonly #kind: Kind<T>;
  readonly #options: WriteOptions & Warned;
  readonly #confirm: ((object: T) => void) | undefined;

  constructor(
    registry: Registry,
    kind: Kind<T>,
    options: WriteOptions & Warned,
    confirm: ((object: T) => void) | undefined,
  ) {
    this.#registry = registry;
    this.#kind = kind;
    this.#options = options;
    this.#confirm = confirm;
  }

  unadmitted(decoded: T): Eventually<T> {
    for (let tries = 1; ; tries++) {
      try {
        return this.#store(this.#prepare(decoded));
      } catch (error) {
        this.#mustTryAgain(error, decoded, tries);
      }
    }
  }

  async admitted(decoded: T): Promise<T> {
    const { resource } = this.#kind;
    const { namespace = '', name = '' } = (decoded.metadata ?? {}) as Partial<ObjectMeta>;
    const options = this.#options;
    const write = { operation: 'CREATE', resource, namespace, name, options } as const;
    // A client in the same process may omit the apiVersion and the kind.
    const typed = { ...decoded, apiVersion: groupVersion(resource), kind: resource.kind };
    const changed = await mutated(this.#registry, write, this.#kind.setDefaults(typed));
    // The request was authorized for this namespace: a plugin cannot choose another one.
    const object = inNamespace(resource.namespaced ? namespace : undefined, changed);
    for (let tries = 1; ; tries++) {
      try {
        const prepared = this.#prepare(object);
        return await checked(this.#registry, write, prepared, (checkedObject) => this.#store(checkedObject));
      } catch (error) {
        this.#mustTryAgain(error, object, tries);
      }
    }
  }

  #mustTryAgain(error: unknown, { metadata }: T, tries: number): void {
    const { name, generateName } = (metadata ?? {}) as Partial<ObjectMeta>;
    const isNamed = Boolean(name || !generateName);
    if (isNamed || tries === NAMES_MAX || !isAlreadyExists(error)) throw error;
  }

  /**
   * Returns the object with its name, its system fields and its allocated values, validated.
   *
   * Upstream: kubernetes/apiserver@v0.36.3 pkg/registry/rest/create.go BeforeCreate
   */
  #prepare(decoded: T): T {
    const kind = this.#kind;
    const { resource } = kind;
    const registry = this.#registry;
    const { storage, user } = registry;
    const named = withSystemFields(registry, resource, decoded);
    const complete = allocated(registry, kind, kind.setDefaults(named));
    const changed = kind.admitCreate?.(complete, (of, key) => storage.get(of, key)) ?? complete;
    const prepared = kind.prepareForCreate(changed, user);
    const object = kind.sameDesiredState ? withGeneration(prepared, 1) : prepared;
    mustBeGrantableAs(registry, resource, object, decoded.metadata?.name);
    mustBeValid(resource, object.metadata.name, kind.validate(object));
    // Kinds can have their own rules for names, but every name must fit into a URL.
    const { namespaced } = resource;
    const rules = { namespaced, validateName: isValidPathSegmentName };
    mustBeValid(resource, object.metadata.name, validatePlainObjectMeta(object.metadata, rules));
    return object;
  }

  #store(object: T): Eventually<T> {
    const { storage, writes, author } = this.#registry;
    const { resource } = this.#kind;
    this.#confirm?.(object);
    const taken = storage.get(resource, keyOf(object));
    if (taken) throw nameTaken(resource, object, taken);
    return this.#options.dryRun ? freezeObject(object) : writes.create(resource, object, author);
  }
}

/**
 * Upstream: kubernetes/apiserver@v0.36.3 pkg/registry/rest/create.go CheckGeneratedNameError, and
 * pkg/registry/generic/registry/store.go Store.create for an object that is being deleted
 */
function nameTaken(resource: Resource, { metadata }: KubeObject, taken: KubeObject): StatusError {
  const { name, generateName } = metadata;
  const { status } = generateName
    ? errors.generateNameConflict(resource, name)
    : errors.alreadyExists(resource, name);
  const isGoing = taken.metadata.deletionTimestamp !== undefined;
  const message = isGoing ? `object is being deleted: ${status.message}` : status.message;
  return new StatusError({ ...status, message });
}

/** Upstream: kubernetes/apiserver@v0.36.3 pkg/storage/errors.go ErrResourceVersionSetOnCreate */
const RESOURCE_VERSION_SET = failure(
  'InternalError',
  'resourceVersion should not be set on objects to be created',
);

/** Returns a copy of the object with this `metadata.generation`. */
export function withGeneration<T extends KubeObject>(object: T, generation: number): T {
  return { ...object, metadata: { ...object.metadata, generation } };
}

/** Sets name, uid and creation time, which the server decides. Ignores the client's values for system fields. */
function withSystemFields<T extends KubeObject>(
  { random, clock }: Registry,
  resource: Resource<T>,
  object: T,
): T {
  const sent = (object.metadata ?? {}) as Partial<ObjectMeta>;
  const name = sent.name || (sent.generateName ? generateName(sent.generateName, () => random.float()) : '');
  return {
    ...object,
    apiVersion: groupVersion(resource),
    kind: resource.kind,
    metadata: {
      ...without(sent, 'deletionTimestamp', 'deletionGracePeriodSeconds', 'selfLink', 'generation'),
      name,
      uid: random.uuid(),
      creationTimestamp: formatTime(clock.now()),
    },
  };
}

/**
 * Rejects an object whose namespace is missing or terminating.
 *
 * Upstream: kubernetes/apiserver@v0.36.3 pkg/admission/plugin/namespace/lifecycle/admission.go Lifecycle.Admit
 */
function admitIntoNamespace(
  registry: Registry,
  resource: Resource,
  { namespace = '', name, generateName }: Partial<ObjectMeta>,
): void {
  if (!resource.namespaced) return;
  const parent = registry.storage.get(namespaces, { name: namespace });
  if (!parent) throw errors.notFound(namespaces, namespace);
  const { phase } = (parent as { status?: { phase?: string } }).status ?? {};
  if (phase !== 'Terminating') return;
  const why = `unable to create new content in namespace ${namespace} because it is being terminated`;
  // The name is not generated yet.
  const error = errors.forbidden(resource, name || generateName || 'Unknown', why);
  error.status.details = {
    ...error.status.details,
    causes: [
      {
        reason: 'NamespaceTerminating',
        message: `namespace ${namespace} is being terminated`,
        field: 'metadata.namespace',
      },
    ],
  };
  throw error;
}
