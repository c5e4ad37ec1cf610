import type {
  KeyValue,
  OperationResult,
  RangeResult,
  TransactionResult,
} from '../../../contracts/store/index.ts';
import type { Answer } from '../history.ts';
import type { Expected } from './model.ts';

/** Returns whether an answer is the model's. */
export function matches(answer: Answer, expected: Expected): boolean {
  switch (answer.kind) {
    case 'failed':
      return false;
    case 'refused':
      return expected.kind === 'refused' && expected.codes.includes(answer.code);
    case 'lease':
      return expected.kind === 'lease' && answer.lease.seconds >= expected.seconds;
    case 'done':
      return expected.kind === 'done';
    case 'range':
      return expected.kind === 'range' && isSameRange(answer.result, expected.result);
    case 'transaction':
      return expected.kind === 'transaction' && isSameTransaction(answer.result, expected.result);
  }
}

function isSameTransaction(a: TransactionResult, b: TransactionResult): boolean {
  return (
    a.revision === b.revision &&
    a.succeeded === b.succeeded &&
    a.results.length === b.results.length &&
    a.results.every((one, i) => isSameResult(one, b.results[i] as OperationResult))
  );
}

/** Returns whether two results of an operation are equal. */
export function isSameResult(a: OperationResult, b: OperationResult): boolean {
  if ('put' in b) return 'put' in a;
  if ('deleted' in b) return 'deleted' in a && a.deleted === b.deleted;
  return 'range' in a && isSameRange(a.range, b.range);
}

/** Returns whether two results of a range are equal. */
export function isSameRange(a: RangeResult, b: RangeResult): boolean {
  return (
    a.revision === b.revision &&
    a.count === b.count &&
    a.more === b.more &&
    a.kvs.length === b.kvs.length &&
    a.kvs.every((kv, i) => isSameKv(kv, b.kvs[i] as KeyValue))
  );
}

/** Returns whether two states of a key are equal. */
export function isSameKv(a: Partial<KeyValue>, b: Partial<KeyValue>): boolean {
  return (
    a.key === b.key &&
    a.value === b.value &&
    a.createRevision === b.createRevision &&
    a.modRevision === b.modRevision &&
    a.version === b.version &&
    a.lease === b.lease
  );
}
