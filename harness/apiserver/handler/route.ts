import { pods, type Resource, type Subresource, verbsOf } from '../../api/resource.ts';
import { genericServerResponse } from '../../api/server-response.ts';
import { errors } from '../../api/status.ts';
import { customVersionOf } from '../custom/custom-version.ts';
import type { RequestInfo } from './request-info.ts';

/** The target of a path: a collection, an object, a subresource, or the bindings of a namespace. */
export type Target = 'collection' | 'object' | Subresource | 'bindings';

interface Route {
  readonly resource: Resource;
  readonly target: Target;
}

/**
 * Finds the target of a path, for any method.
 *
 * Maps a parsed request to a served resource and one of its endpoints.
 *
 * Upstream: kubernetes/apiserver@v0.36.3 pkg/endpoints/installer.go APIInstaller.registerResourceHandlers
 *
 * @throws StatusError NotFound
 */
export function route(info: RequestInfo, resources: readonly Resource[]): Route {
  const found = find(info, resources);
  if (!found) throw genericServerResponse({ code: 404 });
  return found;
}

/**
 * Checks that the target supports the verb.
 *
 * @throws StatusError MethodNotAllowed
 */
export function checkVerb({ resource, target }: Route, { verb, namespace }: RequestInfo): void {
  // Discovery does not list all verbs of a custom resource.
  const isCustom = customVersionOf(resource) !== undefined;
  const known = !isCustom && (target === 'collection' || target === 'object') ? verbsOf(resource) : [verb];
  // Across all namespaces, clients can only list and watch: a new object needs a namespace, and no delete spans all of
  // them.
  const everywhere = target === 'collection' && resource.namespaced && !namespace;
  const allowed = everywhere ? known.filter((each) => each === 'list' || each === 'watch') : known;
  if (allowed.some((each) => each === verb)) return;
  throw isCustom ? errors.pageNotFound() : genericServerResponse({ code: 405 });
}

function find(info: RequestInfo, resources: readonly Resource[]): Route | undefined {
  const { apiGroup, apiVersion, namespace, subresource, parts, verb } = info;
  const [, name] = parts;
  if (verb === 'proxy') return undefined;
  if (
    apiGroup === '' &&
    apiVersion === 'v1' &&
    info.resource === 'bindings' &&
    namespace &&
    parts.length === 1
  ) {
    return { resource: pods, target: 'bindings' };
  }
  const resource = resources.find(
    (each) => each.group === apiGroup && each.version === apiVersion && each.plural === info.resource,
  );
  if (!resource) return undefined;
  // The path of a Namespace looks as if the Namespace were inside itself.
  const within = resource.kind === 'Namespace' && !IN_NAMESPACE.test(info.path) ? '' : namespace;
  if (within && !resource.namespaced) return undefined;
  if (!name) return { resource, target: 'collection' };
  if (resource.namespaced && !within) return undefined;
  if (!subresource) return { resource, target: 'object' };
  const target = resource.subresources.find((each) => each === subresource);
  // The rest of the path belongs to the pod behind the proxy.
  return target && (parts.length === 3 || target === 'proxy') ? { resource, target } : undefined;
}

/** Matches the path of a Namespace that has another namespace before it. */
const IN_NAMESPACE = /\/namespaces\/[^/]+\/namespaces(?:\/|$)/;
