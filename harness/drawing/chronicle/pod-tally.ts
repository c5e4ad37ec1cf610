import { type KubeObject, keyToString, type Pod } from '../../api/objects.ts';
import { controllerOf, isReady } from '../../api/predicates.ts';
import { pods } from '../../api/resource.ts';
import type { Journal } from '../../cluster/journal.ts';

/** The pods of one owner at some time. */
interface Tally {
  /** The controller's name; the pod's own name if it has no controller. */
  readonly owner: string;
  /** Pods that neither ended nor are being deleted. */
  active: number;
  ready: number;
  /** Pods that are being deleted. */
  stopping: number;
}

/** Returns the pods of each owner right after each of these revisions. Owners are in order of their first pod. */
export function tallies(
  journal: Journal,
  revisions: readonly number[],
): ReadonlyMap<number, readonly Tally[]> {
  const wanted = [...revisions].sort((a, b) => a - b);
  const found = new Map<number, readonly Tally[]>();
  const present = new Map<string, Pod>();
  let next = 0;
  for (const { revision, key, type, object } of journal.of(pods)) {
    for (; next < wanted.length && (wanted[next] as number) < revision; next++) {
      found.set(wanted[next] as number, tally(present.values()));
    }
    if (type === 'DELETED') present.delete(key);
    else present.set(key, object);
  }
  for (; next < wanted.length; next++) found.set(wanted[next] as number, tally(present.values()));
  return found;
}

function tally(all: Iterable<Pod>): Tally[] {
  const byOwner = new Map<string, Tally>();
  for (const pod of all) {
    const owner = ownerOf(pod);
    const known = byOwner.get(owner) ?? { owner, active: 0, ready: 0, stopping: 0 };
    byOwner.set(owner, known);
    if (pod.metadata.deletionTimestamp) known.stopping++;
    else if (pod.status.phase !== 'Failed' && pod.status.phase !== 'Succeeded') {
      known.active++;
      if (isReady(pod)) known.ready++;
    }
  }
  return [...byOwner.values()];
}

function ownerOf(pod: KubeObject): string {
  const { name, namespace } = pod.metadata;
  return (
    controllerOf(pod)?.name ??
    keyToString({ name, ...(namespace === 'default' ? {} : { namespace }) } as never)
  );
}

/** Formats a tally: `web-1 2/3 ready, 1 stopping · web-2 1/1 ready`. */
export function sayTally(all: readonly Tally[]): string {
  return all
    .map(({ owner, active, ready, stopping }) => {
      const rest = stopping > 0 ? [`${stopping} stopping`] : [];
      return `${owner} ${[...(active > 0 || stopping === 0 ? [`${ready}/${active} ready`] : []), ...rest].join(', ')}`;
    })
    .join(' · ');
}
