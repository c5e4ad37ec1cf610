import type * as authentication from '#api/authentication/v1';
import { type KubeObject, keyOf, type List, type New, type ObjectKey } from '../api/objects.ts';
import type { Resource, Subresource, Verb } from '../api/resource.ts';
import type {
  BindOptions,
  CallOptions,
  Client,
  Deleted,
  DeleteOptions,
  GetOptions,
  ListOptions,
  Patch,
  PatchOptions,
  Scale,
  ScaleUpdate,
  TokenRequest,
  Updated,
  Watch,
  WatchOptions,
  WriteOptions,
} from './client.ts';

/**
 * A request to an apiserver as a value: the arguments of one {@link Client} method. It is a union by `verb`, the name
 * of that method: `switch (request.verb)` narrows it, and `ApiRequest<'list'>` is one of its members.
 *
 * `options` is always present; `{}` if the caller passed none.
 */
export type ApiRequest<V extends ApiVerb = ApiVerb, T extends KubeObject = KubeObject> = {
  readonly [verb in V]: Readonly<Asked<T>[verb]> & { readonly verb: verb };
}[V];

/** The requests to an apiserver: the methods of a {@link Client}. */
export type ApiVerb = keyof Client;

/** The server's answer, by verb: `ApiAnswer<'list', Pod>` is `List<Pod>`. Without a verb it is any answer. */
export type ApiAnswer<V extends ApiVerb = ApiVerb, T extends KubeObject = KubeObject> = Answered<T>[V];

/**
 * Sends a request and resolves with its answer. Rejects like the methods of a {@link Client}. The verb determines the
 * type of the answer: `send(request)` resolves with a `List` if `request.verb` is `list`.
 */
export type Send = <V extends ApiVerb>(request: ApiRequest<V>) => Promise<ApiAnswer<V>>;

/**
 * Returns the target of a request: one object; or, without a name, all objects of the resource, in one namespace or in
 * all. An object with a generated name has no name before its creation.
 */
export function targetOf(request: ApiRequest): Partial<ObjectKey> {
  switch (request.verb) {
    case 'list':
    case 'watch':
    case 'deleteCollection':
      return request.options.namespace ? { namespace: request.options.namespace } : {};
    case 'create': {
      const { namespace, name } = request.object.metadata;
      return { ...(namespace ? { namespace } : {}), ...(name === undefined ? {} : { name }) };
    }
    case 'update':
    case 'updateStatus':
    case 'updateEphemeralContainers':
    case 'updateApproval':
    case 'finalize':
      return keyOf(request.object);
    default:
      return request.key;
  }
}

/** The verb of each request in rules and in discovery. */
export const requestVerbs: { readonly [V in ApiVerb]: Verb } = {
  get: 'get',
  list: 'list',
  watch: 'watch',
  create: 'create',
  update: 'update',
  updateStatus: 'update',
  patch: 'patch',
  delete: 'delete',
  deleteCollection: 'deletecollection',
  bind: 'create',
  evict: 'create',
  updateEphemeralContainers: 'update',
  updateApproval: 'update',
  createToken: 'create',
  finalize: 'update',
  getScale: 'get',
  updateScale: 'update',
};

/** The subresource of each request; the options of a patch name it. */
export const requestSubresources: { readonly [V in ApiVerb]?: Subresource } = {
  updateStatus: 'status',
  bind: 'binding',
  evict: 'eviction',
  updateEphemeralContainers: 'ephemeralcontainers',
  updateApproval: 'approval',
  createToken: 'token',
  finalize: 'finalize',
  getScale: 'scale',
  updateScale: 'scale',
};

/** The content of a request besides its verb. */
interface Asked<T extends KubeObject> {
  get: { resource: Resource<T>; key: ObjectKey; options: GetOptions };
  list: { resource: Resource<T>; options: ListOptions };
  watch: { resource: Resource<T>; options: WatchOptions };
  create: { resource: Resource<T>; object: New<T>; options: WriteOptions };
  update: { resource: Resource<T>; object: Updated<T>; options: WriteOptions };
  updateStatus: { resource: Resource<T>; object: Updated<T>; options: WriteOptions };
  patch: { resource: Resource<T>; key: ObjectKey; patch: Patch; options: PatchOptions };
  delete: { resource: Resource<T>; key: ObjectKey; options: DeleteOptions };
  deleteCollection: { resource: Resource<T>; options: DeleteOptions & ListOptions };
  bind: { resource: Resource<T>; key: ObjectKey; nodeName: string; options: BindOptions };
  evict: { resource: Resource<T>; key: ObjectKey; options: DeleteOptions };
  updateEphemeralContainers: { resource: Resource<T>; object: Updated<T>; options: WriteOptions };
  updateApproval: { resource: Resource<T>; object: Updated<T>; options: WriteOptions };
  createToken: {
    resource: Resource;
    key: ObjectKey;
    tokenRequest: authentication.TokenRequest;
    options: WriteOptions;
  };
  finalize: { resource: Resource<T>; object: Updated<T>; options: WriteOptions };
  getScale: { resource: Resource; key: ObjectKey; options: CallOptions };
  updateScale: { resource: Resource; key: ObjectKey; scale: ScaleUpdate; options: WriteOptions };
}

/** The answer to a request. */
interface Answered<T extends KubeObject> {
  get: T;
  list: List<T>;
  watch: Watch<T>;
  create: T;
  update: T;
  updateStatus: T;
  patch: T;
  delete: Deleted<T>;
  deleteCollection: List<T>;
  bind: Nothing;
  evict: Nothing;
  updateEphemeralContainers: T;
  updateApproval: T;
  createToken: TokenRequest;
  finalize: T;
  getScale: Scale;
  updateScale: Scale;
}

type Nothing = Awaited<ReturnType<Client['bind']>>;
