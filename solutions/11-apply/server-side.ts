import {
  type Applied,
  failures,
  type JsonObject,
  LAST_APPLIED,
  type ManagedFields,
  ownersOfLastApplied,
  type Step,
  unionOfFields,
  warnings,
} from '#given/11-apply';
import { isConflict, type KubeObject, type Patch } from '#harness';

const MANAGER = 'kubectl';
const ANNOTATION_MANAGER = 'kubectl-last-applied';
const MIGRATION_TRIES = 5;

export async function applyOnServer(step: Step): Promise<Applied> {
  const { client, target, options, warn } = step;
  const { mapping, key, manifest } = target;
  const send = (patch: Patch, fieldManager: string, force?: boolean): Promise<KubeObject> =>
    client.patch(mapping.resource, key, patch, {
      fieldManager,
      fieldValidation: 'Strict',
      ...(options.dryRun && { dryRun: true }),
      ...(force !== undefined && { force }),
    });
  const apply = (): Promise<KubeObject> =>
    send({ type: 'apply', body: manifest }, MANAGER, options.forceConflicts ?? false);
  const applied = await apply().catch((error: unknown) => {
    throw failures.onServer(error);
  });
  const object = await migrate(step, send, applied, apply);
  if (object.metadata.deletionTimestamp) warn(warnings.deleting(key.name));
  return { resource: mapping.resource, key, outcome: 'serverside-applied', object };
}

/** Moves the fields that a client-side apply wrote to the manager of the server-side apply. Its errors are warnings. */
async function migrate(
  step: Step,
  send: Send,
  applied: KubeObject,
  apply: () => Promise<KubeObject>,
): Promise<KubeObject> {
  let object = applied;
  let warning = warnings.annotationNotKept;
  try {
    object = (await keepLastApplied(send, object)) ?? object;
    warning = warnings.ownersNotMigrated;
    const migrated = await migrateOwners(step, send, object);
    if (!migrated) return object;
    object = migrated;
    warning = warnings.notAppliedAgain;
    // Fields that the manifest dropped have no other owner now, so the same request removes them.
    return await apply();
  } catch (error) {
    step.warn(warning(error));
    return object;
  }
}

type Send = (patch: Patch, fieldManager: string) => Promise<KubeObject>;

/** Lets a separate manager apply the annotation, so that it survives the migration of the other fields. */
async function keepLastApplied(send: Send, object: KubeObject): Promise<KubeObject | undefined> {
  const { name, namespace, annotations } = object.metadata;
  const text = annotations?.[LAST_APPLIED];
  if (text === undefined || ownersOfLastApplied(object, 'Apply').length > 0) return undefined;
  const metadata = { name, ...(namespace && { namespace }), annotations: { [LAST_APPLIED]: text } };
  const body = { apiVersion: object.apiVersion, kind: object.kind, metadata };
  return send({ type: 'apply', body }, ANNOTATION_MANAGER);
}

/** Returns the object with its new owners; undefined if it has the right owners. */
async function migrateOwners(
  { requests }: Step,
  send: Send,
  object: KubeObject,
): Promise<KubeObject | undefined> {
  const managers = new Set(ownersOfLastApplied(object, 'Update').map(({ manager }) => manager));
  if (managers.size === 0) return undefined;
  let current = object;
  for (let tries = 1; ; tries++) {
    const { managedFields = [], resourceVersion } = current.metadata;
    const owners = [...managers].reduce(migratedFrom, managedFields);
    if (owners === managedFields) return undefined;
    const body = [
      { op: 'replace', path: '/metadata/managedFields', value: owners },
      // A replacement, not a test: a failed test is a 422, and this is a conflict.
      { op: 'replace', path: '/metadata/resourceVersion', value: resourceVersion },
    ];
    try {
      return await send({ type: 'json', body }, MANAGER);
    } catch (error) {
      if (!isConflict(error) || tries === MIGRATION_TRIES) throw error;
      current = await requests.get();
    }
  }
}

/** Gives the fields that `manager` wrote to the manager that applies. */
export function migratedFrom(
  entries: readonly ManagedFields[],
  manager: string | undefined,
): readonly ManagedFields[] {
  const isOld = (entry: ManagedFields): boolean =>
    entry.manager === manager && entry.operation === 'Update' && !entry.subresource;
  const isNew = (entry: ManagedFields): boolean =>
    entry.manager === MANAGER && entry.operation === 'Apply' && !entry.subresource;
  const heir = entries.find(isNew) ?? entries.find(isOld);
  if (!heir || !entries.some(isOld)) return entries;
  const old = entries.find((entry) => isOld(entry) && entry.apiVersion === heir.apiVersion);
  const fieldsV1 = unionOfFields((heir.fieldsV1 ?? {}) as JsonObject, (old?.fieldsV1 ?? {}) as JsonObject);
  const merged: ManagedFields = { ...heir, manager: MANAGER, operation: 'Apply', fieldsV1 };
  return entries.flatMap((entry) => (entry === heir ? [merged] : isOld(entry) ? [] : [entry]));
}
