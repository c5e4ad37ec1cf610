import type * as admissionregistration from '#api/admissionregistration/v1';
import { quote } from '../../api/names.ts';
import type { Service } from '../../api/objects.ts';
import { genericServerResponse } from '../../api/server-response.ts';
import { type Status, StatusError } from '../../api/status.ts';
import type { WebhookTransport } from '../../contracts/admission/index.ts';
import { bytesOfText, type HttpAnswer, type NodeNetwork } from '../../contracts/node/index.ts';
import { interruptible } from '../../kubelet/interruptible.ts';
import type { RequestOutside } from '../../node/network/cluster-network.ts';
import { serviceAddress } from './service-address.ts';

/** The parts of a cluster that an apiserver needs to reach webhooks. */
export interface WebhookSurroundings {
  /** The network of the apiserver. */
  readonly network: Pick<NodeNetwork, 'request'>;
  /** Returns a Service, if it exists. */
  service(key: { readonly namespace: string; readonly name: string }): Service | undefined;
  /** Returns the address of a host outside the cluster. @throws Error in Go's words when it has none */
  lookUp(host: string): Promise<string>;
  /** Returns whether a host is an address of the cluster. @defaultValue no host is */
  isInside?(host: string): boolean;
  /** Sends a request to a URL outside the cluster. @defaultValue the host is looked up, and reached over `network` */
  readonly requestOutside?: RequestOutside | undefined;
}

/** A webhook, and the name of its host for TLS and for messages. */
interface Target {
  /** `https://web.default.svc:443/validate` */
  readonly url: URL;
  readonly port: number;
  readonly service?: { readonly namespace: string; readonly name: string };
}

/** The default port of a webhook. */
const HTTPS_PORT = 443;

/** The longest time that a request to the apiserver takes. Upstream: kubernetes/apiserver@v0.36.3 pkg/server/config.go NewConfig */
const REQUEST_SECONDS_MAX = 60;

/** How long a request that its caller has given up stays open, in ms. The caller's signal ends the call itself. */
const LINGER_MS = 1_000;

/** The words that an HTTP client with a timeout of its own adds to an error. */
const CLIENT_WORDS = / \(Client\.Timeout.*\)$/;

/** The maximum length of an answer in a message. Upstream: kubernetes/client-go@v0.36.3 rest/request.go maxUnstructuredResponseTextBytes */
const QUOTED_BYTES_MAX = 2_048;

/**
 * Creates the transport of an apiserver to webhooks.
 *
 * Differs: the network of the pods has no TLS, so nothing checks the certificate of a webhook in a pod. Redirects and
 * `Retry-After` are not followed. `default/kubernetes` is a Service like any other.
 *
 * Upstream: kubernetes/apiserver@v0.36.3 pkg/util/webhook/client.go ClientManager.HookClient
 */
export function webhookTransport(surroundings: WebhookSurroundings): Required<WebhookTransport> {
  return {
    send: (config, review, limits) => post(surroundings, { config, review, ...limits }),
    convert: (config, review, { signal }) => post(surroundings, { config, review, signal }),
  };
}

interface Posted {
  readonly config: admissionregistration.WebhookClientConfig;
  readonly review: object;
  /** The time limit in the query. @defaultValue none */
  readonly timeoutSeconds?: number;
  readonly signal: AbortSignal;
}

/** Posts a review, and returns the answer. @throws Error in Go's words */
async function post(
  surroundings: WebhookSurroundings,
  { config, review, timeoutSeconds, signal }: Posted,
): Promise<unknown> {
  const target = targetOf(config);
  const { url } = target;
  if (timeoutSeconds !== undefined) url.searchParams.set('timeout', `${timeoutSeconds}s`);
  const body = JSON.stringify(review);
  const asked = {
    scheme: 'https',
    method: 'POST',
    path: url.pathname + url.search,
    headers: {
      host: target.service ? `${url.hostname}:${target.port}` : url.host,
      'user-agent': 'kube-apiserver-admission',
      accept: 'application/json, */*',
      'content-type': 'application/json',
      'content-length': String(bytesOfText(body).length),
    },
    body,
    timeoutMs: (timeoutSeconds ?? REQUEST_SECONDS_MAX) * 1_000 + LINGER_MS,
  } as const;
  const called = exchange(surroundings, target, { ...asked, ...caOf(config) });
  const answer = await interruptible(signal, called).catch((error: unknown) => {
    const why = (error instanceof Error ? error.message : String(error)).replace(CLIENT_WORDS, '');
    throw new Error(`Post ${quote(textOf(target))}: ${why}`, { cause: error });
  });
  return contentOf(answer);
}

