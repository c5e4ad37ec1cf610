import type { KubeObject } from '../../api/objects.ts';
import type { KeyValueStore, Operation } from '../../contracts/store/index.ts';
import type { Place } from './places.ts';
import { storeKey } from './store-keys.ts';
import { encodeStored } from './stored-value.ts';

/** A key outside of `/registry/`, which fills the revisions of objects that have been written again or deleted. */
const FILLER = '/kubernetes-katas/filler';

interface PlacedObject extends Place {
  readonly object: KubeObject;
}

/**
 * Writes objects to a fresh store so that each key gets the revision of its object, and the store that of the storage:
 * one transaction for each revision.
 *
 * @returns the objects of revision 1, which a store cannot have: its first write is revision 2
 * @throws Error when the store is not fresh
 */
export async function fillStore(
  store: Pick<KeyValueStore, 'transact'>,
  objects: readonly PlacedObject[],
  revision: number,
): Promise<readonly PlacedObject[]> {
  const written = new Map<number, Operation[]>();
  const early: PlacedObject[] = [];
  for (const placed of objects) {
    const { resource, key, object } = placed;
    const at = Number(object.metadata.resourceVersion);
    const puts = written.get(at) ?? [];
    if (at < 2) early.push(placed);
    else written.set(at, puts);
    puts.push({ put: { key: storeKey(resource, key), value: encodeStored(object) } });
  }
  for (let next = 2; next <= revision; next++) {
    const filler: Operation = { put: { key: FILLER, value: '' } };
    const answer = await store.transact({ then: written.get(next) ?? [filler] });
    if (answer.revision !== next) {
      throw new Error(`its write number ${next - 1} has revision ${answer.revision}, not ${next}`);
    }
  }
  return early;
}
