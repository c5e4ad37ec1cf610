import type { ManagedFieldsEntry } from '#api/meta/v1';
import { errors, failure, StatusError } from '../../api/status.ts';
import type { GroupVersionKind } from '../../api/table/table.ts';
import { without } from '../copy-on-write.ts';
import { isObject, type Json, type JsonObject } from '../patch/json-value.ts';
import { withCappedManagers } from './cap-managers.ts';
import { conflictError, managerKey } from './conflict.ts';
import { difference, type FieldSet, fieldSet, hasField, union } from './field-set.ts';
import { fieldsLastApplied, withLastApplied } from './last-applied.ts';
import { decodeManaged, encodeManaged, type Managed, unmanaged } from './managed-fields.ts';
import type { MergeSchema } from './merge-schema.ts';
import { fieldElement } from './path-element.ts';
import { type Applied, applyConfig, Conflicts, managersAfterUpdate, type VersionedSet } from './updater.ts';
import { mustBeTyped } from './validate.ts';

/**
 * The context of writes with field owners: a resource, or one of its subresources.
 *
 * Upstream: kubernetes/apimachinery@v0.36.3 pkg/util/managedfields/internal/fieldmanager.go FieldManager
 */
export interface FieldScope {
  readonly kind: GroupVersionKind;
  /** `apps/v1` */
  readonly apiVersion: string;
  /** `''` for the object itself. */
  readonly subresource: string;
  readonly schema: MergeSchema;
  /**
   * Whether a stored object can violate the schema. The schema of a custom resource may have changed since the write.
   */
  readonly mayNotFit: boolean;
  /** An object of this kind with only default values. */
  readonly empty: JsonObject;
  /** Removes the fields that this kind of write never changes. */
  readonly filter: (set: FieldSet) => FieldSet;
}

/** The manager of a write, and its time. */
export interface Write {
  readonly manager: string;
  /** RFC 3339 */
  readonly now: string;
  /** Whether this write starts the tracking of owners. @defaultValue false */
  readonly tracks?: boolean;
}

interface Managedly {
  readonly metadata: { readonly managedFields?: readonly ManagedFieldsEntry[] };
}

/**
 * Returns `next` with its field owners after an update of `live`: the manager owns the changed fields. An object
 * without owners gets some only if the write starts tracking; otherwise the first apply does.
 *
 * The client's managedFields count if they are valid and the write targets the object itself. So a client can reassign
 * fields, and one empty entry removes all owners.
 *
 * Upstream: kubernetes/apimachinery@v0.36.3 pkg/util/managedfields/internal/fieldmanager.go
 * FieldManager.UpdateNoErrors, skipnonapplied.go skipNonAppliedManager.Update
 *
 * Differs: an empty list counts as absent; upstream treats it like one empty entry.
 */
export function withOwners<T extends Managedly>(scope: FieldScope, live: T, next: T, write: Write): T {
  const before = live.metadata.managedFields;
  const sent = next.metadata.managedFields;
  const { tracks = false } = write;
  if (!before && !sent && !tracks) return next;
  const bare: T = { ...next, metadata: without(next.metadata, 'managedFields') };
  const managed = managedBefore(scope, before, sent);
  if (managed.managers.size === 0 && !tracks) return bare;
  try {
    return withManaged(
      bare,
      afterUpdate(scope, live as unknown as Json, bare as unknown as Json, managed, write),
    );
  } catch {
    // Like upstream, loses the owners rather than reject an update.
    return bare;
  }
}

function managedBefore(
  { subresource }: FieldScope,
  before: readonly ManagedFieldsEntry[] = [],
  sent: readonly ManagedFieldsEntry[] = [],
): Managed {
  if (subresource === '') {
    const [first] = sent;
    if (first && sent.length === 1 && Object.keys(first).length === 0) return unmanaged;
    const told = decodedOrNone(sent);
    if (told.managers.size > 0) return told;
  }
  return decodedOrNone(before);
}

function decodedOrNone(entries: readonly ManagedFieldsEntry[]): Managed {
  try {
    return decodeManaged(entries);
  } catch {
    return unmanaged;
  }
}

/** Returns the object with these owners. Its metadata is null if null was applied to a missing object. */
export function withManaged<T extends Managedly>(object: T, managed: Managed): T {
  const managedFields = encodeManaged(managed);
  const { metadata } = object;
  return {
    ...object,
    metadata: managedFields ? { ...metadata, managedFields } : without(metadata ?? {}, 'managedFields'),
  };
}

