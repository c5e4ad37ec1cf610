import type {
  Compare,
  KeyEvent,
  KeyRange,
  KeyValue,
  Operation,
  OperationResult,
  RangeRequest,
  RangeResult,
  Transaction,
} from '../../../contracts/store/index.ts';
import type { Answer, Request } from '../history.ts';
import type { Expected } from '../oracle/model.ts';

/** Formats a key or a value: unchanged, unless it has odd characters. */
export function sayText(text: string): string {
  return /^[\w/.-]+$/.test(text) ? text : JSON.stringify(text);
}

/** Formats a range: `a`, or `[a, b)`. */
export function sayRange({ key, end }: KeyRange): string {
  return end === undefined ? sayText(key) : `[${sayText(key)}, ${sayText(end)})`;
}

/** Formats a call. */
export function sayRequest(request: Request | { readonly call: 'expire'; readonly lease: string }): string {
  switch (request.call) {
    case 'transact':
      return sayTransaction(request.transaction);
    case 'range':
      return sayRangeRequest(request.request);
    case 'compact':
      return `compact(${request.revision})`;
    case 'grantLease':
      return `grantLease(${request.seconds})`;
    case 'revokeLease':
      return `revokeLease(${request.lease})`;
    case 'expire':
      return `the end of lease ${request.lease}`;
  }
}

function sayRangeRequest({ revision, limit, ...range }: RangeRequest): string {
  const at = revision === undefined ? '' : ` at ${revision}`;
  return `range ${sayRange(range)}${at}${limit === undefined ? '' : ` limit ${limit}`}`;
}

function sayTransaction({ compare = [], then, otherwise = [] }: Transaction): string {
  const only = then.length === 1 && compare.length === 0 && otherwise.length === 0 ? then[0] : undefined;
  if (only) return sayOperation(only);
  const parts = [
    ...(compare.length > 0 ? [`if ${compare.map(sayCompare).join(' and ')}`] : []),
    `then ${then.map(sayOperation).join(', ') || 'nothing'}`,
    ...(otherwise.length > 0 ? [`otherwise ${otherwise.map(sayOperation).join(', ')}`] : []),
  ];
  return parts.join(' ');
}

function sayCompare({ key, target, is, to }: Compare): string {
  return `${target} of ${sayText(key)} ${is} ${typeof to === 'string' ? sayText(to) : to}`;
}

function sayOperation(operation: Operation): string {
  if ('delete' in operation) return `delete ${sayRange(operation.delete)}`;
  if ('range' in operation) return sayRangeRequest(operation.range);
  const { key, value, lease } = operation.put;
  return `put ${sayText(key)}=${sayText(value)}${lease === undefined ? '' : ` with lease ${lease}`}`;
}

/** Formats an answer. */
export function sayAnswer(answer: Answer): string {
  if (answer.kind === 'failed') return `fails: ${sayError(answer.error)}`;
  if (answer.kind === 'refused') return answer.code;
  if (answer.kind === 'lease') return `lease ${answer.lease.id} of ${answer.lease.seconds} s`;
  return sayResult(answer);
}

/** Formats the model's answer. */
export function sayExpected(expected: Expected): string {
  if (expected.kind === 'refused') return [...new Set(expected.codes)].join(' or ');
  if (expected.kind === 'lease') return `a lease of at least ${expected.seconds} s`;
  return sayResult(expected);
}

function sayResult(answer: Extract<Answer & Expected, { kind: 'transaction' | 'range' | 'done' }>): string {
  if (answer.kind === 'done') return 'success';
  if (answer.kind === 'range') return sayRangeResult(answer.result);
  const { revision, succeeded, results } = answer.result;
  const shown = results.map(sayOperationResult).filter((each) => each !== '');
  return `revision ${revision}, ${succeeded ? 'succeeded' : 'not succeeded'}${shown.length > 0 ? `; ${shown.join('; ')}` : ''}`;
}

function sayOperationResult(result: OperationResult): string {
  if ('deleted' in result) return `deleted ${result.deleted}`;
  return 'range' in result ? sayRangeResult(result.range) : '';
}

function sayRangeResult({ revision, kvs, more, count }: RangeResult): string {
  const keys = kvs.length === 0 ? 'no key' : kvs.map(sayKv).join(', ');
  return `revision ${revision}: ${keys}${more || count !== kvs.length ? ` (count ${count}, more ${more})` : ''}`;
}

/** Formats a key with its state: `a=1 (create 2, mod 3, version 2)`. */
export function sayKv(kv: Partial<KeyValue>): string {
  const { key = '', value = '', createRevision, modRevision, version, lease } = kv;
  const leased = lease === undefined ? '' : `, lease ${lease}`;
  return `${sayText(key)}=${sayText(value)} (create ${createRevision}, mod ${modRevision}, version ${version}${leased})`;
}

/** Formats a change of a key: `PUT a=1 at 3`. */
export function sayEvent({ type, kv }: KeyEvent): string {
  return `${type} ${sayText(kv.key)}${type === 'PUT' ? `=${sayText(kv.value ?? '')}` : ''} at ${kv.modRevision}`;
}

/** Formats an error. */
export function sayError(error: unknown): string {
  return error instanceof Error ? `${error.name}: ${error.message}` : String(error);
}
