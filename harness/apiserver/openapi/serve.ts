import type { Resource } from '../../api/resource.ts';
import { apiTypes } from '../../api/table/table.ts';
import { withCustomSchemas } from '../custom/schema-source.ts';
import { gzipStream } from '../handler/gzip.ts';
import { type Clause, parseAccept } from '../handler/negotiation.ts';
import { uncached } from '../handler/respond.ts';
import { builtInSchemas } from './built-in-schemas.ts';
import { OpenApi, type Representation, serverRelativeUrl } from './open-api.ts';

/** The level of compression that leaves the choice to the library. */
const DEFAULT_LEVEL = -1;

/** The root paths of OpenAPI, as `/` lists them. */
export const openApiPaths: readonly string[] = ['/openapi/v2', '/openapi/v3', '/openapi/v3/'];

/** A request for a document. */
interface OpenApiRequest {
  readonly request: Request;
  /** The decoded path of the URL. */
  readonly path: string;
  readonly resources: readonly Resource[];
  /** The release of the server: `v1.36.3`. */
  readonly release: string;
}

/**
 * Answers a request for an OpenAPI document.
 *
 * Upstream: kubernetes/kube-openapi@v0.0.0-20260317180543-43fb72c5454a pkg/handler/handler.go OpenAPIService and
 * pkg/handler3/handler.go OpenAPIService
 *
 * Differs: v3 documents are JSON only, so a client that accepts only protobuf is rejected. Answers have no
 * `Last-Modified` and no `Expires`, because the handler has no clock. Only group versions have documents; `/api`,
 * `/apis`, `/apis/{group}` and `/version` have none.
 *
 * @returns undefined for another path
 */
export function serveOpenApi({ request, path, resources, release }: OpenApiRequest): Response | undefined {
  const served = openApiOf(resources, release);
  if (path === '/openapi/v2') return serveV2(request, served);
  if (path === '/openapi/v3') {
    return answer(request, served.index(), { 'Content-Type': 'application/json' });
  }
  return path.startsWith('/openapi/v3/')
    ? serveV3(request, path.slice('/openapi/v3/'.length), served)
    : undefined;
}

function serveV2(request: Request, served: OpenApi): Response {
  const format = negotiateFormat(request, { json: ['json'], protobuf: protobufSubtypes });
  const Vary = 'Accept-Encoding, Accept';
  if (format === undefined) return reply(406, { Vary });
  const mediaType = `application/${format === 'json' ? 'json' : protobufSubtypes[0]}`;
  const content = served.swagger(format);
  const plain = answer(request, content, { 'Content-Type': mediaType, Vary });
  if (plain.status !== 200 || !takesGzip(request)) return plain;
  const { headers } = plain;
  headers.set('Content-Encoding', 'gzip');
  return new Response(gzipStream(content.body, DEFAULT_LEVEL), { headers });
}

/**
 * Reports whether to compress a v2 document. v3 documents are never compressed.
 *
 * Upstream: github.com/NYTimes/gziphandler gzip.go acceptsGzip, around kube-openapi's pkg/handler/handler.go
 * OpenAPIService.RegisterOpenAPIVersionedService. It leaves short bodies alone; no document is one.
 */
function takesGzip(request: Request): boolean {
  return parseAccept(request.headers.get('accept-encoding') ?? '').some(
    ({ mediaType, parameters }) => mediaType === 'gzip' && Number(parameters.get('q') ?? 1) > 0,
  );
}

function serveV3(request: Request, path: string, served: OpenApi): Response {
  if (negotiateFormat(request, { json: ['json'] }) === undefined) return reply(406, { Vary: 'Accept' });
  const content = served.document(path);
  // Upstream writes no body and no status, so the status is 200.
  if (content === undefined) return reply(200, { Vary: 'Accept' });
  const headers = { 'Content-Type': 'application/json', Vary: 'Accept' };
  const asked = new URL(request.url).searchParams.get('hash');
  if (!asked) return answer(request, content, headers);
  if (asked !== content.hash) {
    return reply(301, { ...headers, ETag: etagOf(content), Location: serverRelativeUrl(path, content.hash) });
  }
  return answer(request, content, { ...headers, 'Cache-Control': 'public, immutable' });
}

type Headers = Readonly<Record<string, string>>;

/** Returns the content, or 304 if the client already has it. */
function answer(request: Request, content: Representation, headers: Headers): Response {
  const ETag = etagOf(content);
  const { 'Content-Type': _, ...withoutType } = headers;
  if (known(request).some((each) => each === ETag || each === '*'))
    return reply(304, { ...withoutType, ETag });
  return reply(200, { ...headers, ETag }, content.body);
}

/** Returns the tags that the client has. Weak tags count like strong ones. */
function known(request: Request): readonly string[] {
  const listed = request.headers.get('if-none-match')?.split(',') ?? [];
  return listed.map((each) => each.trim().replace(/^W\//, ''));
}

const etagOf = ({ hash }: Representation): string => `"${hash}"`;

function reply(status: number, headers: Headers, body: Representation['body'] | null = null): Response {
  return new Response(body as string | Uint8Array<ArrayBuffer> | null, {
    status,
    headers: { ...uncached, ...headers },
  });
}

/** The subtypes for protobuf. The first is the name in answers; the second is its former name. */
const protobufSubtypes = [
  'com.github.proto-openapi.spec.v2.v1.0+protobuf',
  'com.github.proto-openapi.spec.v2@v1.0+protobuf',
] as const;

/**
 * Returns the offered format that the client prefers; undefined if it accepts none.
 *
 * @param offers - the subtypes of `application` for each format
 */
function negotiateFormat<F extends string>(
  request: Request,
  offers: Readonly<Record<F, readonly string[]>>,
): F | undefined {
  const formats = Object.keys(offers) as F[];
  for (const clause of parseAccept(request.headers.get('accept') || '*/*')) {
    const format = formats.find((each) => offers[each].some((subtype) => covers(clause, subtype)));
    if (format !== undefined) return format;
  }
  return undefined;
}

function covers({ mediaType }: Clause, subtype: string): boolean {
  const [type, asked] = mediaType.split('/', 2);
  return (type === 'application' || type === '*') && (asked === subtype || asked === '*');
}

const builtIn = builtInSchemas(apiTypes);
const made = new WeakMap<readonly Resource[], Map<string, OpenApi>>();

/** Returns the documents of these resources, built once for all servers. */
function openApiOf(resources: readonly Resource[], release: string): OpenApi {
  const byRelease = made.get(resources) ?? new Map<string, OpenApi>();
  made.set(resources, byRelease);
  const known =
    byRelease.get(release) ?? new OpenApi(resources, withCustomSchemas(resources, builtIn), release);
  byRelease.set(release, known);
  return known;
}
