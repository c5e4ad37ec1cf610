import { createHash } from '#platform/hash';
import { type Resource, verbsOf } from '../../api/resource.ts';
import { groupsOf, subresourceType, versionsOf } from './discovery.ts';
import type { Allows, Negotiated } from './negotiation.ts';
import { respond } from './respond.ts';

/**
 * Allows plain discovery or an aggregated document in v2. Release 1.35 removed the beta version.
 *
 * Differs: upstream also offers an aggregated document in protobuf.
 *
 * Upstream: kubernetes/apiserver@v0.36.3 pkg/endpoints/discovery/aggregated/negotiation.go
 * DiscoveryEndpointRestrictions
 */
export const plainOrAggregated: Allows = (convert) =>
  convert === undefined || (convert.group === GROUP && convert.version === VERSION && convert.kind === KIND);

/**
 * Answers with `/api` or `/apis` and everything below it. Answers 304 when the client already has this document.
 *
 * Aggregated discovery puts all of discovery into two documents, so that kubectl does not send one request per group.
 *
 * Upstream: kubernetes/apiserver@v0.36.3 pkg/endpoints/discovery/aggregated/etag.go ServeHTTPWithETag
 *
 * @param prefix - `api` for the core group, `apis` for all others
 */
export function serveAggregated(
  request: Request,
  resources: readonly Resource[],
  prefix: Prefix,
  negotiated: Negotiated,
): Response {
  const { body, etag } = documentsOf(resources)[prefix];
  const headers = { ETag: etag, 'Cache-Control': 'public' };
  if (request.headers.get('if-none-match') === etag) {
    return new Response(null, { status: 304, headers: { ...headers, Vary: 'Accept' } });
  }
  const response = respond({ code: 200, body }, request, negotiated);
  const mediaType = `${negotiated.mediaType};g=${GROUP};v=${VERSION};as=${KIND}`;
  for (const [name, value] of Object.entries({ ...headers, 'Content-Type': mediaType })) {
    response.headers.set(name, value);
  }
  response.headers.append('Vary', 'Accept');
  return response;
}

/** The first path segment: `api` for the core group, `apis` for all others. */
type Prefix = 'api' | 'apis';

interface Document {
  readonly body: object;
  /** Identifies the content: the SHA-512 of the JSON, in upper-case hexadecimal. */
  readonly etag: string;
}

const made = new WeakMap<readonly Resource[], Readonly<Record<Prefix, Document>>>();

/** Returns the documents of these resources, built once per list of resources. */
function documentsOf(resources: readonly Resource[]): Readonly<Record<Prefix, Document>> {
  const documents = made.get(resources) ?? {
    api: documentOf(resources, 'api'),
    apis: documentOf(resources, 'apis'),
  };
  made.set(resources, documents);
  return documents;
}

/** Upstream: kubernetes/apiserver@v0.36.3 pkg/endpoints/discovery/aggregated/handler.go fetchFromCache */
function documentOf(resources: readonly Resource[], prefix: Prefix): Document {
  const body = apiGroupDiscoveryList(resources, prefix);
  const hash = createHash('sha512').update(JSON.stringify(body)).digest('hex').toUpperCase();
  return { body, etag: `"${hash}"` };
}

function apiGroupDiscoveryList(resources: readonly Resource[], prefix: Prefix): object {
  const groups = groupsOf(resources).filter((group) => (group === '') === (prefix === 'api'));
  return {
    kind: KIND,
    apiVersion: `${GROUP}/${VERSION}`,
    metadata: {},
    items: groups.map((group) => ({
      metadata: group ? { name: group } : {},
      versions: versionsOf(resources, group).map((each) => ({
        version: each,
        resources: resources
          .filter((resource) => resource.group === group && resource.version === each)
          .map(resourceDiscovery)
          .concat(group === '' ? [bindings] : [])
          .sort((a, b) => (a.resource < b.resource ? -1 : 1)),
        freshness: 'Current',
      })),
    })),
  };
}

const GROUP = 'apidiscovery.k8s.io';
const VERSION = 'v2';
const KIND = 'APIGroupDiscoveryList';

interface ResourceDiscovery {
  readonly resource: string;
  readonly [field: string]: unknown;
}

const bindings: ResourceDiscovery = {
  resource: 'bindings',
  responseKind: { group: '', version: 'v1', kind: 'Binding' },
  scope: 'Namespaced',
  singularResource: 'binding',
  verbs: ['create'],
};

function resourceDiscovery(resource: Resource): ResourceDiscovery {
  const { group, version, kind, shortNames, categories, subresources } = resource;
  return {
    resource: resource.plural,
    responseKind: { group, version, kind },
    scope: resource.namespaced ? 'Namespaced' : 'Cluster',
    singularResource: resource.singular,
    verbs: verbsOf(resource),
    ...(shortNames.length > 0 ? { shortNames } : {}),
    ...(categories.length > 0 ? { categories } : {}),
    ...(subresources.length > 0
      ? {
          subresources: subresources.map((subresource) => {
            const { verbs, ...responseKind } = subresourceType(resource, subresource);
            return { subresource, responseKind, verbs };
          }),
        }
      : {}),
  };
}