/** Upstream: kubernetes/apiserver@v0.36.3 pkg/util/webhook/client.go ClientManager.hookClientConfig */
function targetOf({ service, url }: admissionregistration.WebhookClientConfig): Target {
  if (service) {
    const { namespace, name, path = '', port = HTTPS_PORT } = service;
    const at = `https://${name}.${namespace}.svc:${port}${cleaned(path)}`;
    return { url: new URL(at), port, service: { namespace, name } };
  }
  if (url === undefined) throw new Error('webhook configuration must have either service or URL');
  const parsed = new URL(url);
  parsed.pathname = cleaned(parsed.pathname);
  return { url: parsed, port: Number(parsed.port || HTTPS_PORT) };
}

/** Removes empty segments and the slash at the end of a path. Upstream: Join in Go's standard library, path/path.go */
function cleaned(path: string): string {
  return `/${path.split('/').filter(Boolean).join('/')}`;
}

/** Formats the URL as Go does: the URL of a Service always has a port. */
function textOf({ url, port, service }: Target): string {
  return service ? `https://${url.hostname}:${port}${url.pathname}${url.search}` : url.href;
}

function caOf({ caBundle }: admissionregistration.WebhookClientConfig): { readonly ca?: string } {
  return caBundle ? { ca: Buffer.from(caBundle, 'base64').toString() } : {};
}

/** @throws Error in Go's words */
async function exchange(
  { network, service, lookUp, isInside, requestOutside }: WebhookSurroundings,
  { url, port, service: key }: Target,
  { ca, ...asked }: Omit<Parameters<RequestOutside>[0], 'host' | 'port'>,
): Promise<HttpAnswer> {
  if (!key && requestOutside && !isInside?.(hostOf(url))) {
    return requestOutside({ ...asked, ...(ca !== undefined && { ca }), host: hostOf(url), port });
  }
  const found = key && service(key);
  if (key && !found) throw new Error(`service ${quote(key.name)} not found`);
  const address = found ? serviceAddress(found, port) : { host: hostOf(url), port };
  const host = found?.spec.clusterIP === address.host ? address.host : await lookUp(address.host);
  return network.request({ ...asked, ...address, host });
}

/** Returns the host of a URL; an IPv6 address without its brackets. */
function hostOf({ hostname }: URL): string {
  return hostname.replace(/^\[(.*)\]$/, '$1');
}

/**
 * Returns the content of an answer: a value if it is JSON, or else its text.
 *
 * Upstream: kubernetes/client-go@v0.36.3 rest/request.go Request.transformResponse, Result.Into
 *
 * @throws Error when the answer is empty or reports a failure
 */
function contentOf({ status, headers, body }: HttpAnswer): unknown {
  const contentType = headers['content-type'] ?? '';
  const content = parsed(body);
  if (status < 200 || status > 206) {
    if (isFailure(content)) throw new StatusError(content);
    const isText = contentType === '' || contentType.startsWith('text/');
    const serverMessage = isText ? body.slice(0, QUOTED_BYTES_MAX).trim() : 'unknown';
    throw genericServerResponse({ code: status, method: 'POST', serverMessage, unexpected: true });
  }
  if (body !== '') return content;
  const type = contentType || 'application/json';
  throw new Error(`0-length response with status code: ${status} and content type: ${type}`);
}

function parsed(body: string): unknown {
  try {
    return JSON.parse(body);
  } catch {
    return body;
  }
}

function isFailure(content: unknown): content is Status {
  const { kind, status } = (content ?? {}) as Partial<Status>;
  return kind === 'Status' && status === 'Failure';
}
