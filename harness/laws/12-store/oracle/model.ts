import type {
  Compare,
  KeyEvent,
  KeyRange,
  KeyValue,
  Operation,
  OperationResult,
  RangeRequest,
  RangeResult,
  StoreErrorCode,
  Transaction,
  TransactionResult,
} from '../../../contracts/store/index.ts';
import { covers, type Request } from '../history.ts';

/** The state of a store at one moment. States are immutable. */
export interface State {
  readonly revision: number;
  /** The oldest revision that can be read; 0 before the first compaction. */
  readonly compacted: number;
  readonly kvs: ReadonlyMap<string, KeyValue>;
  readonly leases: ReadonlySet<string>;
  /** The changes of this revision. */
  readonly events: readonly KeyEvent[];
  /** The last state of the revision before; absent for revision 1. */
  readonly before?: State;
}

/** The state of a fresh store. */
export const FRESH: State = { revision: 1, compacted: 0, kvs: new Map(), leases: new Set(), events: [] };

/** The answer that the model gives. */
export type Expected =
  | { readonly kind: 'transaction'; readonly result: TransactionResult }
  | { readonly kind: 'range'; readonly result: RangeResult }
  | { readonly kind: 'done' }
  /** A grant succeeds with a new id. */
  | { readonly kind: 'lease'; readonly seconds: number }
  /** If several refusals are right, any of them may come. */
  | { readonly kind: 'refused'; readonly codes: readonly StoreErrorCode[] };

/** The result of a call: the state after it, and its answer. */
export interface Step {
  readonly state: State;
  readonly expected: Expected;
}

/** Returns the state as it was at a revision. */
export function stateAt(state: State, revision: number): State {
  let at = state;
  while (at.revision > revision && at.before) at = at.before;
  return at;
}

/**
 * A sequential model of etcd: one call after the other. It follows the contract, and shares no code with the reference.
 *
 * @param leaseId the id of a granted lease
 */
export function step(state: State, request: Request, leaseId?: string): Step {
  switch (request.call) {
    case 'transact':
      return transact(state, request.transaction);
    case 'range': {
      const code = objectionTo(state, request.request);
      if (code) return refused(state, [code]);
      return { state, expected: { kind: 'range', result: range(state, request.request) } };
    }
    case 'compact':
      return compact(state, request.revision);
    case 'grantLease': {
      // A grant never answers with the id of an existing lease.
      if (leaseId !== undefined && state.leases.has(leaseId)) return refused(state, []);
      const leases = leaseId === undefined ? state.leases : new Set([...state.leases, leaseId]);
      return { state: { ...state, leases }, expected: { kind: 'lease', seconds: request.seconds } };
    }
    case 'revokeLease':
      if (!state.leases.has(request.lease)) return refused(state, ['LeaseNotFound']);
      return { state: endLease(state, request.lease), expected: { kind: 'done' } };
  }
}

/** Ends a lease: its keys are deleted in one revision. */
export function endLease(state: State, lease: string): State {
  if (!state.leases.has(lease)) return state;
  const leases = new Set([...state.leases].filter((id) => id !== lease));
  const doomed = [...state.kvs.values()].filter((kv) => kv.lease === lease).map(({ key }) => key);
  const draft = new Draft(state);
  for (const key of doomed) draft.delete({ key });
  return { ...draft.finish(), leases };
}

function refused(state: State, codes: readonly StoreErrorCode[]): Step {
  return { state, expected: { kind: 'refused', codes } };
}

function objectionTo({ revision, compacted }: State, request: RangeRequest): StoreErrorCode | undefined {
  const { revision: asked = 0 } = request;
  if (asked === 0) return undefined;
  if (asked > revision) return 'FutureRevision';
  return asked < compacted ? 'Compacted' : undefined;
}

function compact(state: State, revision: number): Step {
  if (revision <= state.compacted) return refused(state, ['Compacted']);
  if (revision > state.revision) return refused(state, ['FutureRevision']);
  return { state: { ...state, compacted: revision }, expected: { kind: 'done' } };
}

/** Reads a range of a state that has not changed since its revision began. */
export function range(state: State, request: RangeRequest, present = state.kvs): RangeResult {
  const { revision = 0, limit = 0 } = request;
  const kvs = revision === 0 || revision === state.revision ? present : stateAt(state, revision).kvs;
  const all = [...kvs.values()].filter(({ key }) => covers(request, key)).sort(byKey);
  const some = limit > 0 ? all.slice(0, limit) : all;
  return { revision: state.revision, kvs: some, more: some.length < all.length, count: all.length };
}

