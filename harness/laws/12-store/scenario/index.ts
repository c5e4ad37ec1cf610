import type { Compare, KeyRange } from '../../../contracts/store/index.ts';

/** A revision, relative to the newest revision that any client has seen. Negative: in the past. */
export interface Relative {
  readonly fromNewest: number;
}

/** A number that a condition compares with. */
export type Known =
  | number
  /** The last seen state of the key in question, plus this; 0 if the key is missing. */
  | { readonly seen: number };

/** A condition, before its number is known. */
export type ConditionPlan = { readonly key: string; readonly is: Compare['is'] } & (
  | { readonly target: 'createRevision' | 'modRevision' | 'version'; readonly to: Known }
  /** `seen`: the last seen value. */
  | { readonly target: 'value'; readonly to: string | { readonly seen: true } }
);

/** The lease of a put: the n-th granted lease, or a lease that does not exist. */
export type LeasePlan = number | 'unknown';

/** An operation of a transaction, before its revisions are known. */
export type OperationPlan =
  | { readonly put: string; readonly value: string; readonly lease?: LeasePlan }
  | { readonly delete: KeyRange }
  | { readonly range: KeyRange; readonly revision?: Relative; readonly limit?: number };

/** A call of a client. */
export type CallPlan =
  | {
      readonly call: 'transact';
      readonly compare?: readonly ConditionPlan[];
      readonly then: readonly OperationPlan[];
      readonly otherwise?: readonly OperationPlan[];
    }
  | {
      readonly call: 'range';
      readonly range: KeyRange;
      readonly revision?: Relative;
      readonly limit?: number;
    }
  | { readonly call: 'compact'; readonly revision: Relative }
  | { readonly call: 'grantLease'; readonly seconds: number }
  | { readonly call: 'revokeLease'; readonly lease: LeasePlan };

/** A call, `afterMs` after the answer to the client's last one. */
export type Step = CallPlan & {
  readonly afterMs: number;
  /** How often the client makes it, one after the other. @defaultValue 1 */
  readonly times?: number;
};

/** A client that watches. After a crash it resumes; after a compaction it lists, and watches from there. */
export interface WatcherPlan {
  readonly startsAtMs: number;
  readonly range: KeyRange;
  /** The first revision; absent: the next one. */
  readonly from?: Relative;
  /** The time that it needs for each response. */
  readonly takesMs: number;
  /** When it asks for progress, from its start on. */
  readonly asksAtMs: readonly number[];
  /** Whether it goes on at the compacted revision instead of listing. @defaultValue false */
  readonly resumes?: boolean;
  /** When it stops, from its start on. */
  readonly stopsAtMs?: number;
}

/** The state of unsynced text after a crash, behind the part that is kept. */
export type Torn = 'nothing' | 'zeros' | 'one character' | 'noise' | 'older text';

/** A crash of the process of the store. */
export interface CrashPlan {
  /** At its call number `call` of the log since it started, counted from 0; or at this time since its start. */
  readonly at: { readonly call: number; readonly moment: 'before' | 'after' } | { readonly ms: number };
  /** The part of the unsynced text that is kept, in percent. */
  readonly keeps: number;
  readonly torn: Torn;
  readonly restartAfterMs: number;
}

/** A scenario: clients, watchers, a disk and crashes, as values that fast-check generates and shrinks. */
export interface StoreScenario {
  readonly seed: number;
  /** The choices of the scheduler among events at the same instant. */
  readonly schedule: readonly number[];
  /** The longest latency of each kind of call of the log. */
  readonly disk: { readonly readMs: number; readonly appendMs: number; readonly syncMs: number };
  readonly clients: readonly (readonly Step[])[];
  readonly watchers: readonly WatcherPlan[];
  /** One for each process of the store; the process after the last one lives on. */
  readonly crashes: readonly CrashPlan[];
}
