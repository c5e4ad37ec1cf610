import { type Resource, verbsOf } from '../../api/resource.ts';
import { groupsOf, subresourceType, versionsOf } from './discovery.ts';
import type { Allows } from './negotiation.ts';

/**
 * Plain discovery, or an aggregated document. Its beta version is gone since 1.35.
 *
 * Differs: upstream offers an aggregated document in protobuf, too.
 *
 * Upstream: kubernetes/apiserver@v0.36.3 pkg/endpoints/discovery/aggregated/negotiation.go
 * DiscoveryEndpointRestrictions
 */
export const plainOrAggregated: Allows = (convert) =>
  convert === undefined || (convert.group === GROUP && convert.version === VERSION && convert.kind === KIND);

/**
 * `/api` or `/apis` and everything below.
 *
 * Aggregated discovery: all of discovery in two documents, so that kubectl need not ask once for every group.
 *
 * Upstream: kubernetes/apiserver@v0.36.3 pkg/endpoints/discovery/aggregated/handler.go resourceDiscoveryManager
 *
 * @param prefix `api` for the core group, `apis` for all others
 */
export function apiGroupDiscoveryList(resources: readonly Resource[], prefix: 'api' | 'apis'): object {
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

/** The media type of an aggregated document. */
export const aggregatedMediaType = `application/json;g=${GROUP};v=${VERSION};as=${KIND}`;

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
