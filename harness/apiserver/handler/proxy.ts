import { quote } from '../../api/names.ts';
import type { Endpoints as ServiceEndpoints } from '../../api/objects.ts';
import { endpoints, nodes, pods, type Resource, services } from '../../api/resource.ts';
import { errors, isNotFound } from '../../api/status.ts';
import {
  bytesOfText,
  type HttpAnswer,
  type HttpRequest,
  NetworkError,
  textOfBytes,
} from '../../contracts/node/index.ts';
import { readBytes } from './body.ts';
import { admitProxy } from './connect.ts';
import type { Call, Endpoints } from './endpoint.ts';
import { throughProxy } from './proxy-links.ts';

/** The server behind a proxy. */
type Location = Pick<HttpRequest, 'scheme' | 'host' | 'port'>;

/** The server behind a proxy, with a way to send it requests. */
interface Server {
  /** Its host and port, as its own links name them. */
  readonly host: string;
  send(request: Omit<HttpRequest, keyof Location>): Promise<HttpAnswer>;
}

/** How long opening a connection may take. Upstream: golang/go@go1.26 src/net/http/transport.go DefaultTransport */
const CONNECT_MS_MAX = 30_000;

/** How long the server may take to answer. Upstream waits without a limit. */
const ANSWER_MS_MAX = 24 * 60 * 60 * 1_000;

/** Headers between the client and this server only. Upstream: golang/go@go1.26 src/net/http/httputil/reverseproxy.go hopHeaders */
const HOP_BY_HOP = [
  'connection',
  'keep-alive',
  'proxy-authenticate',
  'proxy-authorization',
  'proxy-connection',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
];

/** Statuses whose responses have no body. */
const WITHOUT_BODY = [204, 205, 304];

/**
 * `…/pods/{name}/proxy/{path}` and `…/services/{name}/proxy/{path}`: passes a request on to a pod.
 * `…/nodes/{name}/proxy/{path}`: passes a request on to a kubelet, or to another port of its node.
 *
 * Upstream: kubernetes/apimachinery@v0.36.3 pkg/util/proxy/upgradeaware.go UpgradeAwareHandler.ServeHTTP, transport.go
 * Transport.RoundTrip
 *
 * Differs: a body has the limit of other requests. Upgrades and the method OPTIONS are not supported.
 */
const send = async (call: Call): Promise<Response> => {
  const { request, resource } = call;
  const { pathname, search, host, protocol } = new URL(request.url);
  const { root, rest: asked } = splitPath(pathname, resource);
  const rest = await admitProxy(call, asked);
  const server = await behind(call);
  const { method } = request;
  if (rest === '' && (method === 'GET' || method === 'HEAD')) {
    return new Response(null, { status: 301, headers: { Location: `${root}/${search}` } });
  }
  const path = (rest || '/') + search;
  const headers = {
    ...passedOn(request.headers),
    'x-forwarded-uri': pathname,
    'x-forwarded-host': host,
    'x-forwarded-proto': protocol.slice(0, -1),
  };
  try {
    const limits = { timeoutMs: ANSWER_MS_MAX, connectTimeoutMs: CONNECT_MS_MAX };
    const body = textOfBytes(await readBytes(request));
    const answer = await server.send({ ...limits, method, path, headers, body });
    return responseOf(throughProxy(answer, { root, askedHost: host, serverHost: server.host }));
  } catch (error) {
    if (!(error instanceof NetworkError)) throw error;
    throw errors.unavailable(`error trying to reach service: ${error.message.replace(CLIENT_WORDS, '')}`);
  }
};

export const proxy: Endpoints = { create: send, delete: send, get: send, patch: send, update: send };

/** Finds the server of a request. @throws StatusError BadRequest, NotFound, ServiceUnavailable */
async function behind(call: Call): Promise<Server> {
  if (call.resource === nodes) return behindNode(call);
  return serverAt(await (call.resource === services ? serviceLocation(call) : podLocation(call)), call);
}

