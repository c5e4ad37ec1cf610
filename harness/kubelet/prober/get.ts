import { type HttpAnswer, type HttpRequest, NetworkError } from '../../contracts/node/host.ts';
import type { ProbeTools } from './one-probe.ts';
import { urlOf } from './probe-texts.ts';

/** The redirect in the first response to an HTTP probe. */
export interface ProbeRedirect {
  readonly first: HttpRequest;
  readonly answer: HttpAnswer;
  /** The time when the probe's timeout ends. */
  readonly endMs: number;
}

/** Follows a redirect. */
type FollowRedirect = (
  tools: Pick<ProbeTools, 'network' | 'clock'>,
  redirect: ProbeRedirect,
) => Promise<HttpAnswer>;

/**
 * Sends the request of an HTTP probe.
 *
 * @param follow called if the first response is a redirect ({@link isRedirect}); without it, that response is returned
 * @throws NetworkError as {@link sendGet}
 * @see Upstream: kubernetes/kubernetes@v1.36.3 pkg/probe/http/http.go httpProber.Probe
 */
export async function getURL(
  tools: Pick<ProbeTools, 'network' | 'clock'>,
  first: HttpRequest,
  follow?: FollowRedirect,
): Promise<HttpAnswer> {
  const endMs = tools.clock.now() + first.timeoutMs;
  const answer = await sendGet(tools.network, first);
  return follow && isRedirect(answer) ? follow(tools, { first, answer, endMs }) : answer;
}

/**
 * Sends one request, and reports errors as Go does.
 *
 * @throws NetworkError with the URL of the request: `Get "http://10.244.1.2:80/": …`
 */
export async function sendGet(network: ProbeTools['network'], request: HttpRequest): Promise<HttpAnswer> {
  try {
    return await network.request(request);
  } catch (error) {
    if (!(error instanceof NetworkError)) throw error;
    throw new NetworkError(error.code, `Get "${urlOf(request)}": ${error.message}`);
  }
}

/** Returns whether a response redirects to its `location`, which may be only a path. */
export function isRedirect({ status, headers }: HttpAnswer): boolean {
  return [301, 302, 303, 307, 308].includes(status) && !!headers.location;
}

/**
 * Returns the same request to another location on the same host.
 *
 * @param options `isAbsolute`: whether the location was a complete URL instead of a path
 */
export function redirected(
  from: HttpRequest,
  { protocol, port, pathname, search }: URL,
  { isAbsolute }: { readonly isAbsolute: boolean },
): HttpRequest {
  const scheme = protocol === 'https:' ? 'https' : 'http';
  const { host: _, ...others } = from.headers;
  return {
    ...from,
    scheme,
    port: Number(port) || (scheme === 'https' ? 443 : 80),
    path: `${pathname}${search}`,
    // An absolute location has its own host, so the `host` header of the first request no longer applies.
    headers: isAbsolute ? others : from.headers,
  };
}
