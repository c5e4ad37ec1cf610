import type {
  Compare,
  KeyEvent,
  KeyRange,
  KeyValue,
  Operation,
  OperationResult,
  RangeRequest,
  RangeResult,
  WatchResponse,
} from '../contracts/store/index.ts';

/**
 * The first part of each message of etcd's gateway. Numbers of 64 bits are texts, keys and values are base64, and zero
 * values are left out.
 *
 * Upstream: etcd-io/etcd@v3.4.23 etcdserver/etcdserverpb/rpc.proto, mvcc/mvccpb/kv.proto
 */
export interface WireHeader {
  readonly revision?: string;
}

interface WireKeyValue {
  readonly key: string;
  readonly value?: string;
  readonly create_revision?: string;
  readonly mod_revision?: string;
  readonly version?: string;
  readonly lease?: string;
}

export interface WireRange {
  readonly header: WireHeader;
  readonly kvs?: readonly WireKeyValue[];
  readonly more?: boolean;
  readonly count?: string;
}

/** The result of one operation of a transaction. */
export interface WireResult {
  readonly response_put?: object;
  readonly response_delete_range?: { readonly deleted?: string };
  readonly response_range?: WireRange;
}

/** One message of a watch. */
export interface WireWatch {
  readonly header: WireHeader;
  readonly created?: boolean;
  readonly canceled?: boolean;
  readonly compact_revision?: string;
  readonly events?: readonly {
    readonly type?: 'DELETE';
    readonly kv: WireKeyValue;
    readonly prev_kv?: WireKeyValue;
  }[];
}

export const toBase64 = (text: string): string => Buffer.from(text).toString('base64');
const fromBase64 = (text = ''): string => Buffer.from(text, 'base64').toString();

/** Returns the fields of a range: `key`, `range_end`. */
export function rangeToWire({ key, end }: KeyRange): object {
  return { key: toBase64(key), ...(end !== undefined && { range_end: toBase64(end) }) };
}

export function readToWire({ revision = 0, limit = 0, ...range }: RangeRequest): object {
  return { ...rangeToWire(range), revision: String(revision), limit: String(limit) };
}

const RESULTS = { '=': 'EQUAL', '!=': 'NOT_EQUAL', '<': 'LESS', '>': 'GREATER' } as const;
const TARGETS = {
  createRevision: { target: 'CREATE', field: 'create_revision' },
  modRevision: { target: 'MOD', field: 'mod_revision' },
  version: { target: 'VERSION', field: 'version' },
  value: { target: 'VALUE', field: 'value' },
} as const;

export function compareToWire(compare: Compare): object {
  const { target, field } = TARGETS[compare.target];
  const to = compare.target === 'value' ? toBase64(compare.to) : String(compare.to);
  return { key: toBase64(compare.key), target, result: RESULTS[compare.is], [field]: to };
}

export function operationToWire(operation: Operation): object {
  if ('range' in operation) return { request_range: readToWire(operation.range) };
  if ('delete' in operation) return { request_delete_range: rangeToWire(operation.delete) };
  const { key, value, lease } = operation.put;
  const put = { key: toBase64(key), value: toBase64(value) };
  return { request_put: { ...put, ...(lease !== undefined && { lease }) } };
}

export function keyValueFromWire(kv: WireKeyValue): KeyValue {
  return {
    key: fromBase64(kv.key),
    value: fromBase64(kv.value),
    createRevision: Number(kv.create_revision),
    modRevision: Number(kv.mod_revision),
    version: Number(kv.version),
    ...(kv.lease && { lease: kv.lease }),
  };
}

export function rangeFromWire({ header, kvs = [], more = false, count = '0' }: WireRange): RangeResult {
  return { revision: Number(header.revision), kvs: kvs.map(keyValueFromWire), more, count: Number(count) };
}

export function resultFromWire(result: WireResult): OperationResult {
  if (result.response_range) return { range: rangeFromWire(result.response_range) };
  if (result.response_delete_range) return { deleted: Number(result.response_delete_range.deleted ?? 0) };
  return { put: {} };
}

/** The end of a watch of the compacted past carries no revision, so it gets the least that the store can have. */
export function watchFromWire({ header, events = [], compact_revision = '0' }: WireWatch): WatchResponse {
  return {
    revision: Number(header.revision ?? compact_revision),
    events: events.map(({ type, kv, prev_kv }): KeyEvent => {
      const previous = prev_kv && { previous: keyValueFromWire(prev_kv) };
      if (!type) return { type: 'PUT', kv: keyValueFromWire(kv), ...previous };
      return { type, kv: { key: fromBase64(kv.key), modRevision: Number(kv.mod_revision) }, ...previous };
    }),
    ...(compact_revision !== '0' && { compactRevision: Number(compact_revision) }),
  };
}