/** A temporary manager during an update, so that its new fields can be distinguished from its old ones. */
const SELF = 'current-operation';

/**
 * Upstream: kubernetes/apimachinery@v0.36.3 pkg/util/managedfields/internal/managedfieldsupdater.go
 * managedFieldsUpdater.Update, structuredmerge.go structuredMergeManager.Update
 *
 * @throws Error when an object violates the schema
 */
function afterUpdate(
  scope: FieldScope,
  live: Json,
  next: Json,
  managed: Managed,
  { manager, now }: Write,
): Managed {
  mustFit(scope, next, (name) => `failed to convert new object (${name}) to smd typed`);
  mustFit(scope, live, (name) => `failed to convert live object (${name}) to smd typed`);
  const after = withoutSystemFields(
    managersAfterUpdate(live, next, managed.managers, { ...scope, manager: SELF }),
    SELF,
  );
  const own = after.get(SELF);
  if (!own) return withCappedManagers({ ...managed, managers: after });
  const { apiVersion, subresource } = scope;
  const key = managerKey({ manager: manager || UNKNOWN, operation: 'Update', apiVersion, subresource });
  const former = after.get(key);
  after.delete(SELF);
  after.set(key, former ? { ...own, set: union(former.set, own.set) } : own);
  return withCappedManagers({ managers: after, times: new Map(managed.times).set(key, now) });
}

const UNKNOWN = 'unknown';

/**
 * Fields that no manager owns.
 *
 * Upstream: kubernetes/apimachinery@v0.36.3 pkg/util/managedfields/internal/stripmeta.go
 */
const systemFields = fieldSet(
  ...['apiVersion', 'kind', 'metadata'].map((name) => [fieldElement(name)]),
  ...[
    ...['name', 'namespace', 'creationTimestamp', 'selfLink', 'uid', 'clusterName', 'generation'],
    ...['managedFields', 'resourceVersion'],
  ].map((name) => [fieldElement('metadata'), fieldElement(name)]),
);

function withoutSystemFields(managers: Applied['managers'], key: string): Map<string, VersionedSet> {
  const result = new Map(managers);
  const own = result.get(key);
  if (!own) return result;
  const set = difference(own.set, systemFields);
  if (set.size === 0) result.delete(key);
  else result.set(key, { ...own, set });
  return result;
}

/** A configuration to apply, and its options. */
interface Config extends Write {
  readonly config: Json;
  /** Takes over fields of other owners. */
  readonly force: boolean;
}

/**
 * Returns `live` with the configuration applied, and with its new field owners. `live` is {@link FieldScope.empty} for
 * a new object. The result is not decoded.
 *
 * Upstream: kubernetes/apimachinery@v0.36.3 pkg/util/managedfields/internal/fieldmanager.go FieldManager.Apply and
 * the managers that it is made of
 *
 * @throws StatusError BadRequest; Conflict when others own applied fields; InternalError, as upstream, when the
 *   configuration violates the schema
 */
export function applied(scope: FieldScope, live: JsonObject, sent: Config): JsonObject {
  const config = understood(scope, sent.config);
  const entries = (live.metadata as { managedFields?: readonly ManagedFieldsEntry[] }).managedFields ?? [];
  const managed = attempt(() => decodeManaged(entries), 'failed to decode managed fields');
  const typed = { ...sent, config };
  const { object = live, managed: after } = applyOrTakeOver(scope, live, managed, typed);
  const told = sent.manager === KUBECTL ? withLastApplied(object as JsonObject, config) : object;
  return withManaged(told as JsonObject & Managedly, after);
}

/** The only manager that migrates from client-side apply. */
const KUBECTL = 'kubectl';

/**
 * Checks that a value is a configuration of this kind.
 *
 * @throws StatusError when it is not
 */
export function understood({ kind, schema }: Pick<FieldScope, 'kind' | 'schema'>, config: Json): JsonObject {
  const object = isObject(config) ? config : {};
  const said = kindText(kindOf(object));
  if (said !== kindText(kind)) throw errors.badRequest(`invalid object type: ${said}`);
  const metadata = isObject(object.metadata) ? object.metadata : {};
  if (metadata.managedFields !== undefined && metadata.managedFields !== null) {
    throw errors.badRequest('metadata.managedFields must be nil');
  }
  attempt(() => mustBeTyped(schema, object), `failed to create typed patch object (${nameOf(object)})`);
  return object;
}

