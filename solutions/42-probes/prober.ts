import {
  containerReference,
  type core,
  cri,
  expand,
  type HttpAnswer,
  type HttpRequest,
  NetworkError,
  type Pod,
  type ProbeManagerOptions,
  type ProbeType,
  sayHealthError,
  urlOf,
} from '#harness';

/** What came of one probe. A warning is a success that people are told of. */
export interface ProbeAnswer {
  readonly result: 'success' | 'warning' | 'failure';
  /** Why, for people. */
  readonly output: string;
}

/** Whose probe, and where it is at the moment. */
export interface ProbeTarget {
  readonly pod: Pod;
  readonly container: core.Container;
  readonly type: ProbeType;
  readonly probe: core.Probe;
  readonly podIP: string;
  /** As in the status: `containerd://…`. */
  readonly containerID: string;
}

/** What a probe needs of the node. */
export type Tools = Pick<ProbeManagerOptions, 'runtime' | 'network' | 'recorder' | 'clock'>;

/** Tries of one probe, if it cannot be made. */
const TRIES_MAX = 3;
/** Characters of an answer that are read. */
const OUTPUT_MAX = 10_240;
const REDIRECTS_MAX = 10;

// Level 1 · What an answer means

/** Upstream: kubernetes/kubernetes@v1.36.3 pkg/probe/http/http.go DoHTTPProbe */
export function httpResult({ status, body }: HttpAnswer): ProbeAnswer {
  const output = body.slice(0, OUTPUT_MAX);
  if (status < 200 || status >= 400) {
    // The body stays out of the message: what it says is not for all who may read events.
    return { result: 'failure', output: `HTTP probe failed with statuscode: ${status}` };
  }
  return status < 300
    ? { result: 'success', output }
    : { result: 'warning', output: `Probe terminated redirects, Response body: ${output}` };
}

/** Upstream: kubernetes/kubernetes@v1.36.3 pkg/probe/exec/exec.go execProber.Probe */
export function execResult({ exitCode, stdout, stderr }: cri.ExecSyncResponse): ProbeAnswer {
  return {
    result: exitCode === 0 ? 'success' : 'failure',
    output: `${stdout}${stderr}`.slice(0, OUTPUT_MAX),
  };
}

// Level 2 · Where a probe goes

/** Upstream: kubernetes/kubernetes@v1.36.3 pkg/probe/util.go ResolveContainerPort */
export function portOf(port: number | string, { ports = [] }: core.Container): number {
  const named = ports.find(({ name }) => name === port)?.containerPort;
  const found = named ?? (/^[+-]?\d+$/.test(`${port}`) ? Number(port) : undefined);
  if (found === undefined) throw new Error(`strconv.Atoi: parsing "${port}": invalid syntax`);
  if (found > 0 && found < 65_536) return found;
  throw new Error(`invalid port number: ${found}`);
}

/** Upstream: kubernetes/kubernetes@v1.36.3 pkg/probe/http/request.go NewRequestForHTTPGetAction */
export function httpRequestOf(
  { host, port, path = '/', scheme = 'HTTP', httpHeaders = [] }: core.HTTPGetAction,
  { container, podIP, probe }: Pick<ProbeTarget, 'container' | 'podIP' | 'probe'>,
): HttpRequest {
  const headers = new Map([
    ['user-agent', 'kube-probe/1.36'],
    ['accept', '*/*'],
  ]);
  const given = new Map<string, string>();
  for (const { name, value } of httpHeaders) {
    const before = given.get(name.toLowerCase());
    given.set(name.toLowerCase(), before === undefined ? value : `${before}, ${value}`);
  }
  for (const [name, value] of given) headers.set(name, value);
  // A header that is set to nothing is a wish to send none.
  for (const name of ['user-agent', 'accept', 'host']) if (headers.get(name) === '') headers.delete(name);
  const url = new URL(path, 'http://pod');
  return {
    scheme: scheme === 'HTTPS' ? 'https' : 'http',
    method: 'GET',
    host: host || podIP,
    port: portOf(port, container),
    path: `${url.pathname}${url.search}`,
    headers: Object.fromEntries(headers),
    timeoutMs: timeoutMsOf(probe),
  };
}

/** What the first answer of an HTTP probe leads to. */
export interface Redirect {
  readonly first: HttpRequest;
  readonly answer: HttpAnswer;
  /** When the probe's time is over. */
  readonly endMs: number;
}

const REDIRECTS = [301, 302, 303, 307, 308];

function isRedirect({ status, headers }: HttpAnswer): boolean {
  return REDIRECTS.includes(status) && !!headers.location;
}

// Level 3 · One probe

/**
 * An application that does not answer is unhealthy. A probe that could not be made says nothing about it: that throws.
 *
 * Upstream: kubernetes/kubernetes@v1.36.3 pkg/kubelet/prober/prober.go prober.runProbe; pkg/probe/tcp/tcp.go DoTCPProbe
 */
export async function runProbe(tools: Tools, target: ProbeTarget): Promise<ProbeAnswer> {
  const { container, probe, podIP } = target;
  const { exec, httpGet, tcpSocket, grpc } = probe;
  if (exec) return runCommand(tools, target, exec.command ?? []);
  try {
    if (httpGet) return httpResult(await get(tools, httpRequestOf(httpGet, target)));
    if (tcpSocket) {
      const port = portOf(tcpSocket.port, container);
      await tools.network.connect({ host: tcpSocket.host || podIP, port, timeoutMs: timeoutMsOf(probe) });
      return { result: 'success', output: '' };
    }
  } catch (error) {
    if (error instanceof NetworkError) return { result: 'failure', output: error.message };
    throw error;
  }
  if (grpc) return checkHealth(tools, target, grpc);
  throw new Error(`missing probe handler for ${container.name}`);
}

