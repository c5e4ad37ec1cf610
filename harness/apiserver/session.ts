import type { KubeObject, Namespace } from '../api/objects.ts';
import type { Resource } from '../api/resource.ts';
import { genericServerResponse } from '../api/server-response.ts';
import { errors, StatusError } from '../api/status.ts';
import {
  type Attributes,
  type Decision,
  forbidden,
  type Impersonation,
  type User,
} from '../contracts/access/index.ts';
import type { Updated } from '../contracts/client.ts';
import { type ApiAnswer, type ApiRequest, type ApiVerb, requestVerbs } from '../contracts/request.ts';
import { RequestClient } from '../contracts/request-client.ts';
import type { Clock } from '../sim/index.ts';
import { customVersionOf } from './custom/custom-version.ts';
import type { Turns } from './mirror/turns.ts';
import { attributesOf } from './request-attributes.ts';
import type { Credential } from './request-steps.ts';
import { REQUEST_TIMEOUT_MS } from './request-timeout.ts';
import { Superseded } from './storage/object-writes.ts';
import type { Author } from './storage/storage.ts';
import { type AdmittedWrite, admittedRequest } from './verbs/admitted.ts';
import { bind } from './verbs/bind.ts';
import { convert } from './verbs/conversion.ts';
import { create } from './verbs/create.ts';
import { remove } from './verbs/delete.ts';
import { deleteCollection } from './verbs/delete-collection.ts';
import { evict } from './verbs/evict.ts';
import { finalize } from './verbs/finalize.ts';
import { get } from './verbs/get.ts';
import { list } from './verbs/list.ts';
import { patch } from './verbs/patch.ts';
import type { Registry } from './verbs/registry.ts';
import { getScale, updateScale } from './verbs/scale.ts';
import { createToken } from './verbs/token.ts';
import { update, updatePart, updateStatus } from './verbs/update.ts';
import { watch } from './verbs/watch.ts';

/** Options of a {@link Session}. */
export interface SessionOptions {
  readonly user: User;
  /** The source of the requests, as the log names it. @defaultValue the name of the user */
  readonly actor?: string;
  /** Whether the requests have been authorized already. @defaultValue false */
  readonly isAuthorized?: boolean;
  /** How the user was identified, for observers. @defaultValue by the connection */
  readonly credential?: Credential;
  /** The user in whose name the requests act, if `user` may impersonate it. @defaultValue nobody else's */
  readonly impersonates?: Impersonation | undefined;
  /** The longest time of a request, in virtual ms. @defaultValue a minute, which is also the maximum */
  readonly timeoutMs?: number | undefined;
}

/** The options of a connection, as an object of the API: `PodExecOptions` and its siblings. */
export interface ConnectOptions {
  readonly kind: string;
  readonly apiVersion: 'v1';
  readonly [field: string]: unknown;
}

/**
 * The requests of one user to one apiserver replica: a {@link Client} that carries out each verb. The log records the
 * author of each write.
 *
 * In a real cluster the credentials of a connection identify the user.
 */
export class Session extends RequestClient {
  readonly user: User;
  readonly #registry: Registry;
  readonly #actor: string;
  readonly #timeoutMs: number;
  /** The registry with the author, by verb. */
  readonly #signed = new Map<Author['verb'], Registry>();

  constructor(registry: Registry, options: SessionOptions) {
    const { user, actor = user.name, isAuthorized = false, impersonates } = options;
    const { credential = isAuthorized ? 'authorized' : 'connection' } = options;
    const { timeoutMs = REQUEST_TIMEOUT_MS } = options;
    const { access, admission, observe, fresh } = registry;
    super(<V extends ApiVerb>(request: ApiRequest<V>) => {
      const asked = request as unknown as ApiRequest;
      const onStep = observe?.(attributesOf(asked, user), actor, asked);
      onStep?.({ step: 'authentication', user, credential });
      let acting = user;
      if (impersonates && access) {
        try {
          acting = access.impersonate(user, impersonates);
        } catch (error) {
          if (error instanceof StatusError) onStep?.({ step: 'refused', at: 'impersonation', error });
          return Promise.reject(error);
        }
        onStep?.({ step: 'impersonation', as: acting });
      }
      if (access && !isAuthorized) {
        const attributes = attributesOf(asked, acting);
        const decision = access.authorize(attributes);
        const refusal = refusalOf(attributes, decision);
        onStep?.(
          refusal
            ? { step: 'refused', at: 'authorization', error: refusal }
            : { step: 'authorization', decision },
        );
        if (refusal) return Promise.reject(refusal);
      }
      const signed = this.#by(request.verb);
      const own = acting === user ? signed : { ...signed, user: acting };
      if (admission || onStep || fresh) return this.#untilWritten(request, own, onStep);
      return this.#carryOut(request, own);
    });
    this.#registry = registry;
    this.#actor = actor;
    this.#timeoutMs = Math.min(timeoutMs, REQUEST_TIMEOUT_MS);
    this.user = user;
  }

  /** The served custom resources. */
  get customResources(): readonly Resource[] {
    return this.#registry.customResources.all;
  }

  /** The replica's clock. */
  get clock(): Clock {
    return this.#registry.clock;
  }

