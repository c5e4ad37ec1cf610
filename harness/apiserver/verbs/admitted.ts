import type { KubeObject } from '../../api/objects.ts';
import type { Resource } from '../../api/resource.ts';
import type { AdmissionAttributes, Operation } from '../../contracts/admission/index.ts';
import { decodeManaged } from '../apply/managed-fields.ts';
import { without } from '../copy-on-write.ts';
import type { Eventually } from '../eventually.ts';
import type { AdmissionPhase } from '../request-steps.ts';
import { REQUEST_TIMEOUT_MS } from '../request-timeout.ts';
import { Superseded } from '../storage/object-writes.ts';
import { userNamed } from '../users.ts';
import { type Warned, withDistinctOwners } from './owner-references.ts';
import type { Registry } from './registry.ts';

/** A write, as far as admission needs to know it. */
export interface AdmittedWrite {
  readonly operation: Operation;
  readonly resource: Resource;
  /** @defaultValue the object itself */
  readonly subresource?: string;
  readonly namespace: string;
  /** Empty for a name that is not generated yet. */
  readonly name: string;
  /** The stored object. If it changes during admission, the write is {@link Superseded}. */
  readonly old?: KubeObject;
  /** The old object as plugins see it. @defaultValue `old` */
  readonly oldView?: KubeObject;
  readonly options: { readonly dryRun?: boolean } & Warned;
}

/** The steps of a write around admission. */
interface Steps<T, R> {
  /** Returns the object as it would be stored. @throws StatusError Invalid */
  readonly prepare: (object: T) => T;
  /** Stores the object. */
  readonly store: (object: T) => Eventually<R>;
}

/**
 * Leads a write through admission: plugins change the object, `prepare` completes and validates it, plugins check it,
 * and `store` writes it. Without admission only `prepare` and `store` run, at once.
 *
 * @throws Superseded when another write changed the stored object in the meantime
 */
export function admitted<T extends KubeObject, R>(
  registry: Registry,
  write: AdmittedWrite,
  object: T,
  { prepare, store }: Steps<T, R>,
): Eventually<R> {
  const { admission, onStep } = registry;
  if (!admission && !onStep) return store(prepare(object));
  return mutated(registry, write, object).then((changed) =>
    checked(registry, write, prepare(changed), store),
  );
}

/** The mutating phase: returns the object as the plugins leave it. */
export async function mutated<T extends KubeObject>(
  registry: Registry,
  write: AdmittedWrite,
  object: T,
): Promise<T> {
  const { admission, onStep } = registry;
  if (!admission) return object;
  const attributes = { ...attributesOf(registry, write), object };
  begin(registry, 'mutating', attributes);
  const changed = ((await admission.admit(attributes)) ?? object) as T;
  onStep?.({ step: 'mutating admission', before: object, after: changed });
  return changed === object ? object : repaired(object, changed, write.options);
}

/**
 * Removes duplicate owners, and restores the owners of fields if a plugin has made them invalid. Warns about both.
 *
 * Upstream: kubernetes/apiserver@v0.36.3 pkg/endpoints/handlers/fieldmanager/admission.go
 * managedFieldsValidatingAdmissionController.Admit, pkg/endpoints/handlers/create.go createHandler
 */
function repaired<T extends KubeObject>(before: T, changed: T, options: Warned): T {
  const { managedFields } = changed.metadata ?? {};
  try {
    if (managedFields !== before.metadata?.managedFields) decodeManaged(managedFields ?? []);
    return withDistinctOwners(changed, options, true);
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    options.onWarning?.(
      `.metadata.managedFields was in an invalid state after admission; this could be caused by an outdated mutating admission controller; please fix your requests: ${why}`,
    );
    const { managedFields: owners } = before.metadata;
    const metadata = {
      ...without(changed.metadata, 'managedFields'),
      ...(owners && { managedFields: owners }),
    };
    return withDistinctOwners({ ...changed, metadata }, options, true);
  }
}

/** The validating phase: stores the object if no plugin refuses it. */
export async function checked<T extends KubeObject, R>(
  registry: Registry,
  write: AdmittedWrite,
  object: T,
  store: (object: T) => Eventually<R>,
): Promise<R> {
  const { admission, onStep } = registry;
  onStep?.({ step: 'validation', object });
  if (admission) {
    const name = write.name || object.metadata?.name || '';
    const attributes = { ...attributesOf(registry, { ...write, name }), object };
    begin(registry, 'validating', attributes);
    await admission.validate(attributes);
    onStep?.({ step: 'validating admission', object });
    mustBeNewest(registry, write);
  }
  const storing = store(object);
  const stored = storing instanceof Promise ? await storing : storing;
  onStep?.({ step: 'stored', object: stored as KubeObject });
  return stored;
}

/**
 * Leads a request through both phases at once, for a request whose object is not the stored one: a delete, or a
 * subresource such as `binding`. Returns the object as the plugins leave it.
 *
 * @throws Superseded as {@link admitted}
 */
export async function admittedRequest<T extends KubeObject | undefined>(
  registry: Registry,
  write: AdmittedWrite,
  object: T,
): Promise<T> {
  const { admission } = registry;
  if (!admission) return object;
  const attributes = attributesOf(registry, write);
  begin(registry, 'mutating', attributes);
  const changed = await admission.admit(object ? { ...attributes, object } : attributes);
  registry.onStep?.({
    step: 'mutating admission',
    ...(object && { before: object }),
    ...(changed && { after: changed }),
  });
  begin(registry, 'validating', attributes);
  await admission.validate(changed ? { ...attributes, object: changed } : attributes);
  registry.onStep?.({ step: 'validating admission', ...(changed && { object: changed }) });
  mustBeNewest(registry, write);
  return (changed ?? object) as T;
}

/** Reports the beginning of a phase, and connects the calls of webhooks in it with the request. */
function begin(
  { onStep, admitting }: Registry,
  phase: AdmissionPhase,
  { options }: AdmissionAttributes,
): void {
  if (!onStep) return;
  admitting?.set(options, onStep);
  onStep({ step: 'admission begins', phase });
}

function mustBeNewest({ storage }: Registry, { resource, old }: AdmittedWrite): void {
  if (!old) return;
  const { namespace, name, resourceVersion } = old.metadata;
  const now = storage.get(resource, namespace ? { namespace, name } : { name });
  if (now?.metadata.resourceVersion !== resourceVersion) throw new Superseded();
}

function attributesOf(
  { user, clock, annotate, deadlineMs = clock.now() + REQUEST_TIMEOUT_MS }: Registry,
  { operation, resource, subresource = '', namespace, name, old, oldView = old, options }: AdmittedWrite,
): AdmissionAttributes {
  const { onWarning, dryRun = false, ...rest } = options;
  return {
    operation,
    user: user ?? userNamed(''),
    resource,
    subresource,
    namespace,
    name,
    ...(oldView && { oldObject: oldView }),
    options: { ...rest, ...(dryRun && { dryRun: ['All'] }) },
    dryRun,
    deadlineMs,
    warn: (text) => onWarning?.(text),
    annotate: (key, value) => annotate?.(key, value),
  };
}
