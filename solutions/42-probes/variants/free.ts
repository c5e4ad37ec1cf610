import { sayHealthError, urlOf } from '#given/42-probes';
import {
  containerReference,
  type core,
  cri,
  expand,
  type HttpRequest,
  NetworkError,
  type NewProbeManager,
  type Pod,
  type ProbeManagerOptions,
  type ProbeResult,
  type ProbeType,
  shouldAllContainersRestart,
  shouldRestart,
} from '#harness';

/** A probe and its state. */
interface Entry {
  readonly pod: Pod;
  readonly container: core.Container;
  readonly type: ProbeType;
  readonly spec: core.Probe;
  readonly isSidecar: boolean;
  id: string;
  result: ProbeResult | undefined;
  failures: number;
  successes: number;
  isDecided: boolean;
  isBusy: boolean;
  isOver: boolean;
  /** Whether a tick must follow the running probe. */
  isLate: boolean;
  isWanted: boolean;
  hasBegun: boolean;
  nextMs: number;
  cancel: () => void;
}

const INITIAL = { liveness: 'Success', readiness: 'Failure', startup: 'Unknown' } as const;
const TYPES = ['liveness', 'readiness', 'startup'] as const;

/** The whole probe manager in one place: a table of records, with a timer for each. */
export const newProbeManager: NewProbeManager = (options) => {
  const { clock, random, signal, onUpdate, statusOf } = options;
  const bornMs = clock.now();
  const records = new Map<string, Entry[]>();
  signal.addEventListener('abort', () => {
    for (const uid of records.keys()) forget(uid);
  });

  const find = (uid: string, name: string, type: ProbeType) =>
    records.get(uid)?.find((one) => !one.isOver && one.container.name === name && one.type === type);
  const all = () => [...records.values()].flat();

  function forget(uid: string): void {
    for (const one of records.get(uid) ?? []) end(one);
    records.delete(uid);
  }

  function end(one: Entry): void {
    one.isOver = true;
    one.result = undefined;
    one.cancel();
  }

  function learn(one: Entry, result: ProbeResult): void {
    if (one.isOver || one.result === result) return;
    one.result = result;
    onUpdate({ podUID: one.pod.metadata.uid, containerID: one.id, type: one.type, result });
  }

  function arm(one: Entry, ms: number): void {
    one.cancel();
    one.nextMs = clock.now() + ms;
    one.cancel = clock.after(ms, () => onTimer(one));
  }

  function onTimer(one: Entry): void {
    arm(one, periodMs(one));
    if (one.isBusy) one.isLate = true;
    else tick(one);
  }

  const periodMs = ({ spec }: Entry): number => (spec.periodSeconds ?? 10) * 1_000;

  function tick(one: Entry): void {
    one.hasBegun = true;
    const status = statusOf(one.pod.metadata.uid);
    if (status?.phase === 'Failed' || status?.phase === 'Succeeded') {
      end(one);
      return;
    }
    const seen = [...(status?.containerStatuses ?? []), ...(status?.initContainerStatuses ?? [])].find(
      ({ name, containerID }) => name === one.container.name && containerID,
    );
    if (!seen) return;
    const isOld = isOlder(seen);
    if (seen.containerID !== one.id) {
      Object.assign(one, { id: seen.containerID, result: undefined, isDecided: false });
      if (!isOld) learn(one, INITIAL[one.type]);
      else if (one.isSidecar && one.type === 'startup' && seen.started) learn(one, 'Success');
    }
    if (one.isDecided || one.isOver) return;
    const { running, terminated } = seen.state ?? {};
    const { spec = { containers: [] }, metadata } = one.pod;
    if (!running) {
      learn(one, 'Failure');
      const isGone = terminated && !shouldRestart(one.container, spec, terminated.exitCode);
      if (isGone && !shouldAllContainersRestart(spec, status)) end(one);
      return;
    }
    if (metadata.deletionTimestamp && one.type !== 'readiness') {
      learn(one, 'Success');
      end(one);
      return;
    }
    const sinceMs = clock.now() - Date.parse(running.startedAt ?? '');
    if (sinceMs < (one.spec.initialDelaySeconds ?? 0) * 1_000) return;
    if ((one.type === 'startup') === (seen.started === true)) return;
    one.isBusy = true;
    void ask(one, status?.podIP ?? '').then((isWell) => {
      one.isBusy = false;
      if (one.isOver) return;
      if (isWell !== undefined) weigh(one, isWell);
      if (one.isWanted) rush(one);
      else if (one.isLate) tick(one);
      one.isLate = false;
    });
  }

  function weigh(one: Entry, isWell: boolean): void {
    one.failures = isWell ? 0 : one.failures + 1;
    one.successes = isWell ? one.successes + 1 : 0;
    const { failureThreshold = 3, successThreshold = 1 } = one.spec;
    if (isWell ? one.successes < successThreshold : one.failures < failureThreshold) return;
    if (one.type === 'startup' || (one.type === 'liveness' && !isWell)) {
      Object.assign(one, { isDecided: true, failures: 0, successes: 0 });
    }
    learn(one, isWell ? 'Success' : 'Failure');
  }

  /** Runs a tick now, or as soon as possible. */
  function rush(one: Entry): void {
    one.isWanted = one.isBusy;
    if (one.isBusy || !one.hasBegun) return;
    arm(one, periodMs(one));
    clock.after(0, () => {
      if (!one.isOver && !one.isBusy) tick(one);
    });
  }

  async function ask(one: Entry, podIP: string): Promise<boolean | undefined> {
    const title = `${one.type.slice(0, 1).toUpperCase()}${one.type.slice(1)} probe`;
    const tell = (reason: string, text: string): void =>
      options.recorder.event(
        containerReference(one.pod, one.container.name),
        'Warning',
        reason,
        `${title} ${text}`,
      );
    let why: unknown;
    for (const _ of [1, 2, 3]) {
      try {
        const [isWell, text, isOdd = false] = await askOnce(options, one, podIP);
        if (isOdd) tell('ProbeWarning', `warning: ${text}`);
        else if (!isWell) tell('Unhealthy', `failed: ${text}`);
        return isWell;
      } catch (error) {
        why = error instanceof Error ? error.message : error;
      }
    }
    tell('Unhealthy', `errored and resulted in unknown state: ${why}`);
    return undefined;
  }

  function isOlder({ state }: core.ContainerStatus): boolean {
    return Date.parse(state?.running?.startedAt ?? '') < bornMs - 10_000;
  }

  const sidecars = ({ spec }: Pod) =>
    (spec?.initContainers ?? []).filter(({ restartPolicy }) => restartPolicy === 'Always');

  function judge(pod: Pod, seen: core.ContainerStatus): { started: boolean; ready: boolean } {
    const { name, containerID = '', state } = seen;
    const known = (type: ProbeType): ProbeResult | undefined => manager.result(type, containerID);
    if (!state?.running) return { started: false, ready: false };
    const startup = known('startup');
    const started = startup
      ? startup === 'Success'
      : seen.started === true || !find(pod.metadata.uid, name, 'startup');
    if (!started) return { started, ready: false };
    const readiness = known('readiness');
    const worker = find(pod.metadata.uid, name, 'readiness');
    if (readiness === 'Success') return { started, ready: true };
    if (worker) rush(worker);
    const spec = [...(pod.spec?.containers ?? []), ...sidecars(pod)].find((one) => one.name === name);
    if (!readiness && isOlder(seen) && spec?.readinessProbe) {
      return {
        started,
        ready: pod.status?.conditions?.find(({ type }) => type === 'Ready')?.status === 'True',
      };
    }
    return { started, ready: !worker };
  }

  const manager: ReturnType<NewProbeManager> = {
    addPod(pod) {
      const { uid } = pod.metadata;
      if (signal.aborted || records.has(uid)) return;
      const made: Entry[] = [];
      for (const container of [...(pod.spec?.containers ?? []), ...sidecars(pod)]) {
        for (const type of TYPES) {
          const spec = container[`${type}Probe`];
          if (!spec) continue;
          const isSidecar = sidecars(pod).includes(container);
          const flags = { isDecided: false, isBusy: false, isOver: false, isLate: false, isWanted: false };
          made.push({
            pod,
            container,
            type,
            spec,
            isSidecar,
            id: '',
            result: undefined,
            failures: 0,
            successes: 0,
            ...flags,
            hasBegun: false,
            nextMs: 0,
            cancel: () => {},
          });
        }
      }
      records.set(uid, made);
      for (const one of made) {
        const isYoung = clock.now() - bornMs < periodMs(one);
        arm(one, isYoung ? Math.floor(random.float() * periodMs(one)) : 0);
      }
    },
    stopLivenessAndStartup({ metadata }) {
      for (const one of records.get(metadata.uid) ?? []) {
        if (!one.isSidecar && one.type !== 'readiness') end(one);
      }
    },
    removePod({ metadata }) {
      forget(metadata.uid);
    },
    cleanupPods(desired) {
      for (const uid of [...records.keys()]) if (!desired.has(uid)) forget(uid);
    },
    result(type, containerID) {
      return all().find((one) => !one.isOver && one.type === type && one.id === containerID)?.result;
    },
    updatePodStatus(pod, status) {
      const names = new Set(sidecars(pod).map(({ name }) => name));
      const apps = status?.containerStatuses?.map((seen) => ({ ...seen, ...judge(pod, seen) }));
      const inits = status?.initContainerStatuses?.map((seen) => {
        if (names.has(seen.name)) return { ...seen, ...judge(pod, seen) };
        const { running, terminated } = seen.state ?? {};
        return { ...seen, started: running !== undefined, ready: terminated?.exitCode === 0 };
      });
      return {
        ...status,
        ...(apps && { containerStatuses: apps }),
        ...(inits && { initContainerStatuses: inits }),
      };
    },
  };
  return manager;
};

