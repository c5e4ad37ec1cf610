import type { KubeObject } from '../../api/objects.ts';
import { resources as allResources, type Resource } from '../../api/resource.ts';
import { genericServerResponse } from '../../api/server-response.ts';
import type { Client } from '../../contracts/client.ts';
import { NetworkError } from '../../contracts/node/index.ts';
import type { Clock, Peer } from '../../sim/index.ts';
import { customVersionOf } from '../custom/custom-version.ts';
import { Session } from '../session.ts';
import { type Decoders, standardDecoders } from './body.ts';
import type { Endpoints, Kubelets, PodNetwork } from './endpoint.ts';
import { collection, kindOf, object, status } from './endpoints.ts';
import type { Guard } from './guard.ts';
import { Metrics } from './metrics.ts';
import { negotiateOrThrow } from './negotiation.ts';
import { serveNonResource } from './non-resource.ts';
import { attach, exec, log, portforward } from './pod-streams.ts';
import { proxy } from './proxy.ts';
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
import { type Version, v1_36 } from './version.ts';

/** Handles a request. Never rejects: the response reports every error. */
type Handler = (request: Request, peer?: Peer) => Promise<Response>;

/**
 * Resources that another server serves. Discovery and OpenAPI list them like the apiserver's own.
 *
 * Upstream: kubernetes/kube-aggregator@v0.36.3 pkg/apiserver/handler_proxy.go proxyHandler
 */
export interface AggregatedApi {
  readonly resources: readonly Resource[];
  readonly client: Client;
  /** Reports whether the server can answer now. While it cannot, requests get a 503. */
  isAvailable(): boolean;
}

interface HandlerOptions {
  /** The resources to serve. @defaultValue all built-in resources */
  readonly resources?: readonly Resource[];
  /** Decoders for further media types of bodies. */
  readonly decoders?: Decoders;
  /** The kubelets that return logs and run commands. @defaultValue no kubelet answers */
  readonly kubelets?: Kubelets;
  /** The network of the pods, for requests to their ports. @defaultValue no pod can be reached */
  readonly podNetwork?: PodNetwork;
  /** APIs of other servers. @defaultValue none */
  readonly aggregated?: readonly AggregatedApi[];
  /** Admits each request, and chooses its client. @defaultValue the client carries out every request */
  readonly guard?: Guard | undefined;
  /** Returns a warning about an object that a client has written. @defaultValue no warning */
  readonly warningAbout?: ((written: KubeObject) => string | undefined) | undefined;
  /** The content of `/version`. @defaultValue the version of v1.36.3 */
  readonly version?: Version;
  /**
   * The clock for the ages in tables, because a Client has no clock.
   *
   * @defaultValue the clock of the apiserver if the client is a {@link Session}; with other clients, ages are unknown
   */
  readonly clock?: Pick<Clock, 'now'>;
}

/**
 * Creates the HTTP front end of a Client.
 *
 * Turns each request into one call on a {@link Client}, and the result into a response. The handler knows paths, media
 * types and options; the Client implements the verbs. So the handler can serve any Client.
 *
 * Upstream: kubernetes/apiserver@v0.36.3 pkg/server/handler.go APIServerHandler
 *
 * Differs: tables have no ages if the client is not an apiserver and the options have no clock.
 */
export function createHandler(client: Client, options: HandlerOptions = {}): Handler {
  const { version = v1_36, kubelets = () => undefined, podNetwork = noNetwork, aggregated = [] } = options;
  const { guard, warningAbout } = options;
  const servedNow = resourcesOf(client, options.resources ?? allResources, aggregated);
  const clock = options.clock ?? (client instanceof Session ? client.clock : undefined);
  const decoders = { ...standardDecoders, ...options.decoders };

  const serveResource = async (admitted: Client, { request, url, info }: Received): Promise<Response> => {
    const found = route(info, servedNow());
    const endpoint = endpoints[found.target][info.verb];
    if (!endpoint) throw genericServerResponse({ code: 405 });
    checkVerb(found, info);
    const elsewhere = aggregated.find(({ resources }) => resources.includes(found.resource));
    if (elsewhere && !elsewhere.isAvailable()) return respondText(503, 'service unavailable\n');
    const negotiated = negotiateOrThrow(
      // The pod behind a proxy chooses its own media type.
      found.target === 'proxy' ? null : request.headers.get('accept'),
      conversionsAt(found.target, customVersionOf(found.resource) !== undefined),
    );
    const { namespace, parts } = info;
    const { deprecation } = kindOf(found.resource);
    const warnings = deprecation ? [deprecation] : [];
    const call = {
      client: elsewhere?.client ?? admitted,
      request,
      query: url.searchParams,
      resource: found.resource,
      namespace,
      name: parts[1] ?? '',
      decoders,
      kubelets,
      podNetwork,
      clock,
      warn: (warning: string) => void warnings.push(warning),
    };
    try {
      const answer = await endpoint(call);
      if (answer instanceof Response) return withWarnings(answer, warnings);
      const warning = isStored(found.target, info, url)
        ? warningAbout?.(answer.body as KubeObject)
        : undefined;
      if (warning !== undefined) warnings.push(warning);
      const body = transform(answer.body, negotiated.convert, call);
      return withWarnings(respond({ ...answer, body }, request, negotiated), warnings);
    } catch (error) {
      return withWarnings(respondError(error, request), warnings);
    }
  };

  const metrics = new Metrics();
  const serve = async (received: Received, peer?: Peer): Promise<Response> => {
    const { request, url, info } = received;
    const admitted = guard?.admit(request, info, peer) ?? { client };
    if (admitted instanceof Response) return admitted;
    try {
      const resources = servedNow();
      const served = serveNonResource({ info, request, host: url.host, resources, version, metrics });
      return served ?? (await serveResource(admitted.client, received));
    } catch (error) {
      return respondError(error, request);
    }
  };

  return async (request, peer) => {
    const url = new URL(request.url);
    const info = requestInfo(request.method, url);
    const response = await serve({ request, url, info }, peer);
    metrics.count(info, url.searchParams.has('dryRun'), response.status);
    return response;
  };
}

/** Returns whether a successful request stores an object and returns it. */
function isStored(target: Target, { verb }: RequestInfo, { searchParams }: URL): boolean {
  const isWrite = verb === 'create' || verb === 'update' || verb === 'patch';
  return isWrite && (target === 'collection' || target === 'object') && !searchParams.has('dryRun');
}

/** A request with its parsed parts. */
interface Received {
  readonly request: Request;
  readonly url: URL;
  readonly info: RequestInfo;
}

/**
 * Returns a function that lists the currently served resources: the built-in ones, the client's custom ones, and those
 * of other servers.
 */
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

const noNetwork: PodNetwork = {
  request: async ({ host, port }) => {
    throw new NetworkError('ENETUNREACH', `dial tcp ${host}:${port}: connect: network is unreachable`);
  },
};

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
  proxy,
};
