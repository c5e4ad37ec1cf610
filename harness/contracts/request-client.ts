import type * as authentication from '#api/authentication/v1';
import type {
  CertificateSigningRequest,
  KubeObject,
  List,
  Namespace,
  New,
  ObjectKey,
  Pod,
} from '../api/objects.ts';
import { certificateSigningRequests } from '../api/plain-resources.ts';
import { namespaces, pods, type Resource, serviceAccounts } from '../api/resource.ts';
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
import type { ApiAnswer, ApiRequest, ApiVerb, Send } from './request.ts';

/**
 * A {@link Client} on top of one function: each method turns its arguments into a request and sends it. The connections
 * to an apiserver differ only in that function.
 */
export class RequestClient implements Client {
  readonly #send: TypedSend;

  /**
   * @param send executes a request, or passes it on. Its answer must match the verb and the resource of the request.
   * TypeScript cannot check that for a function that takes all verbs, so this class asserts it.
   */
  constructor(send: (request: ApiRequest) => Promise<ApiAnswer>) {
    this.#send = send as TypedSend;
  }

  get<T extends KubeObject>(resource: Resource<T>, key: ObjectKey, options: GetOptions = {}): Promise<T> {
    return this.#send<'get', T>({ verb: 'get', resource, key, options });
  }

  list<T extends KubeObject>(resource: Resource<T>, options: ListOptions = {}): Promise<List<T>> {
    return this.#send<'list', T>({ verb: 'list', resource, options });
  }

  watch<T extends KubeObject>(resource: Resource<T>, options: WatchOptions = {}): Promise<Watch<T>> {
    return this.#send<'watch', T>({ verb: 'watch', resource, options });
  }

  create<T extends KubeObject>(
    resource: Resource<T>,
    object: New<T>,
    options: WriteOptions = {},
  ): Promise<T> {
    return this.#send<'create', T>({ verb: 'create', resource, object, options });
  }

  update<T extends KubeObject>(
    resource: Resource<T>,
    object: Updated<T>,
    options: WriteOptions = {},
  ): Promise<T> {
    return this.#send<'update', T>({ verb: 'update', resource, object, options });
  }

  updateStatus<T extends KubeObject>(
    resource: Resource<T>,
    object: Updated<T>,
    options: WriteOptions = {},
  ): Promise<T> {
    return this.#send<'updateStatus', T>({ verb: 'updateStatus', resource, object, options });
  }

  patch<T extends KubeObject>(
    resource: Resource<T>,
    key: ObjectKey,
    patch: Patch,
    options: PatchOptions = {},
  ): Promise<T> {
    return this.#send<'patch', T>({ verb: 'patch', resource, key, patch, options });
  }

  delete<T extends KubeObject>(
    resource: Resource<T>,
    key: ObjectKey,
    options: DeleteOptions = {},
  ): Promise<Deleted<T>> {
    return this.#send<'delete', T>({ verb: 'delete', resource, key, options });
  }

  deleteCollection<T extends KubeObject>(
    resource: Resource<T>,
    options: DeleteOptions & ListOptions = {},
  ): Promise<List<T>> {
    return this.#send<'deleteCollection', T>({ verb: 'deleteCollection', resource, options });
  }

  bind(key: ObjectKey, nodeName: string, options: BindOptions = {}): Promise<void> {
    return this.#send<'bind', KubeObject>({ verb: 'bind', resource: pods, key, nodeName, options });
  }

  evict(key: ObjectKey, options: DeleteOptions = {}): Promise<void> {
    return this.#send<'evict', KubeObject>({ verb: 'evict', resource: pods, key, options });
  }

  updateEphemeralContainers(object: Updated<Pod>, options: WriteOptions = {}): Promise<Pod> {
    const verb = 'updateEphemeralContainers';
    return this.#send<typeof verb, Pod>({ verb, resource: pods, object, options });
  }

  updateApproval(
    object: Updated<CertificateSigningRequest>,
    options: WriteOptions = {},
  ): Promise<CertificateSigningRequest> {
    const verb = 'updateApproval';
    const resource = certificateSigningRequests;
    return this.#send<typeof verb, CertificateSigningRequest>({ verb, resource, object, options });
  }

  createToken(
    key: ObjectKey,
    tokenRequest: authentication.TokenRequest,
    options: WriteOptions = {},
  ): Promise<TokenRequest> {
    const verb = 'createToken';
    return this.#send<typeof verb, KubeObject>({
      verb,
      resource: serviceAccounts,
      key,
      tokenRequest,
      options,
    });
  }

  finalize(object: Updated<Namespace>, options: WriteOptions = {}): Promise<Namespace> {
    return this.#send<'finalize', Namespace>({ verb: 'finalize', resource: namespaces, object, options });
  }

  getScale(resource: Resource, key: ObjectKey, options: CallOptions = {}): Promise<Scale> {
    return this.#send<'getScale', KubeObject>({ verb: 'getScale', resource, key, options });
  }

  updateScale(
    resource: Resource,
    key: ObjectKey,
    scale: ScaleUpdate,
    options: WriteOptions = {},
  ): Promise<Scale> {
    return this.#send<'updateScale', KubeObject>({ verb: 'updateScale', resource, key, scale, options });
  }
}

/** {@link Send} that also knows the type of the objects. */
type TypedSend = <V extends ApiVerb, T extends KubeObject>(
  request: ApiRequest<V, T>,
) => Promise<ApiAnswer<V, T>>;

/**
 * Returns a function that sends requests by calling the methods of a client: the reverse of a {@link RequestClient}.
 */
export function sendTo(client: Client): Send {
  return (request) => calls[request.verb](client, request);
}

/** The client call for each verb. */
const calls: { readonly [V in ApiVerb]: (client: Client, request: ApiRequest<V>) => Promise<ApiAnswer<V>> } =
  {
    get: (client, { resource, key, options }) => client.get(resource, key, options),
    list: (client, { resource, options }) => client.list(resource, options),
    watch: (client, { resource, options }) => client.watch(resource, options),
    create: (client, { resource, object, options }) => client.create(resource, object, options),
    update: (client, { resource, object, options }) => client.update(resource, object, options),
    updateStatus: (client, { resource, object, options }) => client.updateStatus(resource, object, options),
    patch: (client, { resource, key, patch, options }) => client.patch(resource, key, patch, options),
    delete: (client, { resource, key, options }) => client.delete(resource, key, options),
    deleteCollection: (client, { resource, options }) => client.deleteCollection(resource, options),
    bind: (client, { key, nodeName, options }) => client.bind(key, nodeName, options),
    evict: (client, { key, options }) => client.evict(key, options),
    updateEphemeralContainers: (client, { object, options }) =>
      client.updateEphemeralContainers(object as Updated<Pod>, options),
    updateApproval: (client, { object, options }) =>
      client.updateApproval(object as Updated<CertificateSigningRequest>, options),
    createToken: (client, { key, tokenRequest, options }) => client.createToken(key, tokenRequest, options),
    finalize: (client, { object, options }) => client.finalize(object as Updated<Namespace>, options),
    getScale: (client, { resource, key, options }) => client.getScale(resource, key, options),
    updateScale: (client, { resource, key, scale, options }) =>
      client.updateScale(resource, key, scale, options),
  };
