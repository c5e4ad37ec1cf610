import type { ObjectKey } from '../api/objects.ts';
import { groupVersion } from '../api/resource.ts';
import { errors } from '../api/status.ts';
import type { DeleteOptions, ListOptions, Patch, Selection, WriteOptions } from '../contracts/client.ts';
import { type ApiRequest, type ApiVerb, requestSubresources, targetOf } from '../contracts/request.ts';

/** The HTTP form of a request. */
export interface HttpRequest {
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  /** The name in the path; absent for a collection. */
  readonly name?: string;
  /** Path and query. */
  readonly url: string;
  /** The body, sent as JSON; absent if the request has none. */
  readonly body?: unknown;
  readonly contentType: string;
}

/**
 * Translates a request to HTTP.
 *
 * @throws StatusError BadRequest when the request lacks the name or the namespace that its path needs
 */
export function toHttp(request: ApiRequest): HttpRequest {
  const { namespace, name } = addressOf(request);
  const { resource, verb } = request;
  const subresource = verb === 'patch' ? request.options.subresource : requestSubresources[verb];
  const path = [
    ...(resource.group ? ['apis', resource.group] : ['api']),
    resource.version,
    ...(namespace ? ['namespaces', namespace] : []),
    resource.plural,
    ...(name ? [name] : []),
    ...(subresource ? [subresource] : []),
  ];
  const parameters = new URLSearchParams();
  for (const [parameter, value] of Object.entries(queryOf(request))) {
    if (value !== undefined) parameters.set(parameter, String(value));
  }
  const search = parameters.size > 0 ? `?${parameters}` : '';
  return {
    method: METHODS[verb],
    ...(name ? { name } : {}),
    url: `/${path.map(encodeURIComponent).join('/')}${search}`,
    body: bodyOf(request),
    contentType: verb === 'patch' ? PATCH_TYPES[request.patch.type] : 'application/json',
  };
}

const METHODS: { readonly [V in ApiVerb]: HttpRequest['method'] } = {
  get: 'GET',
  list: 'GET',
  watch: 'GET',
  create: 'POST',
  update: 'PUT',
  updateStatus: 'PUT',
  patch: 'PATCH',
  delete: 'DELETE',
  deleteCollection: 'DELETE',
  bind: 'POST',
  evict: 'POST',
  updateEphemeralContainers: 'PUT',
  updateApproval: 'PUT',
  createToken: 'POST',
  finalize: 'PUT',
  getScale: 'GET',
  updateScale: 'PUT',
};

const PATCH_TYPES: { readonly [type in Patch['type']]: string } = {
  json: 'application/json-patch+json',
  merge: 'application/merge-patch+json',
  strategic: 'application/strategic-merge-patch+json',
  apply: 'application/apply-patch+yaml',
};

/** Returns the target of the request: an object, or a collection. Creates go to the collection. */
function addressOf(request: ApiRequest): Partial<ObjectKey> {
  const { namespaced } = request.resource;
  const { namespace, name } = targetOf(request);
  const inNamespace = namespaced && namespace ? { namespace } : {};
  switch (request.verb) {
    case 'list':
    case 'watch':
    case 'deleteCollection':
      return inNamespace;
    case 'create':
      if (!namespaced || namespace) return inNamespace;
      throw errors.badRequest('an empty namespace may not be set during creation');
    default:
      if (!name) throw errors.badRequest('Name parameter required.');
      if (namespaced && !namespace) throw errors.badRequest('Namespace parameter required.');
      return { ...inNamespace, name };
  }
}

/** Parameters of a URL. Undefined ones are left out. */
type Query = Readonly<Record<string, string | number | boolean | undefined>>;

function queryOf(request: ApiRequest): Query {
  switch (request.verb) {
    case 'get':
      return { resourceVersion: request.options.resourceVersion };
    case 'list':
    case 'deleteCollection':
      return listQuery(request.options);
    case 'watch': {
      const { resourceVersion, resourceVersionMatch, sendInitialEvents } = request.options;
      const { allowWatchBookmarks, timeoutSeconds } = request.options;
      const from = { resourceVersion, resourceVersionMatch, sendInitialEvents };
      return {
        watch: true,
        ...selectionQuery(request.options),
        ...from,
        allowWatchBookmarks,
        timeoutSeconds,
      };
    }
    case 'patch':
      return { ...writeQuery(request.options), force: request.options.force };
    case 'create':
    case 'update':
    case 'updateStatus':
    case 'updateScale':
    case 'updateEphemeralContainers':
    case 'updateApproval':
    case 'createToken':
    case 'finalize':
      return writeQuery(request.options);
    case 'bind':
      return { dryRun: request.options.dryRun ? 'All' : undefined };
    default:
      return {};
  }
}

function selectionQuery({ labelSelector, fieldSelector }: Selection): Query {
  return { labelSelector, fieldSelector };
}

function listQuery(options: ListOptions): Query {
  const { resourceVersion, resourceVersionMatch, limit } = options;
  const page = { limit, continue: options.continue };
  return { ...selectionQuery(options), resourceVersion, resourceVersionMatch, ...page };
}

/**
 * Unlike kubectl, which leaves the default to the server, our clients validate strictly, to report every dropped field.
 */
function writeQuery({ dryRun, fieldManager, fieldValidation = 'Strict' }: WriteOptions): Query {
  return { dryRun: dryRun ? 'All' : undefined, fieldManager, fieldValidation };
}

function bodyOf(request: ApiRequest): unknown {
  switch (request.verb) {
    case 'create':
      return {
        kind: request.resource.kind,
        apiVersion: groupVersion(request.resource),
        ...request.object,
      };
    case 'update':
    case 'updateStatus':
    case 'updateEphemeralContainers':
    case 'updateApproval':
    case 'finalize':
      return request.object;
    case 'patch':
      return request.patch.body;
    case 'delete':
    case 'deleteCollection':
      return deleteBody(request.options);
    case 'bind':
      return {
        apiVersion: 'v1',
        kind: 'Binding',
        metadata: { ...request.key, ...(request.options.uid ? { uid: request.options.uid } : {}) },
        target: { kind: 'Node', name: request.nodeName },
      };
    case 'evict':
      return {
        apiVersion: 'policy/v1',
        kind: 'Eviction',
        metadata: { ...request.key },
        deleteOptions: deleteBody(request.options),
      };
    case 'createToken':
      return { apiVersion: 'authentication.k8s.io/v1', kind: 'TokenRequest', ...request.tokenRequest };
    case 'updateScale': {
      const { replicas, resourceVersion, metadata } = request.scale;
      return {
        apiVersion: 'autoscaling/v1',
        kind: 'Scale',
        metadata: { ...metadata, ...request.key, ...(resourceVersion ? { resourceVersion } : {}) },
        spec: { replicas },
      };
    }
    default:
      return undefined;
  }
}

function deleteBody(options: DeleteOptions): object {
  const { gracePeriodSeconds, preconditions, propagationPolicy, dryRun } = options;
  return {
    kind: 'DeleteOptions',
    apiVersion: 'v1',
    gracePeriodSeconds,
    preconditions,
    propagationPolicy,
    ...(dryRun ? { dryRun: ['All'] } : {}),
  };
}
