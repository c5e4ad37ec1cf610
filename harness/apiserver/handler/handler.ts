import { resources as allResources, type Resource } from '../../api/resource.ts';
import { genericServerResponse } from '../../api/server-response.ts';
import type { Client } from '../../contracts/client.ts';
import type { Clock } from '../../sim/index.ts';
import { Session } from '../session.ts';
import { type Decoders, standardDecoders } from './body.ts';
import { type Version, v1_36 } from './discovery.ts';
import type { Endpoints, Kubelets } from './endpoint.ts';
import { collection, kindOf, object, status } from './endpoints.ts';
import { Metrics } from './metrics.ts';
import { negotiateOrThrow } from './negotiation.ts';
import { serveNonResource } from './non-resource.ts';
import { attach, exec, log, portforward } from './pod-streams.ts';
import { type RequestInfo, requestInfo } from './request-info.ts';
import { respond, respondError, respondText, withWarnings } from './respond.ts';
import { checkVerb, route, type Target } from './route.ts';
import {
  approval,
  binding,
  bindings,
  ephemeralContainers,
  eviction,
  finalize,
  scale,
  token,
} from './subresource-endpoints.ts';
import { conversionsAt, transform } from './transform.ts';

/** Never rejects: whatever goes wrong is in the response. */
type Handler = (request: Request) => Promise<Response>;

/**
 * Resources that another server answers. Discovery and OpenAPI tell of them as of the apiserver's own.
 *
 * Upstream: kubernetes/kube-aggregator@v0.36.3 pkg/apiserver/handler_proxy.go proxyHandler
 */
export interface AggregatedApi {
  readonly resources: readonly Resource[];
  readonly client: Client;
  /** Whether the server can answer now. As long as it cannot, requests are answered with 503. */
  isAvailable(): boolean;
}

interface HandlerOptions {
  /** What is served. @defaultValue every resource there is */
  readonly resources?: readonly Resource[];
  /** Further media types in which bodies may come. */
  readonly decoders?: Decoders;
  /** Who is asked for logs, and to run commands. @defaultValue no kubelet answers */
  readonly kubelets?: Kubelets;
  /** What other servers answer. @defaultValue nothing */
  readonly aggregated?: readonly AggregatedApi[];
  /** What `/version` says. @defaultValue that of v1.36.3 */
  readonly version?: Version;
  /**
   * By which the ages in tables are reckoned, since a Client tells no time.
   *
   * @defaultValue that of the apiserver, if the client is one; before other clients no age is known
   */
  readonly clock?: Pick<Clock, 'now'>;
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
  const { version = v1_36, kubelets = () => undefined, aggregated = [] } = options;
  const servedNow = resourcesOf(client, options.resources ?? allResources, aggregated);
  const clock = options.clock ?? (client instanceof Session ? client.clock : undefined);
  const decoders = { ...standardDecoders, ...options.decoders };

  const serveResource = async (request: Request, url: URL, info: RequestInfo): Promise<Response> => {
    const found = route(info, servedNow());
    const endpoint = endpoints[found.target][info.verb];
    if (!endpoint) throw genericServerResponse({ code: 405 });
    checkVerb(found, info);
    const elsewhere = aggregated.find(({ resources }) => resources.includes(found.resource));
    if (elsewhere && !elsewhere.isAvailable()) return respondText(503, 'service unavailable\n');
    const negotiated = negotiateOrThrow(request.headers.get('accept'), conversionsAt(found.target));
    const { namespace, name } = info;
    const call = {
      client: elsewhere?.client ?? client,
      request,
      query: url.searchParams,
      resource: found.resource,
      namespace,
      name,
      decoders,
      kubelets,
      clock,
    };
    const { deprecation } = kindOf(found.resource);
    const told = (warnings: readonly string[] = []) => (deprecation ? [deprecation, ...warnings] : warnings);
    try {
      const answer = await endpoint(call);
      if (!(answer instanceof Response)) {
        const body = transform(answer.body, negotiated.convert, call);
        return respond({ ...answer, body, warnings: told(answer.warnings) }, request, negotiated);
      }
      return withWarnings(answer, told());
    } catch (error) {
      return withWarnings(respondError(error, request), told());
    }
  };

  const metrics = new Metrics();
  const serve = async (request: Request, url: URL, info: RequestInfo): Promise<Response> => {
    try {
      const resources = servedNow();
      const served = serveNonResource({ info, request, host: url.host, resources, version, metrics });
      return served ?? (await serveResource(request, url, info));
    } catch (error) {
      return respondError(error, request);
    }
  };

  return async (request) => {
    const url = new URL(request.url);
    const info = requestInfo(request.method, url);
    const response = await serve(request, url, info);
    metrics.count(info, url.searchParams.has('dryRun'), response.status);
    return response;
  };
}

/** What is served at this moment: the resources that there always are, the custom ones of the client, and those of other servers. */
function resourcesOf(
  client: Client,
  builtIn: readonly Resource[],
  aggregated: readonly AggregatedApi[],
): () => readonly Resource[] {
  const others = aggregated.flatMap(({ resources }) => resources);
  let last: { readonly custom: readonly Resource[]; readonly all: readonly Resource[] } = {
    custom: [],
    all: others.length > 0 ? [...builtIn, ...others] : builtIn,
  };
  return () => {
    const { customResources: custom = [] } = client as { customResources?: readonly Resource[] };
    if (custom.length !== last.custom.length || custom.some((one, i) => one !== last.custom[i])) {
      last = { custom, all: [...builtIn, ...custom, ...others] };
    }
    return last.all;
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
  approval,
  finalize,
  token,
  log,
  exec,
  attach,
  portforward,
};