/** Upstream: kubernetes/kubernetes@v1.36.3 pkg/probe/http/http.go httpProber.Probe */
export async function get(tools: Tools, first: HttpRequest): Promise<HttpAnswer> {
  const endMs = tools.clock.now() + first.timeoutMs;
  const answer = await send(tools.network, first);
  return isRedirect(answer) ? follow(tools, { first, answer, endMs }) : answer;
}

async function send(network: Tools['network'], request: HttpRequest): Promise<HttpAnswer> {
  try {
    return await network.request(request);
  } catch (error) {
    if (!(error instanceof NetworkError)) throw error;
    throw new NetworkError(error.code, `Get "${urlOf(request)}": ${error.message}`);
  }
}

/** Upstream: kubernetes/kubernetes@v1.36.3 pkg/kubelet/prober/prober.go prober.newExecInContainer */
async function runCommand(
  { runtime }: Tools,
  { container, containerID, probe }: ProbeTarget,
  command: readonly string[],
): Promise<ProbeAnswer> {
  const { env = [] } = container;
  // Values that come from elsewhere, `valueFrom`, are not looked up: they count as empty.
  const values = new Map(env.map(({ name, value = '' }) => [name, value]));
  const expanded = command.map((word) => expand(word, (name) => values.get(name)));
  try {
    const id = containerID.replace(/^.*:\/\//, '');
    return execResult(await runtime.execSync(id, expanded, probe.timeoutSeconds ?? 1));
  } catch (error) {
    if (!(error instanceof cri.CriError) || error.code !== 'DeadlineExceeded') throw error;
    return { result: 'failure', output: `command timed out: ${error.message}` };
  }
}

/** Upstream: kubernetes/kubernetes@v1.36.3 pkg/kubelet/prober/prober.go prober.probe, prober.runProbeWithRetries */
export async function probe(tools: Tools, target: ProbeTarget): Promise<'Success' | 'Failure' | undefined> {
  const kind = `${target.type.charAt(0).toUpperCase()}${target.type.slice(1)}`;
  const warn = (reason: string, message: string): void =>
    tools.recorder.event(containerReference(target.pod, target.container.name), 'Warning', reason, message);
  for (let tries = 1; ; tries++) {
    try {
      const { result, output } = await runProbe(tools, target);
      if (result === 'failure') warn('Unhealthy', `${kind} probe failed: ${output}`);
      if (result === 'warning') warn('ProbeWarning', `${kind} probe warning: ${output}`);
      return result === 'failure' ? 'Failure' : 'Success';
    } catch (error) {
      if (tries < TRIES_MAX) continue;
      const why = error instanceof Error ? error.message : error;
      warn('Unhealthy', `${kind} probe errored and resulted in unknown state: ${why}`);
      return undefined;
    }
  }
}

// Level 11 ★ · gRPC

/** Upstream: kubernetes/kubernetes@v1.36.3 pkg/probe/grpc/grpc.go grpcProber.Probe */
export async function checkHealth(
  { network }: Pick<Tools, 'network'>,
  { podIP, probe }: Pick<ProbeTarget, 'podIP' | 'probe'>,
  { port, service = '' }: core.GRPCAction,
): Promise<ProbeAnswer> {
  const timeoutMs = timeoutMsOf(probe);
  try {
    const status = await network.healthCheck({ host: podIP, port, service, timeoutMs });
    return status === 'SERVING'
      ? { result: 'success', output: 'service healthy' }
      : { result: 'failure', output: `service unhealthy (responded with "${status}")` };
  } catch (error) {
    if (!(error instanceof NetworkError)) throw error;
    return { result: 'failure', output: sayHealthError(error, { host: podIP, port, timeoutMs }) };
  }
}

// Level 12 ★ · Redirects

/** Upstream: kubernetes/kubernetes@v1.36.3 pkg/probe/http/http.go RedirectChecker; golang/go@go1.26 src/net/http/client.go Client.do */
export async function follow(
  { network, clock }: Pick<Tools, 'network' | 'clock'>,
  { first, answer, endMs }: Redirect,
): Promise<HttpAnswer> {
  let [request, last] = [first, answer];
  for (let followed = 0; isRedirect(last); followed++) {
    const { location = '' } = last.headers;
    const next = new URL(location, urlOf(request));
    if (next.hostname !== new URL(urlOf(first)).hostname) return last;
    if (followed === REDIRECTS_MAX - 1) {
      throw new NetworkError('EPROTO', `Get "${location}": stopped after 10 redirects`);
    }
    request = { ...redirected(request, next, URL.canParse(location)), timeoutMs: endMs - clock.now() };
    last = await send(network, request);
  }
  return last;
}

export function redirected(
  from: HttpRequest,
  { protocol, port, pathname, search }: URL,
  isAbsolute: boolean,
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

/** How long a probe may take. */
export function timeoutMsOf({ timeoutSeconds = 1 }: core.Probe): number {
  return timeoutSeconds * 1_000;
}
