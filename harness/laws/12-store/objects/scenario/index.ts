import type { ObjectPlace } from '../../../../contracts/store/index.ts';

/** A resourceVersion of a read. */
export type VersionPlan =
  | 'newest'
  /** `0`: any state. */
  | 'any'
  /** The revision that the client has seen last, plus this. Positive: perhaps in the future. */
  | { readonly fromSeen: number };

/** A selection of objects: all, or those with the label `app: a`. */
export interface Selection {
  readonly namespace?: string;
  readonly onlyApp?: boolean;
}

/** A change of an object. */
export type ChangePlan =
  /** Adds 1 to its counter. */
  | 'increment'
  /** The same, and the returned object has an old resourceVersion. */
  | 'increment an old copy'
  /** Puts it into the selection, or takes it out. */
  | 'app: a'
  | 'app: b'
  /** Returns an equal copy, but with an old resourceVersion. */
  | 'nothing'
  /** Throws if the counter is odd, and adds 1 otherwise. */
  | 'only even';

/** A precondition of a write: a value that the client has seen last, a wrong one, or a version of the future. */
export interface PreconditionPlan {
  readonly uid?: 'seen' | 'wrong';
  readonly resourceVersion?: 'seen' | 'wrong' | 'future';
}

/** A step of a client. */
export type StepPlan =
  | { readonly call: 'create'; readonly place: ObjectPlace; readonly app: 'a' | 'b' }
  | { readonly call: 'get'; readonly place: ObjectPlace; readonly version: VersionPlan }
  | {
      readonly call: 'update';
      readonly place: ObjectPlace;
      readonly change: ChangePlan;
      readonly preconditions?: PreconditionPlan;
    }
  | { readonly call: 'delete'; readonly place: ObjectPlace; readonly preconditions?: PreconditionPlan }
  | {
      readonly call: 'list';
      readonly selection: Selection;
      readonly version: VersionPlan;
      readonly match?: 'Exact' | 'NotOlderThan';
      readonly limit?: number;
      /** The pause before each further page, if the list has pages. */
      readonly pauseMs: number;
    }
  /** A write of another resource, whose keys are neighbours. */
  | { readonly call: 'elsewhere'; readonly key: string };

/** A step, `afterMs` after the answer to the client's last one. */
export type Step = StepPlan & { readonly afterMs: number };

/** A client that watches. */
export interface WatchPlan {
  readonly startsAtMs: number;
  /** The index of its apiserver. */
  readonly server: number;
  readonly selection: Selection;
  readonly version: VersionPlan;
  readonly sendInitialEvents?: boolean;
  readonly allowWatchBookmarks?: boolean;
}

/** A client that lists, and then watches from the version of the list, as informers do. */
export interface FollowerPlan {
  readonly startsAtMs: number;
  readonly server: number;
  readonly selection: Selection;
  /** The maximum number of objects of a page of its list. */
  readonly limit?: number;
}

/** A disturbance of the key-value store. */
export type Disturbance = { readonly atMs: number } /** No watch delivers anything. */ & (
  | { readonly what: 'hold'; readonly forMs: number }
  /** All watches end. */
  | { readonly what: 'cut' }
  /** The history before the revision `back` revisions ago is compacted. */
  | { readonly what: 'compact'; readonly back: number }
);

/** A scenario: clients of some apiservers, over one key-value store. */
export interface ObjectScenario {
  readonly seed: number;
  readonly schedule: readonly number[];
  /** `own`: the key-value store under test, without latency. `given`: one of the harness. */
  readonly store: 'own' | 'given';
  /** The longest way of a message to or from the given store, and the longest delay of its watches. */
  readonly latencyMs: number;
  readonly lagMs: number;
  /** Whether the apiservers have filled their caches before the clients begin. */
  readonly isWarm: boolean;
  /** The number of apiservers. */
  readonly servers: number;
  /** A client calls the apiserver of its index. */
  readonly clients: readonly (readonly Step[])[];
  readonly watches: readonly WatchPlan[];
  readonly followers: readonly FollowerPlan[];
  readonly disturbances: readonly Disturbance[];
}