/** Whether the container is healthy, the text of the answer, and whether a healthy answer needs a warning. */
type Answer = readonly [isWell: boolean, text: string, isOdd?: boolean];

async function askOnce(
  { runtime, network, clock }: ProbeManagerOptions,
  { container, spec, id }: Entry,
  podIP: string,
): Promise<Answer> {
  const { exec, httpGet, tcpSocket, grpc, timeoutSeconds = 1 } = spec;
  const timeoutMs = timeoutSeconds * 1_000;
  const where = (port: string | number): number => {
    const found = container.ports?.find(({ name }) => name === port)?.containerPort ?? Number(port);
    if (found > 0 && found < 65_536) return found;
    throw new Error(`invalid port number: ${port}`);
  };
  if (exec) {
    const values = new Map(container.env?.map(({ name, value = '' }) => [name, value]));
    const command = (exec.command ?? []).map((word) => expand(word, (name) => values.get(name)));
    try {
      const { exitCode, stdout, stderr } = await runtime.execSync(
        id.split('://')[1] ?? '',
        command,
        timeoutSeconds,
      );
      return [exitCode === 0, (stdout + stderr).slice(0, 10_240)];
    } catch (error) {
      if (error instanceof cri.CriError && error.code === 'DeadlineExceeded') {
        return [false, `command timed out: ${error.message}`];
      }
      throw error;
    }
  }
  let url = '';
  try {
    if (tcpSocket) {
      await network.connect({ host: tcpSocket.host || podIP, port: where(tcpSocket.port), timeoutMs });
      return [true, ''];
    }
    if (grpc) {
      const health = await network.healthCheck({
        host: podIP,
        port: grpc.port,
        service: grpc.service ?? '',
        timeoutMs,
      });
      return [health === 'SERVING', `service unhealthy (responded with "${health}")`];
    }
    if (!httpGet) throw new Error(`missing probe handler for ${container.name}`);
    const endMs = clock.now() + timeoutMs;
    const path = new URL(httpGet.path ?? '/', 'http://pod');
    let request: HttpRequest = {
      scheme: httpGet.scheme === 'HTTPS' ? 'https' : 'http',
      method: 'GET',
      host: httpGet.host || podIP,
      port: where(httpGet.port),
      path: path.pathname + path.search,
      headers: headersOf(httpGet.httpHeaders ?? []),
      timeoutMs,
    };
    for (let nth = 1; ; nth++) {
      url = `Get "${urlOf(request)}": `;
      const { status, headers, body } = await network.request({ ...request, timeoutMs: endMs - clock.now() });
      const next = [301, 302, 303, 307, 308].includes(status) && headers.location;
      if (next && !URL.canParse(next, urlOf(request)))
        return [false, `${url}failed to parse Location header "${next}"`];
      const to = next ? new URL(next, urlOf(request)) : undefined;
      if (!next || !to || to.hostname !== new URL(urlOf(request)).hostname) {
        if (status < 200 || status > 399) return [false, `HTTP probe failed with statuscode: ${status}`];
        return status < 300
          ? [true, body]
          : [true, `Probe terminated redirects, Response body: ${body.slice(0, 10_240)}`, true];
      }
      if (nth === 10) return [false, `Get "${next}": stopped after 10 redirects`];
      const scheme = to.protocol === 'https:' ? 'https' : 'http';
      const { host: _, ...others } = request.headers;
      request = {
        ...request,
        scheme,
        port: Number(to.port || (scheme === 'https' ? 443 : 80)),
        path: to.pathname + to.search,
        headers: URL.canParse(next) ? others : request.headers,
      };
    }
  } catch (error) {
    if (!(error instanceof NetworkError)) throw error;
    if (grpc) return [false, sayHealthError(error, { host: podIP, port: grpc.port, timeoutMs })];
    return [false, url + error.message];
  }
}

function headersOf(given: readonly core.HTTPHeader[]): Record<string, string> {
  const headers: Record<string, string> = { 'user-agent': 'kube-probe/1.36', accept: '*/*' };
  const seen = new Set<string>();
  for (const { name, value } of given) {
    const key = name.toLowerCase();
    headers[key] = seen.has(key) ? `${headers[key]}, ${value}` : value;
    seen.add(key);
  }
  for (const key of ['user-agent', 'accept', 'host']) if (headers[key] === '') delete headers[key];
  return headers;
}