interface Outcome {
  readonly object: Json | undefined;
  readonly managed: Managed;
}

/**
 * Applies the configuration. kubectl takes over unchanged fields of its client-side apply without a conflict.
 *
 * Upstream: kubernetes/apimachinery@v0.36.3 pkg/util/managedfields/internal/lastappliedmanager.go lastAppliedManager.Apply
 */
function applyOrTakeOver(
  scope: FieldScope,
  live: JsonObject,
  managed: Managed,
  sent: Config & { readonly config: JsonObject },
): Outcome {
  try {
    return applyOnce(scope, live, managed, sent);
  } catch (error) {
    if (!(error instanceof Conflicts)) throw error;
    const { conflicts } = error;
    const allowed =
      sent.manager === KUBECTL ? fieldsLastApplied(scope.schema, scope.apiVersion, live) : undefined;
    const left = allowed ? conflicts.filter(({ path }) => !hasField(allowed, path)) : conflicts;
    if (left.length > 0) throw conflictError(left);
    return applyOnce(scope, live, managed, { ...sent, force: true });
  }
}

function applyOnce(
  scope: FieldScope,
  live: JsonObject,
  managed: Managed,
  { config, manager, now, force }: Config,
): Outcome {
  const before = managed.managers.size > 0 ? managed : beforeFirstApply(scope, live, now);
  const key = managerKey({ manager, operation: 'Apply', subresource: scope.subresource });
  const writing = { ...scope, manager: key, force };
  const { object, managers } = attempt(
    () => {
      mustFit(scope, live);
      return applyConfig(live, config, before.managers, writing);
    },
    `failed to create typed live object (${nameOf(live)})`,
  );
  const times = object === undefined ? before.times : new Map(before.times).set(key, now);
  return { object, managed: { managers: withoutSystemFields(managers, key), times } };
}

/** Upstream: kubernetes/apimachinery@v0.36.3 pkg/util/managedfields/internal/skipnonapplied.go skipNonAppliedManager.Apply */
function beforeFirstApply(scope: FieldScope, live: JsonObject, now: string): Managed {
  const write = { manager: 'before-first-apply', now };
  return attempt(
    () => afterUpdate(scope, scope.empty, live, unmanaged, write),
    'failed to create manager for existing fields',
  );
}

/** @throws Error when a stored object violates the schema */
function mustFit({ mayNotFit, schema }: FieldScope, value: Json, what?: (name: string) => string): void {
  if (!mayNotFit) return;
  try {
    mustBeTyped(schema, value, 'allowed');
  } catch (error) {
    if (!what) throw error;
    throw new Error(`${what(nameOf(value as JsonObject))}: ${(error as Error).message}`);
  }
}

/** Reports an error as upstream does: as an internal error of the server. */
function attempt<T>(run: () => T, what: string): T {
  try {
    return run();
  } catch (error) {
    if (error instanceof Conflicts || error instanceof StatusError) throw error;
    throw new StatusError(failure('InternalError', `${what}: ${(error as Error).message}`));
  }
}

/** Upstream: kubernetes/apimachinery@v0.36.3 pkg/apis/meta/v1/unstructured/unstructured.go Unstructured.GroupVersionKind */
function kindOf({ apiVersion, kind }: JsonObject): GroupVersionKind {
  const parts = typeof apiVersion === 'string' ? apiVersion.split('/') : [];
  if (parts.length > 2) return { group: '', version: '', kind: '' };
  const [version = '', group = ''] = parts.toReversed();
  return { group, version, kind: typeof kind === 'string' ? kind : '' };
}

const kindText = ({ group, version, kind }: GroupVersionKind): string => `${group}/${version}, Kind=${kind}`;

/** Upstream: kubernetes/apimachinery@v0.36.3 pkg/util/managedfields/internal/structuredmerge.go objectGVKNN */
export function nameOf(object: JsonObject): string {
  const metadata = isObject(object.metadata) ? object.metadata : {};
  const { namespace = '', name = '' } = metadata as { namespace?: Json; name?: Json };
  return `${text(namespace)}/${text(name)}; ${kindText(kindOf(object))}`;
}

const text = (value: Json): string => (typeof value === 'string' ? value : '');
