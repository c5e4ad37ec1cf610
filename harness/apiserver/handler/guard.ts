import { errors, failure, StatusError } from '../../api/status.ts';
import type { Access, Attributes, User } from '../../contracts/access/index.ts';
import { forbidden } from '../../contracts/access/index.ts';
import type { Client } from '../../contracts/client.ts';
import type { Peer } from '../../sim/index.ts';
import { ANONYMOUS } from '../users.ts';
import { bearerOf } from './bearer-protocol.ts';
import { ClientCertificates } from './client-certificate.ts';
import { impersonationOf } from './impersonation.ts';
import type { RequestInfo } from './request-info.ts';
import { timeoutOf } from './request-timeout.ts';
import { respondError, respondText } from './respond.ts';

interface GuardOptions {
  readonly access: Access;
  /** Returns the client of a user whose request has been authorized, and has this time limit. */
  clientOf(user: User, timeoutMs: number | undefined): Client;
  /** The authorities of clients, in PEM. @defaultValue none: every certificate of a client is refused */
  readonly clientAuthorities?: string;
}

/** The outcome for a request that may go on: the client that carries it out. */
interface Admitted {
  readonly client: Client;
}

/**
 * The part of a front end that every request passes first. It identifies the user (401), lets the user act as another
 * one, and authorizes the request (403).
 *
 * Upstream: kubernetes/apiserver@v0.36.3 pkg/server/config.go DefaultBuildHandlerChain (WithAuthentication,
 * WithImpersonation, WithAuthorization)
 */
export class Guard {
  readonly #access: Access;
  readonly #clientOf: GuardOptions['clientOf'];
  readonly #certificates: ClientCertificates;

  constructor({ access, clientOf, clientAuthorities = '' }: GuardOptions) {
    this.#access = access;
    this.#clientOf = clientOf;
    this.#certificates = new ClientCertificates(clientAuthorities);
  }

  /** @returns the refusal, or the client for this request */
  admit(request: Request, info: RequestInfo, peer?: Peer): Admitted | Response {
    try {
      const timeoutMs = timeoutOf(request, info);
      const user = this.#userOf(request, info, peer);
      if (!user) return respondError(new StatusError(failure('Unauthorized', 'Unauthorized')), request);
      const asked = impersonationOf(request.headers);
      const acting = asked ? this.#access.impersonate(user, asked) : user;
      const attributes = attributesOf(info, acting);
      const refusal = this.#refusalOf(request, attributes);
      if (!refusal) this.#mustMayStream(attributes);
      return refusal ?? { client: this.#clientOf(acting, timeoutMs) };
    } catch (error) {
      return unsniffed(respondError(error, request));
    }
  }

  #userOf(request: Request, { path }: RequestInfo, peer?: Peer): User | undefined {
    const certificate = peer && this.#certificates.of(peer);
    const bearer = bearerOf(request.headers);
    const authorization = request.headers.get('authorization') ?? bearer.authorization;
    const result = this.#access.authenticate({
      ...(certificate && { certificate }),
      ...(authorization !== undefined && { authorization }),
      path,
    });
    if (!('user' in result)) return undefined;
    // Bad credentials are not the same as no credentials.
    return bearer.isMalformed && result.user.name === ANONYMOUS ? undefined : result.user;
  }

  /**
   * Checks that the user may create a stream. A WebSocket begins with a GET, so the right to `get` alone would open one.
   *
   * Upstream: kubernetes/kubernetes@v1.36.3 pkg/registry/core/pod/rest/authorize.go ensureAuthorizedForVerb
   *
   * @throws StatusError Forbidden
   */
  #mustMayStream(attributes: Attributes): void {
    const { resource, apiGroup, subresource, verb, name } = attributes;
    if (resource !== 'pods' || apiGroup !== '' || !STREAMS.includes(subresource) || verb === 'create') return;
    const { verdict, reason = '', error } = this.#access.authorize({ ...attributes, verb: 'create' });
    if (verdict === 'allow') return;
    if (error !== undefined) throw errors.internal(error);
    throw errors.forbidden({ group: apiGroup, plural: resource }, name, reason);
  }

  /** Upstream: kubernetes/apiserver@v0.36.3 pkg/endpoints/filters/authorization.go withAuthorization */
  #refusalOf(request: Request, attributes: Attributes): Response | undefined {
    const { verdict, reason, error } = this.#access.authorize(attributes);
    if (verdict === 'allow') return undefined;
    if (error !== undefined) return internalError(request, error);
    return unsniffed(respondError(forbidden(attributes, reason), request));
  }
}

/** The subresources of pods that a client streams to and from. */
const STREAMS: readonly string[] = ['exec', 'attach', 'portforward'];

/** Upstream: kubernetes/apiserver@v0.36.3 pkg/endpoints/filters/authorization.go GetAuthorizerAttributes */
function attributesOf(info: RequestInfo, user: User): Attributes {
  const { isResourceRequest, path, verb, apiGroup, apiVersion } = info;
  const { namespace, resource, subresource, name, fieldSelector } = info;
  return {
    ...{ user, verb, isResourceRequest, path, apiGroup, apiVersion, namespace, resource, subresource, name },
    ...(fieldSelector && { fieldSelector }),
  };
}

/** Upstream: kubernetes/apiserver@v0.36.3 pkg/endpoints/handlers/responsewriters/errors.go InternalError */
function internalError({ url }: Request, error: string): Response {
  const { pathname, search } = new URL(url);
  const text = `Internal Server Error: ${JSON.stringify(pathname + search)}: ${error}\n`;
  const escaped = text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
  return unsniffed(respondText(500, escaped));
}

/** Keeps browsers from guessing a media type. */
function unsniffed(response: Response): Response {
  response.headers.set('X-Content-Type-Options', 'nosniff');
  return response;
}