function serverAt(location: Location, { podNetwork }: Pick<Call, 'podNetwork'>): Server {
  return {
    host: `${location.host}:${location.port}`,
    send: (request) => podNetwork.request({ ...location, ...request }),
  };
}

/** Splits a path after `/api/v1/namespaces/{namespace}/pods/{name}/proxy` or `/api/v1/nodes/{name}/proxy`. */
function splitPath(
  pathname: string,
  { namespaced }: Pick<Resource, 'namespaced'>,
): { readonly root: string; readonly rest: string } {
  const parts = pathname.slice(pathname.search(/[^/]/)).split('/');
  const length = namespaced ? ROOT_PARTS : ROOT_PARTS - 2;
  const [root, rest] = [parts.slice(0, length), parts.slice(length)];
  return { root: `/${root.join('/')}`, rest: rest.map((part) => `/${part}`).join('') };
}

const ROOT_PARTS = 7;

/** The words that an HTTP client adds to a timeout. A proxy does not. */
const CLIENT_WORDS = / \(Client\.Timeout.*\)$/;

/**
 * Finds the server of a path: `node-1` or `node-1:10250` for the kubelet, or `https:node-1:9100` for another port.
 *
 * Upstream: kubernetes/kubernetes@v1.36.3 pkg/registry/core/node/strategy.go ResourceLocation
 *
 * @throws StatusError BadRequest, NotFound
 */
async function behindNode({ client, kubelets, name: id, podNetwork }: Call): Promise<Server> {
  const { scheme, name, port } = splitName(id, 'node');
  const { status } = await client.get(nodes, { name });
  const own = status.daemonEndpoints?.kubeletEndpoint?.Port || KUBELET_PORT;
  const host = status.addresses?.find(({ type }) => type === 'InternalIP')?.address ?? name;
  if (port !== '' && port !== String(own)) {
    return serverAt({ scheme, host, port: portNumber(port) }, { podNetwork });
  }
  const kubelet = kubelets(name);
  return {
    host: `${host}:${own}`,
    async send(request) {
      if (kubelet) return kubelet.answer(request);
      throw new NetworkError('ECONNREFUSED', `dial tcp ${host}:${own}: connect: connection refused`);
    },
  };
}

const KUBELET_PORT = 10_250;

/**
 * Finds the pod of a path: `web-1`, `web-1:8080` or `https:web-1:8443`. Without a port, the first port of its containers
 * is used.
 *
 * Upstream: kubernetes/kubernetes@v1.36.3 pkg/registry/core/pod/strategy.go ResourceLocation
 *
 * @throws StatusError BadRequest, NotFound, ServiceUnavailable
 */
async function podLocation({ client, namespace, name: id }: Call): Promise<Location> {
  const { scheme, name, port } = splitName(id, 'pod');
  const { spec, status } = await client.get(pods, { namespace, name });
  if (!status.podIP) throw errors.badRequest('address not allowed');
  const [first] = spec.containers.flatMap(({ ports = [] }) => ports);
  const named = port || String(first?.containerPort ?? PORTS[scheme]);
  return { scheme, host: status.podIP, port: portNumber(named) };
}

/**
 * Finds a pod of a Service: `web`, `web:http`, `web:80` or `https:web:443`. The port is a port of the Service, by name
 * or by number.
 *
 * Upstream: kubernetes/kubernetes@v1.36.3 pkg/registry/core/service/storage/storage.go REST.ResourceLocation
 *
 * Differs: the first ready pod is used, not a random one.
 *
 * @throws StatusError BadRequest, NotFound, ServiceUnavailable
 */
