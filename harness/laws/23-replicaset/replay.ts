/** What is read off a journal, once for all laws. */
import type { KubeObject, Pod, ReplicaSet } from '../../api/objects.ts';
import { pods, replicaSets } from '../../api/resource.ts';
import type { JournalEntry } from '../../cluster/journal.ts';
import type { ReplicaSetHistory } from './history.ts';
import { PROCESS } from './step.ts';
import { controllerOf } from './truth.ts';

/** A state of an object, and while it was. */
export interface Version<T extends KubeObject> {
  readonly object: T;
  readonly revision: number;
  readonly atMs: number;
  readonly actor: string;
  /** The revision of the next state, or of the end; absent when it is still so. */
  until?: number;
}

/** One incarnation of an object: all its states, oldest first. */
export interface Incarnation<T extends KubeObject> {
  readonly uid: string;
  readonly versions: Version<T>[];
  /** When and by whom it was removed; absent when it is there. */
  end?: JournalEntry<T>;
}

/** Everything that happened to pods and ReplicaSets. */
export interface Replay {
  readonly pods: ReadonlyMap<string, Incarnation<Pod>>;
  readonly sets: ReadonlyMap<string, Incarnation<ReplicaSet>>;
  /** What the controller wrote to pods. */
  readonly podWrites: readonly JournalEntry<Pod>[];
  /** What it wrote to ReplicaSets. */
  readonly setWrites: readonly JournalEntry<ReplicaSet>[];
}

const replays = new WeakMap<ReplicaSetHistory, Replay>();

export function replay(history: ReplicaSetHistory): Replay {
  let known = replays.get(history);
  if (!known) {
    const ofPods = entriesOf<Pod>(history, pods.plural);
    const ofSets = entriesOf<ReplicaSet>(history, replicaSets.plural);
    const own = <T extends KubeObject>(entries: readonly JournalEntry<T>[]) =>
      entries.filter(({ actor }) => actor === PROCESS);
    known = {
      pods: incarnations(ofPods),
      sets: incarnations(ofSets),
      podWrites: own(ofPods),
      setWrites: own(ofSets),
    };
    replays.set(history, known);
  }
  return known;
}

/** The state at a revision; `undefined` before it was there and after it was gone. */
export function at<T extends KubeObject>({ versions }: Incarnation<T>, revision: number): T | undefined {
  const version = versions.findLast((one) => one.revision <= revision);
  return version && (version.until === undefined || version.until > revision) ? version.object : undefined;
}

/** Every state that was to be seen at some time from revision `from` to revision `to`. */
export function during<T extends KubeObject>(
  { versions }: Incarnation<T>,
  from: number,
  to: number,
): readonly Version<T>[] {
  return versions.filter(({ revision, until }) => revision <= to && (until === undefined || until > from));
}

/** Was it there, in whatever state, at every moment from revision `from` to revision `to`? */
export function wasThere<T extends KubeObject>(one: Incarnation<T>, from: number, to: number): boolean {
  return (
    (one.versions[0]?.revision ?? Number.POSITIVE_INFINITY) <= from && (one.end?.revision ?? Infinity) > to
  );
}

/** The uid of the ReplicaSet that controls the pod. */
export function setOf(pod: KubeObject | undefined): string | undefined {
  const owner = pod && controllerOf(pod);
  return owner?.kind === 'ReplicaSet' ? owner.uid : undefined;
}

function entriesOf<T extends KubeObject>(
  { journal }: ReplicaSetHistory,
  plural: string,
): readonly JournalEntry<T>[] {
  return journal.filter(
    ({ resource }) => resource.plural === plural,
  ) as unknown as readonly JournalEntry<T>[];
}

function incarnations<T extends KubeObject>(
  entries: readonly JournalEntry<T>[],
): Map<string, Incarnation<T>> {
  const all = new Map<string, Incarnation<T>>();
  for (const entry of entries) {
    const { object, revision, atMs, actor, type } = entry;
    const { uid } = object.metadata;
    const one = all.get(uid) ?? { uid, versions: [] };
    all.set(uid, one);
    const last = one.versions.at(-1);
    if (last) last.until = revision;
    if (type === 'DELETED') one.end = entry;
    else one.versions.push({ object, revision, atMs, actor });
  }
  return all;
}
