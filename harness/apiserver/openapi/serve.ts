import { constants as zlib } from 'node:zlib';
import type { Resource } from '../../api/resource.ts';
import { apiTypes } from '../../api/table/table.ts';
import { withCustomSchemas } from '../custom/schema-source.ts';
import { gzipStream } from '../handler/gzip.ts';
import { type Clause, parseAccept } from '../handler/negotiation.ts';
import { uncached } from '../handler/respond.ts';
import { builtInSchemas } from './built-in-schemas.ts';
import { OpenApi, type Representation, serverRelativeUrl } from './open-api.ts';

/** The paths below which OpenAPI stands, as `/` lists them. */
export const openApiPaths: readonly string[] = ['/openapi/v2', '/openapi/v3', '/openapi/v3/'];

/** A request for a document. */
export interface OpenApiRequest {
  readonly request: Request;
  /** Of the URL, decoded. */
  readonly path: string;
  readonly resources: readonly Resource[];
  /** Of the server: `v1.36.3`. */
  readonly release: string;
}

/**
 * Answers a request for a document of OpenAPI.
 *
 * Upstream: kubernetes/kube-openapi@v0.0.0-20260317180543-43fb72c5454a pkg/handler/handler.go OpenAPIService and
 * pkg/handler3/handler.go OpenAPIService
 *
 * Differs: documents of v3 are JSON alone, so that a client that takes only protobuf is refused. No answer says when
 * its document was made and when it expires: the handler has no clock. Group versions have documents; `/api`, `/apis`,
 * `/apis/{group}` and `/version` have none.
 *
 * @returns undefined for a path at which there is nothing
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
  return new Response(gzipStream(content.body, zlib.Z_DEFAULT_COMPRESSION), { headers });
}

/**
 * Whether a document of v2 is compressed. Those of v3 never are.
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
  // Upstream writes nothing, and nothing is 200.
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

/** The content, unless the client says that it has it. */
function answer(request: Request, content: Representation, headers: Headers): Response {
  const ETag = etagOf(content);
  const { 'Content-Type': _, ...withoutType } = headers;
  if (known(request).some((each) => each === ETag || each === '*'))
    return reply(304, { ...withoutType, ETag });
  return reply(200, { ...headers, ETag }, content.body);
}

/** The tags that the client has. A weak one counts as much. */
function known(request: Request): readonly string[] {
  const listed = request.headers.get('if-none-match')?.split(',') ?? [];
  return listed.map((each) => each.trim().replace(/^W\//, ''));
}

const etagOf = ({ hash }: Representation): string => `"${hash}"`;

function reply(status: number, headers: Headers, body: Representation['body'] | null = null): Response {
  return new Response(body, { status, headers: { ...uncached, ...headers } });
}

/** The subtypes by which protobuf is asked for. The first is its name in answers; the other is its former name. */
const protobufSubtypes = [
  'com.github.proto-openapi.spec.v2.v1.0+protobuf',
  'com.github.proto-openapi.spec.v2@v1.0+protobuf',
] as const;

/**
 * The format that the client prefers among those that are offered; undefined if it takes none.
 *
 * @param offers - by format, the subtypes of `application` that ask for it
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

/** Documents of the same resources are made once, however many servers serve them. */
function openApiOf(resources: readonly Resource[], release: string): OpenApi {
  const byRelease = made.get(resources) ?? new Map<string, OpenApi>();
  made.set(resources, byRelease);
  const known =
    byRelease.get(release) ?? new OpenApi(resources, withCustomSchemas(resources, builtIn), release);
  byRelease.set(release, known);
  return known;
}