async function serviceLocation({ client, namespace, name: id }: Call): Promise<Location> {
  const { scheme, name, port } = splitName(id, 'service');
  let portName = port;
  if (/^[+-]?\d+$/.test(port)) {
    const { spec } = await client.get(services, { namespace, name });
    const found = spec.ports?.find((each) => each.port === Number(port));
    if (!found) {
      throw errors.unavailable(`no service port ${Number(port)} found for service ${quote(name)}`);
    }
    portName = found.name ?? '';
  }
  const { subsets = [] }: Partial<ServiceEndpoints> = await client.get(endpoints, { namespace, name });
  if (subsets.length === 0) {
    throw errors.unavailable(`no endpoints available for service ${quote(name)}`);
  }
  for (const { addresses = [], ports = [] } of subsets) {
    const found = ports.find((each) => (each.name ?? '') === portName);
    if (!found) continue;
    for (const { ip, targetRef } of addresses) {
      // Only pods are reached, and only in the namespace of the Service.
      if (targetRef?.namespace !== namespace || targetRef.name === undefined) continue;
      if (await hasAddress(client, { namespace, name: targetRef.name }, ip)) {
        return { scheme, host: ip, port: found.port };
      }
    }
  }
  throw errors.unavailable(`no endpoints available for service ${quote(id)}`);
}

/** Upstream: kubernetes/kubernetes@v1.36.3 pkg/registry/core/service/storage/storage.go isValidAddress */
async function hasAddress(
  client: Call['client'],
  key: { readonly namespace: string; readonly name: string },
  ip: string,
): Promise<boolean> {
  try {
    const { status } = await client.get(pods, key);
    return [status.podIP, ...(status.podIPs ?? []).map((each) => each.ip)].includes(ip);
  } catch (error) {
    if (isNotFound(error)) return false;
    throw error;
  }
}

const PORTS = { http: 80, https: 443 } as const;

/**
 * Splits `name`, `name:port` or `scheme:name:port`.
 *
 * Upstream: kubernetes/apimachinery@v0.36.3 pkg/util/net/port_split.go SplitSchemeNamePort
 *
 * @throws StatusError BadRequest
 */
function splitName(id: string, kind: 'node' | 'pod' | 'service') {
  const parts = id.split(':');
  const [scheme = '', name = '', port = ''] = parts.length < 3 ? ['', ...parts] : parts;
  const isValid = parts.length <= 3 && name !== '' && ['', 'http', 'https'].includes(scheme);
  if (!isValid) throw errors.badRequest(`invalid ${kind} request ${quote(id)}`);
  return { scheme: scheme === 'https' ? 'https' : 'http', name, port } as const;
}

/** Differs: upstream's server panics at a port that is not a number. @throws StatusError ServiceUnavailable */
function portNumber(text: string): number {
  const port = Number(text);
  if (/^\d+$/.test(text) && port <= 65_535) return port;
  const why = /^\d+$/.test(text) ? `address ${text}: invalid port` : `lookup tcp/${text}: unknown port`;
  throw errors.unavailable(`error trying to reach service: dial tcp: ${why}`);
}

/**
 * Returns the headers for the pod, without the headers of the connection and of the client's identity.
 *
 * Upstream: kubernetes/apiserver@v0.36.3 pkg/endpoints/filters/authentication.go WithAuthentication,
 * impersonation/constrained_impersonation.go processImpersonationHeaders
 */
function passedOn(headers: Headers): Record<string, string> {
  const named = (headers.get('connection') ?? '').split(',').map((name) => name.trim().toLowerCase());
  const own = new Set([...HOP_BY_HOP, ...named, 'authorization', 'content-length']);
  return Object.fromEntries([...headers].filter(([name]) => !own.has(name) && !ABOUT_THE_CLIENT.test(name)));
}

const ABOUT_THE_CLIENT = /^(x-remote-(user$|uid$|group$|extra-)|impersonate-(user$|uid$|group$|extra-))/;

function responseOf({ status, headers, body }: HttpAnswer): Response {
  const own = new Set([...HOP_BY_HOP, 'content-length']);
  const passed = Object.entries(headers).filter(([name]) => !own.has(name));
  const bytes = WITHOUT_BODY.includes(status) ? null : new Uint8Array(bytesOfText(body));
  return new Response(bytes, { status, headers: passed });
}
