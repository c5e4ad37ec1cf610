import type { KubeObject, List } from '../../../api/objects.ts';
import type { Reason } from '../../../api/status.ts';
import type { WatchEvent } from '../../../api/watch-event.ts';
import type {
  ObjectListOptions,
  ObjectPlace,
  ObjectReadOptions,
  ObjectWatchOptions,
  StorePreconditions,
} from '../../../contracts/store/index.ts';
import type { ChangePlan, ObjectScenario, Selection } from './scenario/index.ts';

/** A call of an object store. */
export type ObjectCall =
  | { readonly call: 'create'; readonly object: KubeObject }
  | { readonly call: 'get'; readonly place: ObjectPlace; readonly options: ObjectReadOptions }
  | {
      readonly call: 'update';
      readonly place: ObjectPlace;
      readonly change: ChangePlan;
      readonly preconditions?: StorePreconditions;
    }
  | { readonly call: 'delete'; readonly place: ObjectPlace; readonly preconditions?: StorePreconditions }
  | {
      readonly call: 'list';
      readonly selection: Selection;
      readonly options: Omit<ObjectListOptions, 'matches' | 'namespace'>;
      /** The revision of the first page, and the items so far, for a further page. */
      readonly before?: { readonly revision: number; readonly items: number; readonly last: string };
    };

/** The answer to a call. */
export type ObjectAnswer =
  | { readonly kind: 'object'; readonly object: KubeObject }
  | { readonly kind: 'list'; readonly list: List<KubeObject> }
  | { readonly kind: 'refused'; readonly reason: Reason; readonly message: string }
  /** The error that the change itself has thrown. */
  | { readonly kind: 'declined' }
  | { readonly kind: 'failed'; readonly error: unknown };

/** A write that the key-value store has performed. */
export interface StoredWrite {
  readonly revision: number;
  readonly key: string;
  /** Absent: a delete. */
  readonly value?: string;
}

/** An event of a history. Servers, calls and watches are numbered from 0. */
export type ObjectEntry = { readonly atMs: number } & (
  | {
      readonly kind: 'call';
      readonly op: number;
      readonly by: string;
      readonly server: number;
      readonly call: ObjectCall;
    }
  | { readonly kind: 'answer'; readonly op: number; readonly answer: ObjectAnswer }
  /** A call reaches the key-value store; its answer arrives, with the revision and the writes. */
  | { readonly kind: 'asked'; readonly call: number }
  | {
      readonly kind: 'stored';
      readonly call: number;
      readonly revision: number;
      readonly writes: readonly StoredWrite[];
    }
  | {
      readonly kind: 'watch';
      readonly watch: number;
      readonly by: string;
      readonly server: number;
      readonly selection: Selection;
      readonly options: Omit<ObjectWatchOptions, 'matches' | 'namespace'>;
      /** The list whose version the watch continues, as its call's number. */
      readonly list?: number;
    }
  | { readonly kind: 'opened'; readonly watch: number }
  | { readonly kind: 'event'; readonly watch: number; readonly event: WatchEvent }
  /** The stream has ended, or the watch was refused. */
  | { readonly kind: 'ends'; readonly watch: number; readonly refusal?: ObjectAnswer }
  /** A disturbance begins or ends. */
  | {
      readonly kind: 'disturbed';
      readonly what: 'hold' | 'cut' | 'compact' | 'released';
      readonly revision?: number;
    }
  | { readonly kind: 'abort' }
  | { readonly kind: 'rest' }
);

/** An entry without its time. */
export type ObjectEvent = ObjectEntry extends infer E
  ? E extends ObjectEntry
    ? Omit<E, 'atMs'>
    : never
  : never;

/** The record of one run. */
export interface ObjectHistory {
  readonly entries: readonly ObjectEntry[];
  readonly scenario: ObjectScenario;
  /** Equal for equal runs. */
  readonly hash: string;
  timeline(): readonly string[];
}

/** The beginning of the keys of the objects. */
export const PREFIX = '/registry/configmaps/';

/** Returns the key of a place. */
export function keyOf({ namespace, name }: ObjectPlace): string {
  return `${PREFIX}${namespace}/${name}`;
}

/** Returns whether a selection has an object. */
export function selects({ namespace, onlyApp }: Selection, { metadata }: KubeObject): boolean {
  return (
    (namespace === undefined || metadata.namespace === namespace) &&
    (!onlyApp || metadata.labels?.app === 'a')
  );
}

/** Returns the counter of an object. */
export function counterOf(object: KubeObject): number {
  return Number((object as { data?: { n?: string } }).data?.n ?? 'NaN');
}

/** The error of a change that declines an object. */
export class Declined extends Error {
  override readonly name = 'Declined';
}

/** Applies a change to an object. @throws Declined */
export function changed(object: KubeObject, change: ChangePlan): KubeObject {
  const { metadata } = object;
  const n = counterOf(object);
  if (change === 'nothing') return reordered(object);
  if (change === 'only even' && n % 2 === 1) throw new Declined(`n is ${n}`);
  if (change === 'app: a' || change === 'app: b')
    return { ...object, metadata: { ...metadata, labels: { app: change.slice(-1) } } };
  const own = change === 'increment an old copy' ? { ...metadata, resourceVersion: '1' } : metadata;
  return { ...object, metadata: own, data: { n: String(n + 1) }, status: { n: n + 1 } } as KubeObject;
}

/** Returns an equal object whose fields have another order; its version is of no meaning. */
function reordered(object: KubeObject): KubeObject {
  const { metadata, ...rest } = structuredClone(object);
  return { ...rest, metadata: { ...metadata, resourceVersion: '1' } } as KubeObject;
}
