import { managerKey } from './conflict.ts';
import { union } from './field-set.ts';
import type { Managed } from './managed-fields.ts';
import type { VersionedSet } from './updater.ts';

/** Upstream: kubernetes/apimachinery@v0.36.3 pkg/util/managedfields/internal/fieldmanager.go DefaultMaxUpdateManagers */
const UPDATE_MANAGERS_MAX = 10;

/**
 * Merges the oldest update entries into one, `ancient-changes`, until at most ten are left.
 *
 * Upstream: kubernetes/apimachinery@v0.36.3 pkg/util/managedfields/internal/capmanagers.go capManagersManager
 */
export function withCappedManagers(managed: Managed): Managed {
  const updaters = [...managed.managers].filter(([, { applied }]) => !applied).map(([key]) => key);
  if (updaters.length <= UPDATE_MANAGERS_MAX) return managed;
  const secondsOf = (key: string): number => new Date(managed.times.get(key) ?? 0).getTime();
  updaters.sort((a, b) => secondsOf(a) - secondsOf(b) || (a < b ? -1 : 1));
  const managers = new Map(managed.managers);
  const times = new Map(managed.times);
  const firstOfVersion = new Map<string, string>();
  let count = updaters.length;
  for (const key of updaters) {
    if (count <= UPDATE_MANAGERS_MAX) break;
    const versioned = managers.get(key) as VersionedSet;
    const { apiVersion } = versioned;
    const first = firstOfVersion.get(apiVersion);
    // A single entry of its version has no partner yet.
    if (first === undefined) {
      firstOfVersion.set(apiVersion, key);
      continue;
    }
    const bucket = managerKey({ manager: 'ancient-changes', operation: 'Update', apiVersion });
    const ancient = managers.get(bucket) ?? (managers.get(first) as VersionedSet);
    if (!managers.has(bucket)) managers.delete(first);
    managers.set(bucket, { ...versioned, set: union(versioned.set, ancient.set) });
    managers.delete(key);
    const time = managed.times.get(key);
    if (time === undefined) times.delete(bucket);
    else times.set(bucket, time);
    count--;
  }
  return { managers, times };
}
