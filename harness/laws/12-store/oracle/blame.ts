import type { KeyRange, KeyValue, OperationResult, RangeResult } from '../../../contracts/store/index.ts';
import { type Answer, covers } from '../history.ts';
import type { Call } from './calls.ts';
import type { Order } from './linearize.ts';
import { isSameKv, isSameResult } from './matches.ts';
import { type Expected, range, type State } from './model.ts';
import type { LawName } from './verdicts.ts';

/** Returns the law that a call violates, from the difference between its answer and that of the model. */
export function blame({ placed, state }: Order, call: Call, expected: Expected): LawName {
  const { answer, request } = call;
  if (!answer || request.call === 'expire' || request.call === 'grantLease' || request.call === 'revokeLease')
    return 'leases';
  if (answer.kind === 'failed') return 'answers';
  if (isFirstSight(call, placed)) return 'durable';
  if (hasLost(call, placed, expected)) return 'durable';
  if (answer.kind === 'refused' || expected.kind === 'refused') return blameRefusal(answer, expected);
  // A revision that no call has written may be that of a refused transaction.
  if (revisionOf(answer) > revisionOf(expected) && placed.some(isRefusedWrite)) return 'allOrNothing';
  if (answer.kind === 'transaction' && expected.kind === 'transaction') {
    const [a, b] = [answer.result, expected.result];
    if (a.succeeded !== b.succeeded || a.results.length !== b.results.length) return 'allOrNothing';
    if (a.revision !== b.revision) return 'oneCounter';
    const i = a.results.findIndex((one, at) => !isSameResult(one, b.results[at] as OperationResult));
    const [x, y] = [a.results[i], b.results[i]];
    if (!x || !y || !('range' in x) || !('range' in y)) return 'ranges';
    if (x.range.revision !== y.range.revision && hasSameKvs(x.range, y.range)) return 'oneCounter';
    const operations =
      request.call === 'transact' ? request.transaction[b.succeeded ? 'then' : 'otherwise'] : [];
    const asked = operations?.[i];
    if (!asked || !('range' in asked)) return 'ranges';
    const isPast = asked.range.revision !== undefined && asked.range.revision !== state.revision;
    const law = blameRange(x.range, y.range, { state, keys: asked.range, isPast });
    return law === 'linearizable' ? 'allOrNothing' : law;
  }
  if (answer.kind === 'range' && expected.kind === 'range' && request.call === 'range') {
    const asked = request.request.revision;
    const isPast = asked !== undefined && asked < state.revision;
    if (answer.result.revision === state.revision && !isPast && isHalf(answer.result, state, request.request))
      return 'allOrNothing';
    return blameRange(answer.result, expected.result, { state, keys: request.request, isPast });
  }
  return 'linearizable';
}

/** Returns whether no write of the called process has its place yet: the call reads what the process has recovered. */
function isFirstSight({ process }: Call, placed: Order['placed']): boolean {
  if (process === 0) return false;
  return !placed.some(
    (one, i) => one.call.process === process && one.state.revision > (placed[i - 1]?.state.revision ?? 1),
  );
}

/** Returns whether a range misses a state that a process before has written. */
function hasLost({ process, answer }: Call, placed: Order['placed'], expected: Expected): boolean {
  if (process === 0 || answer?.kind !== 'range' || expected.kind !== 'range') return false;
  const last = placed.findLast(({ call }) => call.process < process)?.state.revision ?? 1;
  const { kvs } = answer.result;
  return expected.result.kvs.some(
    (kv) => kv.modRevision <= last && !kvs.some((one) => one.key === kv.key && one.value === kv.value),
  );
}

function revisionOf(answer: Answer | Expected): number {
  return 'result' in answer ? answer.result.revision : 0;
}

function isRefusedWrite({ call: { request, answer } }: Order['placed'][number]): boolean {
  return request.call === 'transact' && answer?.kind === 'refused' && answer.code !== 'DuplicateKey';
}

function blameRefusal(answer: Answer, expected: Expected): LawName {
  const codes = [
    ...(answer.kind === 'refused' ? [answer.code] : []),
    ...(expected.kind === 'refused' ? expected.codes : []),
  ];
  if (codes.includes('LeaseNotFound')) return 'leases';
  return codes.includes('DuplicateKey') ? 'allOrNothing' : 'compacted';
}

/** Compares two ranges that are not equal. */
function blameRange(
  a: RangeResult,
  b: RangeResult,
  { state, keys, isPast }: { readonly state: State; readonly keys: KeyRange; readonly isPast: boolean },
): LawName {
  const stale = isPast ? 'snapshot' : 'linearizable';
  if (a.revision !== b.revision && isSameKeys(a, b))
    return a.revision > state.revision ? 'oneCounter' : stale;
  const missing = b.kvs.filter(({ key }) => !a.kvs.some((kv) => kv.key === key));
  if (missing.length > 0 && missing.every(({ modRevision }) => modRevision <= state.compacted))
    return 'compacted';
  if (keysOf(a.kvs) !== keysOf(b.kvs)) {
    const isCut = a.count === b.count;
    const isSorted = keysOf(a.kvs) === keysOf(a.kvs.toSorted((x, y) => (x.key < y.key ? -1 : 1)));
    return isCut || !isSorted || a.kvs.some(({ key }) => !covers(keys, key)) ? 'ranges' : stale;
  }
  const wrong = a.kvs.findIndex((kv, i) => !isSameKv(kv, b.kvs[i] as KeyValue));
  if (wrong < 0) return 'ranges';
  const [x, y] = [a.kvs[wrong] as KeyValue, b.kvs[wrong] as KeyValue];
  if (x.value !== y.value) return stale;
  return x.lease === y.lease ? 'oneCounter' : 'leases';
}

function hasSameKvs(a: RangeResult, b: RangeResult): boolean {
  return a.kvs.length === b.kvs.length && a.kvs.every((kv, i) => isSameKv(kv, b.kvs[i] as KeyValue));
}

function isSameKeys(a: RangeResult, b: RangeResult): boolean {
  return keysOf(a.kvs) === keysOf(b.kvs);
}

function keysOf(kvs: readonly KeyValue[]): string {
  return kvs.map(({ key }) => key).join('\n');
}

/** Returns whether a range shows a part of the last revision's changes, and the state before of its other keys. */
function isHalf(answer: RangeResult, state: State, request: Parameters<typeof range>[1]): boolean {
  const { before, events } = state;
  if (!before || events.length < 2) return false;
  const old = range(before, { ...request, revision: 0 });
  const now = range(state, { ...request, revision: 0 });
  const has = ({ kvs }: RangeResult, key: string): KeyValue | undefined => kvs.find((kv) => kv.key === key);
  const same = (a?: KeyValue, b?: KeyValue): boolean => (a && b ? isSameKv(a, b) : a === b);
  const shown = events.map(({ kv }) => kv.key).filter((key) => !same(has(old, key), has(now, key)));
  const isNew = shown.filter((key) => same(has(answer, key), has(now, key)));
  const isOld = shown.filter((key) => same(has(answer, key), has(old, key)));
  return isNew.length > 0 && isOld.length > 0 && isNew.length + isOld.length === shown.length;
}
