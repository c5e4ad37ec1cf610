import { isDeepStrictEqual } from 'node:util';
import { apiTypes, type Struct } from '../../api/table/table.ts';
import { decode } from '../../apiserver/decode.ts';
import { openEnvelope } from '../../apiserver/handler/protobuf/envelope.ts';
import { readMessage } from '../../apiserver/handler/protobuf/message.ts';
import { APPLY } from './body.ts';
import { kindOf } from './kind-of.ts';
import type { JsonObject } from './mutate.ts';
import type { FuzzRequest } from './request.ts';
import type { Answer, Served } from './served.ts';

export const PROTOBUF = 'application/vnd.kubernetes.protobuf';

/** The part of {@link Served} that repeated requests need. */
interface Asked extends Pick<Served, 'send'> {
  readonly server: { readonly storage: { readonly revision: number } };
}

/** A request and its parsed answer. */
interface Exchange {
  readonly served: Asked;
  readonly request: FuzzRequest;
  readonly answer: Answer;
  /** The object or list in the answer. */
  readonly told: JsonObject;
}

/**
 * Sends further requests and returns a description of any disagreement between the answers; undefined if they agree.
 */
export async function brokenByAskingAgain(
  served: Asked,
  request: FuzzRequest,
  answer: Answer,
): Promise<string | undefined> {
  if (answer.status >= 300) return undefined;
  const told = readAnswer(answer);
  if (!told) return undefined;
  const exchange = { served, request, answer, told };
  const misshapen = brokenShape(told);
  if (misshapen) return misshapen;
  if (request.method === 'GET') return (await brokenProtobuf(exchange)) ?? brokenTable(exchange);
  if (!WRITING.includes(request.method) || isTried(request)) return undefined;
  return (await brokenRead(exchange)) ?? brokenRepeat(exchange);
}

const WRITING = ['POST', 'PUT', 'PATCH'];

/** Typed: an object or a list has only the fields of its kind, with values of their types. */
function brokenShape(told: JsonObject): string | undefined {
  const kind = kindOf(told);
  if (apiTypes.kind(kind) === undefined) return undefined;
  try {
    decode(kind, told, { fieldValidation: 'Strict' });
    return undefined;
  } catch (error) {
    return `the answer is not a valid ${kind.kind}: ${(error as Error).message}`;
  }
}

/** Equal in each format: an answer in protobuf equals the same answer in JSON. */
async function brokenProtobuf({ served, request, answer, told }: Exchange): Promise<string | undefined> {
  if (answer.contentType !== PROTOBUF) return undefined;
  const json = readAnswer(
    await served.send(accepting(request, accept(request).replaceAll(PROTOBUF, JSON_TYPE))),
  );
  if (json && isDeepStrictEqual(canonical(told), canonical(json))) return undefined;
  return differing('protobuf differs from JSON', told, json);
}

/** Complete: a table has a row for each item, in the same order, and a cell for each column. */
async function brokenTable({ served, request, told }: Exchange): Promise<string | undefined> {
  if (told.kind !== 'Table') return undefined;
  const plain = readAnswer(await served.send(accepting(request, JSON_TYPE)));
  const items = (plain?.items ?? [plain]) as readonly Named[];
  // An empty table of a kind without own columns has null instead.
  const { rows, columnDefinitions } = {
    ...(told as unknown as Table),
    rows: (told.rows ?? []) as Table['rows'],
  };
  if (rows.length !== items.length) return `a table of ${items.length} items has ${rows.length} rows`;
  for (const [index, { cells, object }] of rows.entries()) {
    if (cells.length !== columnDefinitions.length) return `row ${index} has ${cells.length} cells`;
    const [name, shown] = [items[index]?.metadata?.name, object?.metadata?.name];
    if (object && shown !== name) return `row ${index} shows ${shown}, item ${index} is ${name}`;
  }
  return undefined;
}

interface Named {
  readonly metadata?: { readonly name?: string };
}

interface Table {
  readonly columnDefinitions: readonly unknown[];
  readonly rows: readonly { readonly cells: readonly unknown[]; readonly object?: Named | null }[];
}

/** Durable: a read returns the object that the write returned. */
async function brokenRead({ served, request, told }: Exchange): Promise<string | undefined> {
  const { name, uid, deletionTimestamp } = metadataOf(told);
  // An object without a uid was not stored, and a terminating object may be deleted.
  if (!name || !uid || deletionTimestamp || UNLIKE.includes(String(told.kind))) return undefined;
  const [pathname = ''] = request.path.split('?', 1);
  const path =
    request.method === 'POST' ? `${pathname.replace(/\/+$/, '')}/${encodeURIComponent(name)}` : pathname;
  const read = await served.send({ method: 'GET', path, headers: {} });
  if (read.status === 405) return undefined;
  const there = readAnswer(read);
  if (there && isDeepStrictEqual(canonical(told), canonical(there))) return undefined;
  return differing('the read differs from the answer of the write', told, there ?? read.text);
}

