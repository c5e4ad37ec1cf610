import type {
  KeyRange,
  KeyValueStore,
  KeyWatchRequest,
  Lease,
  RangeRequest,
  RangeResult,
  StoreErrorCode,
  Transaction,
  TransactionResult,
  WatchResponse,
} from '../../contracts/store/index.ts';
import type { StoreScenario } from './scenario/index.ts';

/** A call of a key-value store, except `watch`. */
export type Request =
  | { readonly call: 'transact'; readonly transaction: Transaction }
  | { readonly call: 'range'; readonly request: RangeRequest }
  | { readonly call: 'compact'; readonly revision: number }
  | { readonly call: 'grantLease'; readonly seconds: number }
  | { readonly call: 'revokeLease'; readonly lease: string };

/** The answer to a call. */
export type Answer =
  | { readonly kind: 'transaction'; readonly result: TransactionResult }
  | { readonly kind: 'range'; readonly result: RangeResult }
  | { readonly kind: 'lease'; readonly lease: Lease }
  | { readonly kind: 'done' }
  | { readonly kind: 'refused'; readonly code: StoreErrorCode }
  /** Any other error: no store may answer with it. */
  | { readonly kind: 'failed'; readonly error: unknown };

/**
 * An event of a history. A call is recorded just before it is made, an answer just after it arrives. Calls and watches
 * are numbered in their order.
 */
export type HistoryEntry = {
  readonly atMs: number;
} /** A process of the store begins, has read its log and serves, or has failed to. Processes are numbered from 0. */ & (
  | { readonly kind: 'starts' | 'opened' | 'crash'; readonly process: number }
  | { readonly kind: 'unopened'; readonly process: number; readonly error: unknown }
  | { readonly kind: 'call'; readonly op: number; readonly by: string; readonly request: Request }
  | { readonly kind: 'answer'; readonly op: number; readonly answer: Answer }
  | { readonly kind: 'watch'; readonly watch: number; readonly by: string; readonly request: KeyWatchRequest }
  | { readonly kind: 'response'; readonly watch: number; readonly response: WatchResponse }
  /** The client asks for progress, or stops the watch. */
  | { readonly kind: 'asks' | 'stops'; readonly watch: number }
  /** The stream of a watch has ended; with an error if its iteration threw. */
  | { readonly kind: 'ends'; readonly watch: number; readonly error?: unknown }
  /** Nothing has happened for a long time: every answer and every change must have arrived. */
  | { readonly kind: 'rest' }
);

/** An entry without its time. */
export type Event = HistoryEntry extends infer E ? (E extends HistoryEntry ? Omit<E, 'atMs'> : never) : never;

/** The record of one run of a key-value store, over all its processes. */
export interface StoreHistory {
  readonly entries: readonly HistoryEntry[];
  readonly scenario: StoreScenario;
  /**
   * The time that the deletion of an expired lease may take.
   */
  readonly leaseSlackMs: number;
  /** Equal for equal runs. */
  readonly hash: string;
  /** Renders all entries. */
  timeline(): readonly string[];
}

/** Returns whether a range has a key. */
export function covers({ key, end }: KeyRange, other: string): boolean {
  return end === undefined ? key === other : key <= other && other < end;
}

/** Makes a call. */
export async function perform(store: KeyValueStore, request: Request): Promise<Answer> {
  switch (request.call) {
    case 'transact':
      return { kind: 'transaction', result: copied(await store.transact(request.transaction)) };
    case 'range':
      return { kind: 'range', result: copied(await store.range(request.request)) };
    case 'grantLease':
      return { kind: 'lease', lease: copied(await store.grantLease(request.seconds)) };
    case 'compact':
      await store.compact(request.revision);
      return { kind: 'done' };
    case 'revokeLease':
      await store.revokeLease(request.lease);
      return { kind: 'done' };
  }
}

/** Copies an answer, so that later changes of the store's own objects do not change the history. */
export function copied<T>(value: T): T {
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return value.map(copied) as T;
  return Object.fromEntries(Object.entries(value).map(([key, each]) => [key, copied(each)])) as T;
}
