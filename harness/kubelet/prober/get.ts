import { type HttpAnswer, type HttpRequest, NetworkError } from '../../contracts/node/host.ts';
import type { ProbeTools } from './one-probe.ts';
import { urlOf } from './probe-texts.ts';

/** What the first answer of an HTTP probe leads to. */
export interface ProbeRedirect {
  readonly first: HttpRequest;
  readonly answer: HttpAnswer;
  /** When the probe's time is over. */
  readonly endMs: number;
}

/** Goes where a redirect leads. */
export type FollowRedirect = (
  tools: Pick<ProbeTools, 'network' | 'clock'>,
  redirect: ProbeRedirect,
) => Promise<HttpAnswer>;

/**
 * The request of an HTTP probe.
 *
 * @param follow called when the first answer is a redirect ({@link isRedirect}); without it that answer is returned as it is
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
 * One request, as Go makes it.
 *
 * @throws NetworkError that says where the request went: `Get "http://10.244.1.2:80/": …`
 */
export async function sendGet(network: ProbeTools['network'], request: HttpRequest): Promise<HttpAnswer> {
  try {
    return await network.request(request);
  } catch (error) {
    if (!(error instanceof NetworkError)) throw error;
    throw new NetworkError(error.code, `Get "${urlOf(request)}": ${error.message}`);
  }
}

/** Whether an answer leads to another place: to its `location`, which may be a path alone. */
export function isRedirect({ status, headers }: HttpAnswer): boolean {
  return [301, 302, 303, 307, 308].includes(status) && !!headers.location;
}

/**
 * A request like this one, to another place on the same host.
 *
 * @param options `isAbsolute`: the location was a whole URL, and not a path alone
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
    // A location that says a host speaks of that host, whatever name it was asked by before.
    headers: isAbsolute ? others : from.headers,
  };
}
