import type { ManagedFieldsEntry } from '#api/meta/v1';
import { quote } from '../../api/names.ts';
import { type ManagerKey, managerKey } from './conflict.ts';
import { decodeFields, encodeFields } from './fields-v1.ts';
import type { Managers, VersionedSet } from './updater.ts';

/** `metadata.managedFields`, decoded. */
export interface Managed {
  /** The fields of each manager, by the key of its entry. */
  readonly managers: Managers;
  /** The last write of each manager, RFC 3339. A manager that only shares fields has no time. */
  readonly times: ReadonlyMap<string, string>;
}

/** No field has an owner. */
export const unmanaged: Managed = { managers: new Map(), times: new Map() };

/**
 * Decodes managedFields.
 *
 * Upstream: kubernetes/apimachinery@v0.36.3 pkg/util/managedfields/internal/managedfields.go DecodeManagedFields
 *
 * @throws Error when an entry is invalid
 */
export function decodeManaged(entries: readonly ManagedFieldsEntry[]): Managed {
  const managers = new Map<string, VersionedSet>();
  const times = new Map<string, string>();
  for (const [index, entry] of entries.entries()) {
    const { operation, apiVersion, fieldsType, fieldsV1, time } = entry;
    if (operation !== 'Apply' && operation !== 'Update') {
      throw new Error('operation must be `Apply` or `Update`');
    }
    if (!apiVersion) throw new Error('apiVersion must not be empty');
    if (!fieldsType) throw new Error(`missing fieldsType in managed fields entry ${index}`);
    if (fieldsType !== 'FieldsV1') {
      throw new Error(`invalid fieldsType ${quote(fieldsType)} in managed fields entry ${index}`);
    }
    const key = managerKey(entry as ManagerKey);
    managers.set(key, { set: decodeFields(fieldsV1), apiVersion, applied: operation === 'Apply' });
    if (time) times.set(key, time as string);
  }
  return { managers, times };
}

/**
 * Encodes managedFields; undefined if no field has an owner. Entries of applies precede those of updates; within each,
 * the oldest come first.
 *
 * Upstream: kubernetes/apimachinery@v0.36.3 pkg/util/managedfields/internal/managedfields.go encodeManagedFields,
 * sortEncodedManagedFields
 */
export function encodeManaged({ managers, times }: Managed): ManagedFieldsEntry[] | undefined {
  if (managers.size === 0) return undefined;
  const entries = [...managers].map(([key, { set, apiVersion, applied }]): ManagedFieldsEntry => {
    const { manager, operation, subresource } = JSON.parse(key) as ManagerKey;
    const time = times.get(key);
    return {
      ...(manager ? { manager } : {}),
      operation: applied ? 'Apply' : (operation ?? ''),
      apiVersion,
      ...(time ? { time } : {}),
      fieldsType: 'FieldsV1',
      fieldsV1: encodeFields(set) as NonNullable<ManagedFieldsEntry['fieldsV1']>,
      ...(subresource ? { subresource } : {}),
    };
  });
  return entries.sort(compareEntries);
}

/** Compares entries with times in whole seconds. */
function compareEntries(left: ManagedFieldsEntry, right: ManagedFieldsEntry): number {
  const parts = ({ operation, time, manager, apiVersion, subresource }: ManagedFieldsEntry) => [
    operation ?? '',
    time ? new Date(time as string).getTime() : 0,
    manager ?? '',
    apiVersion ?? '',
    subresource ?? '',
  ];
  const theirs = parts(right);
  for (const [index, ours] of parts(left).entries()) {
    const other = theirs[index] as typeof ours;
    if (ours !== other) return ours < other ? -1 : 1;
  }
  return 0;
}
