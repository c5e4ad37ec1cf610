import { parseSelector } from '../api/field-selector.ts';
import { isValidPathSegmentName } from '../api/names.ts';
import type { Attributes, User } from '../contracts/access/index.ts';
import {
  type ApiRequest,
  type ApiVerb,
  requestSubresources,
  requestVerbs,
  targetOf,
} from '../contracts/request.ts';

/**
 * Returns a request of a client in the same process as authorizers see it: as if it had come over HTTP.
 *
 * Upstream: kubernetes/apiserver@v0.36.3 pkg/endpoints/filters/authorization.go GetAuthorizerAttributes
 */
export function attributesOf(request: ApiRequest, user: User): Attributes {
  const { resource } = request;
  const { namespace = '', name: own = '' } = targetOf(request);
  // The path of a create ends with the resource.
  const name = request.verb === 'create' ? '' : own;
  const { fieldSelector } = request.options as { readonly fieldSelector?: string };
  return {
    user,
    verb: requestVerbs[request.verb],
    isResourceRequest: true,
    path: '',
    apiGroup: resource.group,
    apiVersion: resource.version,
    namespace: resource.kind === 'Namespace' ? name : namespace,
    resource: resource.plural,
    subresource: subresourceOf(request),
    name: name || selectedName(request.verb, fieldSelector),
    ...(fieldSelector && { fieldSelector }),
  };
}

function subresourceOf(request: ApiRequest): string {
  if (request.verb === 'patch') return request.options.subresource ?? '';
  return requestSubresources[request.verb] ?? '';
}

/** The name of a list or a watch of at most one object. */
function selectedName(verb: ApiVerb, fieldSelector = ''): string {
  return (verb === 'list' || verb === 'watch') && fieldSelector ? nameSelectedBy(fieldSelector) : '';
}

/**
 * Returns the name that a field selector requires; empty if it requires none.
 *
 * Upstream: kubernetes/apiserver@v0.36.3 pkg/endpoints/request/requestinfo.go RequestInfoFactory.NewRequestInfo
 */
export function nameSelectedBy(fieldSelector: string): string {
  try {
    const name = parseSelector(fieldSelector).requiresExactMatch('metadata.name') ?? '';
    return isValidPathSegmentName(name).length === 0 ? name : '';
  } catch {
    return '';
  }
}
