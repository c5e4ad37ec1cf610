import {
  getURL,
  isRedirect,
  type ProbeAnswer,
  type ProbeRedirect,
  type ProbeTarget,
  type ProbeTools,
  portOf,
  probeHeaders,
  redirected,
  sayHealthError,
  sendGet,
  timeoutMsOf,
  urlOf,
} from '#given/42-probes';
import {
  containerReference,
  type core,
  cri,
  expand,
  type HttpAnswer,
  type HttpRequest,
  NetworkError,
} from '#harness';

/** The number of attempts if a probe cannot be run. */
const TRIES_MAX = 3;
/** The maximum number of characters of an answer that are read. */
const OUTPUT_MAX = 10_240;
const REDIRECTS_MAX = 10;

// Level 1 · What an answer means

/** Upstream: kubernetes/kubernetes@v1.36.3 pkg/probe/http/http.go DoHTTPProbe */
export function httpResult({ status, body }: HttpAnswer): ProbeAnswer {
  const output = body.slice(0, OUTPUT_MAX);
  if (status < 200 || status >= 400) {
    // The body is left out of the message, because not every reader of events may see it.
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

/** Upstream: kubernetes/kubernetes@v1.36.3 pkg/probe/http/request.go NewRequestForHTTPGetAction */
export function httpRequestOf(
  { host, port, path = '/', scheme = 'HTTP', httpHeaders }: core.HTTPGetAction,
  { container, podIP, probe }: Pick<ProbeTarget, 'container' | 'podIP' | 'probe'>,
): HttpRequest {
  // Differs: `URL` resolves dot segments, which Go keeps.
  const url = new URL(path, 'http://pod');
  return {
    scheme: scheme === 'HTTPS' ? 'https' : 'http',
    method: 'GET',
    host: host || podIP,
    port: portOf(port, container),
    path: `${url.pathname}${url.search}`,
    headers: probeHeaders(httpHeaders),
    timeoutMs: timeoutMsOf(probe),
  };
}

// Level 3 · One probe

/**
 * Runs a probe. An application that does not answer is unhealthy. A probe that cannot be run says nothing about the
 * application, and throws.
 *
 * Upstream: kubernetes/kubernetes@v1.36.3 pkg/kubelet/prober/prober.go prober.runProbe; pkg/probe/tcp/tcp.go DoTCPProbe
 */
export async function runProbe(tools: ProbeTools, target: ProbeTarget): Promise<ProbeAnswer> {
  const { container, probe, podIP } = target;
  const { exec, httpGet, tcpSocket, grpc } = probe;
  if (exec) return runCommand(tools, target, exec.command ?? []);
  try {
    if (httpGet) return httpResult(await getURL(tools, httpRequestOf(httpGet, target), follow));
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

/** Upstream: kubernetes/kubernetes@v1.36.3 pkg/kubelet/prober/prober.go prober.newExecInContainer */
async function runCommand(
  { runtime }: ProbeTools,
  { container, containerID, probe }: ProbeTarget,
  command: readonly string[],
): Promise<ProbeAnswer> {
  const { env = [] } = container;
  // Values from `valueFrom` are not resolved: they count as empty.
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
export async function probe(
  tools: ProbeTools,
  target: ProbeTarget,
): Promise<'Success' | 'Failure' | undefined> {
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
  { network }: Pick<ProbeTools, 'network'>,
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
  { network, clock }: Pick<ProbeTools, 'network' | 'clock'>,
  { first, answer, endMs }: ProbeRedirect,
): Promise<HttpAnswer> {
  let [request, last] = [first, answer];
  for (let followed = 0; isRedirect(last); followed++) {
    const { location = '' } = last.headers;
    if (!URL.canParse(location, urlOf(request))) {
      throw new NetworkError(
        'EPROTO',
        `Get "${urlOf(request)}": failed to parse Location header "${location}"`,
      );
    }
    const next = new URL(location, urlOf(request));
    if (next.hostname !== new URL(urlOf(first)).hostname) return last;
    if (followed === REDIRECTS_MAX - 1) {
      throw new NetworkError('EPROTO', `Get "${location}": stopped after 10 redirects`);
    }
    request = {
      ...redirected(request, next, { isAbsolute: URL.canParse(location) }),
      timeoutMs: endMs - clock.now(),
    };
    last = await sendGet(network, request);
  }
  return last;
}