/** Kinds of answers to a write other than the object. */
const UNLIKE = ['Table', 'PartialObjectMetadata', 'Status', 'TokenRequest'];

/** Idempotent: applying a configuration a second time changes nothing. */
async function brokenRepeat({ served, request, told }: Exchange): Promise<string | undefined> {
  const { deletionTimestamp, managedFields } = metadataOf(told);
  if (!isApply(request) || deletionTimestamp || /resourceVersion/.test(request.body ?? '')) return undefined;
  // Without managedFields, the next apply first assigns all existing fields to `before-first-apply`, which is a change.
  // A Scale has no managedFields either. An owner by update has another key in the Scale than in its object. So its own
  // apply takes the replicas from it, as in upstream.
  if (!managedFields) return undefined;
  // In custom resources empty and absent differ; a list that loses its items yields either.
  if (apiTypes.kind(kindOf(told)) === undefined && /\[\s*\]|\{\s*\}/.test(request.body ?? ''))
    return undefined;
  const before = served.server.storage.revision;
  const { status, text } = await served.send(request);
  const after = served.server.storage.revision;
  if ((status < 300 || UNTYPED.test(text)) && after === before) return undefined;
  return `the second apply is answered with ${status} and writes ${after - before} revisions: ${text.slice(0, 400)}`;
}

/** An item of a list was applied with null as its key, which is not stored. */
const UNTYPED = /failed to create typed live object .* omits all key fields/;

/** Returns whether a request is a server-side apply. */
export const isApply = ({ method, headers }: FuzzRequest): boolean =>
  method === 'PATCH' && headers['Content-Type'] === APPLY;

const isTried = ({ path }: FuzzRequest): boolean => /[?&]dryRun=All(&|$)/.test(path);

const JSON_TYPE = 'application/json';

const accept = ({ headers }: FuzzRequest): string => headers.Accept ?? '';

function accepting(request: FuzzRequest, type: string): FuzzRequest {
  return { ...request, headers: { ...request.headers, Accept: type } };
}

function metadataOf(object: JsonObject): Readonly<Record<string, string | undefined>> {
  return (object.metadata ?? {}) as Record<string, string | undefined>;
}

/** Returns the object in an answer; undefined for a stream, and for content that is neither JSON nor protobuf. */
export function readAnswer({ contentType, text, bytes }: Answer): JsonObject | undefined {
  if (contentType === PROTOBUF) return readProtobuf(bytes);
  if (contentType !== JSON_TYPE) return undefined;
  try {
    return JSON.parse(text) as JsonObject;
  } catch {
    return undefined;
  }
}

function readProtobuf(bytes: Uint8Array): JsonObject {
  const { apiVersion, kind, raw } = openEnvelope(bytes);
  const struct =
    apiTypes.kind(kindOf({ apiVersion, kind })) ?? (apiTypes.struct(`meta/v1.${kind}`) as Struct);
  return { kind, apiVersion, ...readMessage(struct, raw) };
}

/**
 * Removes details that protobuf cannot express: empty fields that JSON prints, and the kind of nested objects. JSON has
 * that kind in a list of PartialObjectMetadata and in claim templates.
 */
function canonical(object: JsonObject): unknown {
  const kind = kindOf(object);
  const known = apiTypes.kind(kind) !== undefined;
  const printed = known ? decode<JsonObject>(kind, object, { fieldValidation: 'Ignore' }).object : object;
  // A custom resource can have any value there.
  const items = Array.isArray(printed.items) ? printed.items.map(untyped) : printed.items;
  return JSON.parse(JSON.stringify({ ...printed, items }), (key, value) => {
    if (key === 'volumeClaimTemplates' && Array.isArray(value)) return value.map(untyped);
    return isEmpty(value) ? undefined : value;
  });
}

function untyped(value: unknown): unknown {
  if (typeof value !== 'object' || value === null) return value;
  const { kind, apiVersion, ...object } = value as JsonObject;
  return object;
}

function isEmpty(value: unknown): boolean {
  return (
    value === null ||
    value === '' ||
    value === 0 ||
    value === false ||
    (typeof value === 'object' && Object.values(value).every((item) => item === undefined))
  );
}

function differing(why: string, one: unknown, other: unknown): string {
  return `${why}:\n${JSON.stringify(one)}\n${JSON.stringify(other)}`;
}