function byKey(a: KeyValue, b: KeyValue): number {
  return a.key < b.key ? -1 : 1;
}

function transact(state: State, { compare = [], then, otherwise = [] }: Transaction): Step {
  if (hasDuplicates(then) || hasDuplicates(otherwise)) return refused(state, ['DuplicateKey']);
  const succeeded = compare.every((one) => isMet(state, one));
  const operations = succeeded ? then : otherwise;
  const codes = operations.flatMap((one): StoreErrorCode[] => {
    if ('put' in one)
      return one.put.lease !== undefined && !state.leases.has(one.put.lease) ? ['LeaseNotFound'] : [];
    const code = 'range' in one ? objectionTo(state, one.range) : undefined;
    return code ? [code] : [];
  });
  if (codes.length > 0) return refused(state, codes);
  const draft = new Draft(state);
  const results = operations.map((one) => draft.run(one));
  const after = draft.finish();
  const result = { revision: after.revision, succeeded, results };
  return { state: after, expected: { kind: 'transaction', result } };
}

function hasDuplicates(operations: readonly Operation[]): boolean {
  const puts = operations.flatMap((one) => ('put' in one ? [one.put.key] : []));
  const deletes = operations.flatMap((one) => ('delete' in one ? [one.delete] : []));
  return new Set(puts).size < puts.length || puts.some((key) => deletes.some((each) => covers(each, key)));
}

function isMet({ kvs }: State, compare: Compare): boolean {
  const kv = kvs.get(compare.key);
  if (compare.target !== 'value') return isOrdered(kv?.[compare.target] ?? 0, compare.is, compare.to);
  return kv !== undefined && isOrdered(bytesOf(kv.value), compare.is, bytesOf(compare.to));
}

/** Returns a text whose order is that of the bytes in UTF-8. */
function bytesOf(value: string): string {
  return Buffer.from(value, 'utf8').toString('latin1');
}

function isOrdered<T extends number | string>(a: T, is: Compare['is'], b: T): boolean {
  return { '=': a === b, '!=': a !== b, '<': a < b, '>': a > b }[is];
}

/** The next revision of a state, while its operations run. */
class Draft {
  readonly #state: State;
  #kvs: Map<string, KeyValue>;
  readonly #events: KeyEvent[] = [];

  constructor(state: State) {
    this.#state = state;
    this.#kvs = new Map(state.kvs);
  }

  run(operation: Operation): OperationResult {
    if ('put' in operation) {
      this.#put(operation.put);
      return { put: {} };
    }
    if ('delete' in operation) return { deleted: this.delete(operation.delete) };
    const { revision } = this.#state;
    const seen = { ...this.#state, revision: this.#events.length > 0 ? revision + 1 : revision };
    const { revision: asked = 0 } = operation.range;
    // A range at the old revision does not see the operations before it.
    const isOld = asked !== 0 && this.#events.length > 0;
    const result = range(isOld ? this.#state : seen, operation.range, isOld ? this.#state.kvs : this.#kvs);
    return { range: { ...result, revision: seen.revision } };
  }

  #put({
    key,
    value,
    lease,
  }: {
    readonly key: string;
    readonly value: string;
    readonly lease?: string;
  }): void {
    const previous = this.#kvs.get(key);
    const modRevision = this.#state.revision + 1;
    const { createRevision = modRevision, version = 0 } = previous ?? {};
    const kv: KeyValue = {
      key,
      value,
      createRevision,
      modRevision,
      version: version + 1,
      ...(lease !== undefined && { lease }),
    };
    this.#kvs.set(key, kv);
    this.#events.push({ type: 'PUT', kv, ...(previous && { previous }) });
  }

  delete(keys: KeyRange): number {
    const gone = [...this.#kvs.values()].filter(({ key }) => covers(keys, key)).sort(byKey);
    for (const previous of gone) {
      const { key } = previous;
      this.#kvs.delete(key);
      this.#events.push({ type: 'DELETE', kv: { key, modRevision: this.#state.revision + 1 }, previous });
    }
    return gone.length;
  }

  finish(): State {
    if (this.#events.length === 0) return this.#state;
    const { revision, compacted, leases } = this.#state;
    return {
      revision: revision + 1,
      compacted,
      leases,
      kvs: this.#kvs,
      events: this.#events,
      before: this.#state,
    };
  }
}
