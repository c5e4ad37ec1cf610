import { resources as allResources, type Resource } from '../../api/resource.ts';
import { genericServerResponse } from '../../api/server-response.ts';
import type { Client } from '../../contracts/client.ts';
import { type Decoders, standardDecoders } from './body.ts';
import { type Version, v1_36 } from './discovery.ts';
import type { Endpoints } from './endpoint.ts';
import { collection, kindOf, object, status } from './endpoints.ts';
import { negotiateOrThrow } from './negotiation.ts';
import { serveNonResource } from './non-resource.ts';
import { type RequestInfo, requestInfo } from './request-info.ts';
import { respond, respondError, withWarnings } from './respond.ts';
import { checkVerb, route, type Target } from './route.ts';
import {
  binding,
  bindings,
  ephemeralContainers,
  eviction,
  finalize,
  scale,
  token,
} from './subresource-endpoints.ts';

/** Never rejects: whatever goes wrong is in the response. */
type Handler = (request: Request) => Promise<Response>;

interface HandlerOptions {
  /** What is served. @defaultValue every resource there is */
  readonly resources?: readonly Resource[];
  /** Further media types in which bodies may come. */
  readonly decoders?: Decoders;
  /** What `/version` says. @defaultValue that of v1.36.3 */
  readonly version?: Version;
}

/**
 * Puts HTTP in front of a Client.
 *
 * The HTTP side of the apiserver: a request becomes one call on a {@link Client}, the result a response. It knows
 * paths, media types and options; what the verbs mean is the Client's business, so it can stand before any of
 * them.
 *
 * Upstream: kubernetes/apiserver@v0.36.3 pkg/server/handler.go APIServerHandler
 */
export function createHandler(client: Client, options: HandlerOptions = {}): Handler {
  const { resources = allResources, version = v1_36 } = options;
  const decoders = { ...standardDecoders, ...options.decoders };

  const serveResource = async (request: Request, url: URL, info: RequestInfo): Promise<Response> => {
    const found = route(info, resources);
    const endpoint = endpoints[found.target][info.verb];
    if (!endpoint) throw genericServerResponse({ code: 405 });
    checkVerb(found, info);
    const negotiated = negotiateOrThrow(request.headers.get('accept'));
    const { namespace, name } = info;
    const call = {
      client,
      request,
      query: url.searchParams,
      resource: found.resource,
      namespace,
      name,
      decoders,
    };
    const { deprecation } = kindOf(found.resource);
    const told = (warnings: readonly string[] = []) => (deprecation ? [deprecation, ...warnings] : warnings);
    try {
      const answer = await endpoint(call);
      if (!(answer instanceof Response)) {
        return respond({ ...answer, warnings: told(answer.warnings) }, request, negotiated);
      }
      return withWarnings(answer, told());
    } catch (error) {
      return withWarnings(respondError(error, request), told());
    }
  };

  return async (request) => {
    try {
      const url = new URL(request.url);
      const info = requestInfo(request.method, url);
      const served = serveNonResource({ info, request, host: url.host, resources, version });
      return served ?? (await serveResource(request, url, info));
    } catch (error) {
      return respondError(error, request);
    }
  };
}

const endpoints: Readonly<Record<Target, Endpoints>> = {
  collection,
  object,
  status,
  scale,
  binding,
  bindings,
  eviction,
  ephemeralcontainers: ephemeralContainers,
  finalize,
  token,
};
