import { stringify } from 'yaml';
import type { KubeObject, List } from '../../api/objects.ts';
import { errors, type Status, StatusError } from '../../api/status.ts';
import { isList } from '../table/table.ts';
import { encodeList, encodeObject } from './encode.ts';
import { encodeProtobuf } from './encode-protobuf.ts';
import { gzipStream, isGzipped } from './gzip.ts';
import { asIs, type Negotiated, negotiate } from './negotiation.ts';
import { warningHeaders } from './warning.ts';

/** An answer before it is encoded. */
export interface Answer {
  readonly code: number;
  readonly body: List<KubeObject> | { kind?: string; apiVersion?: string };
}

/**
 * Encodes an answer in the negotiated format.
 *
 * This module turns objects, lists and failures into Responses.
 *
 * Upstream: kubernetes/apiserver@v0.36.3 pkg/endpoints/handlers/responsewriters/writers.go
 */
export function respond({ code, body }: Answer, request: Request, { mediaType }: Negotiated): Response {
  const encoded = encodeAs(mediaType, body, request);
  if (!isGzipped(request, encoded)) return reply(code, mediaType, encoded);
  const response = reply(code, mediaType, gzipStream(encoded));
  response.headers.set('Content-Encoding', 'gzip');
  response.headers.append('Vary', 'Accept-Encoding');
  return response;
}

/** Adds warnings to a response and returns it. */
export function withWarnings(response: Response, warnings: readonly string[]): Response {
  for (const warning of warningHeaders(warnings)) response.headers.append('Warning', warning);
  return response;
}

type Body = string | Uint8Array<ArrayBuffer>;

function encodeAs(mediaType: Negotiated['mediaType'], body: Answer['body'], request: Request): Body {
  if (mediaType === 'application/vnd.kubernetes.protobuf') return encodeProtobuf(body);
  // A list of metadata does not imply the kind of its items, so each item carries its own.
  const text =
    isList(body) && body.kind !== 'PartialObjectMetadataList' ? encodeList(body) : encodeObject(body);
  if (mediaType === 'application/yaml') return yamlOf(text);
  const json = isPrettyPrint(request) ? JSON.stringify(JSON.parse(text), null, 2) : text;
  return `${json}\n`;
}

/** Go's library sorts keys and does not indent lists. */
function yamlOf(json: string): string {
  return stringify(JSON.parse(json), { sortMapEntries: true, indentSeq: false, version: '1.1' });
}

/** Answers a failed request with its Status, in a format that the client accepts, otherwise in JSON. */
export function respondError(error: unknown, request: Request): Response {
  const status = statusOf(error);
  const negotiated = negotiate(request.headers.get('accept'), asIs) ?? { mediaType: 'application/json' };
  const response = respond({ code: status.code, body: status }, request, negotiated);
  const retryAfterSeconds = status.details?.retryAfterSeconds ?? 0;
  if (retryAfterSeconds > 0) response.headers.set('Retry-After', String(retryAfterSeconds));
  return response;
}

/** Answers with plain text instead of an API object. */
export function respondText(code: number, text: string, mediaType = 'text/plain; charset=utf-8'): Response {
  return reply(code, mediaType, text);
}

/**
 * Returns the Status of an error. Any error that is not a StatusError is a bug of this server and becomes an internal
 * error with its message.
 */
export function statusOf(error: unknown): Status {
  if (error instanceof StatusError) return error.status;
  return errors.internal(error instanceof Error ? error.message : String(error)).status;
}

function reply(code: number, mediaType: string, body: Body | ReadableStream<Uint8Array>): Response {
  return new Response(body, { status: code, headers: { 'Content-Type': mediaType, ...uncached } });
}

/**
 * Default headers of an answer: shared caches must not store it, and a client must revalidate it before reuse.
 *
 * Upstream: kubernetes/apiserver@v0.36.3 pkg/endpoints/filters/cachecontrol.go WithCacheControl
 */
export const uncached = { 'Cache-Control': 'no-cache, private' } as const;

/** Upstream: kubernetes/apiserver@v0.36.3 pkg/endpoints/handlers/negotiation/negotiate.go isPrettyPrint */
function isPrettyPrint(request: Request): boolean {
  const asked = /[?&]pretty=([^&]*)/.exec(request.url)?.[1];
  if (asked) return /^(1|t|T|true|True|TRUE)$/.test(asked);
  return /^(curl|Wget|Mozilla\/5\.0)/.test(request.headers.get('user-agent') ?? '');
}