  /**
   * Leads a connection to a subresource such as `exec` through admission. Everything else about it is up to the caller.
   *
   * @returns the options of the connection, as the plugins leave them
   * @throws StatusError when a plugin refuses it
   */
  async connect(
    to: Pick<AdmittedWrite, 'resource' | 'subresource' | 'namespace' | 'name'>,
    options: ConnectOptions,
  ): Promise<ConnectOptions> {
    const registry = { ...this.#registry, user: this.user };
    const write = { ...to, operation: 'CONNECT', options: {} } as const;
    // Options are objects without metadata.
    const object = options as unknown as KubeObject;
    return (await admittedRequest(registry, write, object)) as unknown as ConnectOptions;
  }

  #carryOut<V extends ApiVerb>(request: ApiRequest<V>, registry: Registry): Promise<ApiAnswer<V>> {
    const resource = registry.customResources.resolve(request.resource);
    if (!isAllowed(resource, request.verb)) {
      return Promise.reject(genericServerResponse({ code: 405 }));
    }
    const served = resource === request.resource ? request : { ...request, resource };
    const kind = registry.convertedKindOf(resource);
    if (!kind?.conversion) return verbs[request.verb](registry, served);
    const asked = served as unknown as ApiRequest;
    return convert(registry, kind, kind.conversion, asked, carryOut) as Promise<ApiAnswer<V>>;
  }

  /** Carries out a request again, as long as its object changes while plugins or another store decide. */
  async #untilWritten<V extends ApiVerb>(
    request: ApiRequest<V>,
    registry: Registry,
    onStep: Registry['onStep'],
  ): Promise<ApiAnswer<V>> {
    const deadlineMs = registry.clock.now() + this.#timeoutMs;
    const fresh = acceptsThePast(request) ? undefined : registry.fresh;
    for (;;) {
      const coming = fresh?.();
      if (coming) await coming;
      const allocates = coming && isWrite(request) && registry.allocatorOf(request.resource as Resource);
      try {
        const carryOut = () => this.#carryOut(request, { ...registry, deadlineMs, onStep });
        const answer = await (allocates ? (registry.allocations as Turns).take(carryOut) : carryOut());
        onStep?.({ step: 'answered' });
        return answer;
      } catch (error) {
        if (error instanceof StatusError) onStep?.({ step: 'refused', error });
        if (!(error instanceof Superseded)) throw error;
        onStep?.({ step: 'superseded' });
      }
    }
  }

  #by(verb: Author['verb']): Registry {
    let signed = this.#signed.get(verb);
    if (!signed) {
      const author = Object.freeze({ actor: this.#actor, verb });
      signed = { ...this.#registry, author, user: this.user };
      this.#signed.set(verb, signed);
    }
    return signed;
  }
}

const isWrite = ({ verb }: Pick<ApiRequest, 'verb'>): boolean =>
  verb !== 'get' && verb !== 'list' && verb !== 'watch';

/** Reports whether the request reads a state that it names. */
function acceptsThePast(request: Pick<ApiRequest, 'verb'>): boolean {
  if (isWrite(request)) return false;
  const { options } = request as { readonly options?: { readonly resourceVersion?: string } };
  return Boolean(options?.resourceVersion);
}

/**
 * Returns the error for a request that the user may not send, or undefined.
 *
 * Upstream: kubernetes/apiserver@v0.36.3 pkg/endpoints/filters/authorization.go WithAuthorization
 */
export function refusalOf(
  attributes: Attributes,
  { verdict, reason, error }: Decision,
): StatusError | undefined {
  if (verdict === 'allow') return undefined;
  return error === undefined ? forbidden(attributes, reason) : errors.internal(error);
}

/** Reports whether the resource supports this verb. */
const isAllowed = (resource: Resource, verb: ApiVerb): boolean =>
  customVersionOf(resource) !== undefined || (resource.verbs?.includes(requestVerbs[verb]) ?? true);

const carryOut = <V extends ApiVerb>(registry: Registry, request: ApiRequest<V>): Promise<ApiAnswer> =>
  verbs[request.verb](registry, request);

/** The function that carries out each request. */
const verbs: {
  readonly [V in ApiVerb]: (registry: Registry, request: ApiRequest<V>) => Promise<ApiAnswer<V>>;
} = {
  get: (registry, { resource, key, options }) => get(registry, resource, key, options),
  list: (registry, { resource, options }) => list(registry, resource, options),
  watch: (registry, { resource, options }) => watch(registry, resource, options),
  create: (registry, { resource, object, options }) => create(registry, resource, object, options),
  update: (registry, { resource, object, options }) => update(registry, resource, object, options),
  updateStatus: (registry, { resource, object, options }) =>
    updateStatus(registry, resource, object, options),
  patch: (registry, { resource, key, patch: body, options }) => patch(registry, resource, key, body, options),
  delete: (registry, { resource, key, options }) => remove(registry, resource, key, options),
  deleteCollection: (registry, { resource, options }) => deleteCollection(registry, resource, options),
  bind: (registry, { key, nodeName, options }) => bind(registry, key, nodeName, options),
  evict: (registry, { key, options }) => evict(registry, key, options),
  updateEphemeralContainers: (registry, { resource, object, options }) =>
    updatePart(registry, resource, 'ephemeralcontainers', object, options),
  updateApproval: (registry, { resource, object, options }) =>
    updatePart(registry, resource, 'approval', object, options),
  createToken: (registry, { key, tokenRequest, options }) =>
    createToken(registry, key, tokenRequest, options),
  finalize: (registry, { object, options }) =>
    finalize(registry, object as unknown as Updated<Namespace>, options) as Promise<never>,
  getScale: (registry, { resource, key }) => getScale(registry, resource, key),
  updateScale: (registry, { resource, key, scale, options }) =>
    updateScale(registry, resource, key, scale, options),
};
