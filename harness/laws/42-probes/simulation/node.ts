import { CriError, type ExecSyncResponse } from '../../../contracts/node/cri/index.ts';
import {
  type HttpAnswer,
  type HttpRequest,
  NetworkError,
  type NodeNetwork,
} from '../../../contracts/node/host.ts';
import type { Simulation } from '../../../sim/index.ts';
import type { Event, ProbeKey } from '../history.ts';
import type { Answer, Phase, Way } from '../scenario.ts';
import { type Location, type OwedCall, type PlannedPod, sayRequest } from './pods.ts';

/** A running container, from the view of its probes. */
export interface Instance {
  readonly containerID: string;
  readonly startedAtMs: number;
  readonly answers: readonly Phase[];
}

/** Options of the node. */
export interface NodeOptions {
  readonly sim: Simulation;
  readonly pods: readonly PlannedPod[];
  /** Returns the container of a probe, if it runs. */
  readonly instanceOf: (key: ProbeKey) => Instance | undefined;
  readonly record: (event: Event) => void;
}

/** One running call. */
interface Call {
  readonly number: number;
  readonly owed: OwedCall;
  readonly timeoutMs: number;
  readonly instance: Instance | undefined;
  /** The start of its probe, which may consist of several calls. */
  readonly beganMs: number;
}

type Means = Extract<Event, { kind: 'answer' }>['means'];

/** The maximum number of requests of one probe. */
const REQUESTS_MAX = 10;
/** The distance from the port of an HTTP probe to the port that `leads to another port` redirects to. */
const OTHER_PORT = 1_000;
/** The longest duration of a call. */
const FOR_EVER_MS = 30_000;

/**
 * The network and the runtime of a node for its probes. Each call takes exactly the planned time, and is recorded with
 * the expected outcome.
 */
export class ProbedNode {
  readonly #options: NodeOptions;
  #calls = 0;
  /** The probes that are following redirects: the start of each, its number of redirects, and the latest location. */
  readonly #redirects = new Map<string, Location & { readonly beganMs: number; readonly count: number }>();

  constructor(options: NodeOptions) {
    this.#options = options;
  }

  readonly network: NodeNetwork = {
    request: (request) => this.#request(request),
    connect: async ({ host, port, timeoutMs }) => {
      const owed = this.#find('tcp', host, port, `connect ${host}:${port}`);
      if (!owed) throw refused(host, port);
      const call = this.#begin(owed, { asked: `connect ${host}:${port}`, timeoutMs });
      const answer = await this.#wait(call);
      if (answer === 'success') return this.#answer(call, 'Success');
      const error =
        answer === 'late'
          ? new NetworkError('ETIMEDOUT', `dial tcp ${host}:${port}: i/o timeout`)
          : refused(host, port);
      this.#answer(call, 'Failure', error.message);
      throw error;
    },
    healthCheck: async ({ host, port, timeoutMs, service }) => {
      const asked = `check "${service}" at ${host}:${port}`;
      const owed = this.#find('grpc', host, port, asked);
      if (!owed) throw refused(host, port);
      return this.#checkHealth(this.#begin(owed, { asked, timeoutMs }), `${host}:${port}`);
    },
  };

  readonly runtime = {
    execSync: async (
      id: string,
      command: readonly string[],
      timeoutSeconds: number,
    ): Promise<ExecSyncResponse> => {
      const asked = `exec ${id} ${command.join(' ')}`;
      const owed = this.#options.pods
        .flatMap(({ calls }) => calls)
        .find(
          ({ plan, key }) =>
            plan.way === 'exec' && id.includes(`${key.pod}-${key.container}-`) && command[1] === key.type,
        );
      if (!owed) {
        this.#options.record({ kind: 'stray', asked });
        throw new CriError('NotFound', `container "${id}" not found`);
      }
      const call = this.#begin(owed, { asked, timeoutMs: timeoutSeconds * 1_000 });
      if (call.instance && `containerd://${id}` !== call.instance.containerID)
        return this.#failToRun(call, id);
      return this.#exec(call, id);
    },
  };

  async #exec(call: Call, id: string): Promise<ExecSyncResponse> {
    const answer = await this.#wait(call);
    if (answer === 'gone' || answer === 'errors') return this.#failToRun(call, id);
    if (answer === 'late') {
      const error = new CriError(
        'DeadlineExceeded',
        `failed to exec in container: timeout ${call.timeoutMs / 1_000}s exceeded`,
      );
      this.#answer(call, 'Failure', `command timed out: ${error.message}`);
      throw error;
    }
    if (answer === 'success') {
      this.#answer(call, 'Success');
      return { stdout: 'fine\n', stderr: '', exitCode: 0 };
    }
    this.#answer(call, 'Failure', 'looked\nnot well\n');
    return { stdout: 'looked\n', stderr: 'not well\n', exitCode: 1 };
  }

  #failToRun(call: Call, id: string): never {
    const error = new CriError('Unknown', `failed to exec in container ${id} (call ${call.number})`);
    this.#answer(call, 'error', error.message);
    throw error;
  }

  async #checkHealth(call: Call, address: string): Promise<'SERVING' | 'NOT_SERVING'> {
    const answer = await this.#wait(call);
    const within = `within ${call.timeoutMs / 1_000}s`;
    const fail = (error: NetworkError, says: string): never => {
      this.#answer(call, 'Failure', says);
      throw error;
    };
    switch (answer) {
      case 'success':
        this.#answer(call, 'Success');
        return 'SERVING';
      case 'late':
        return fail(
          new NetworkError('ETIMEDOUT', 'context deadline exceeded'),
          `timeout: health rpc did not complete ${within}`,
        );
      case 'knows no health': {
        const message = 'unknown service grpc.health.v1.Health';
        return fail(
          new NetworkError('UNIMPLEMENTED', message),
          `error: this server does not implement the grpc health protocol (grpc.health.v1.Health): ${message}`,
        );
      }
      case 'gone':
      case 'refuses': {
        const [host = '', port = ''] = address.split(':');
        return fail(
          refused(host, Number(port)),
          `timeout: failed to connect service "${address}" ${within}: context deadline exceeded`,
        );
      }
      default:
        this.#answer(call, 'Failure', 'service unhealthy (responded with "NOT_SERVING")');
        return 'NOT_SERVING';
    }
  }

  async #request({ scheme, host, port, path, headers, timeoutMs }: HttpRequest): Promise<HttpAnswer> {
    const url = `${scheme}://${host}:${port}${path}`;
    const asked = sayRequest({ url, headers });
    const owed = this.#find('http', host, port, asked);
    if (!owed) throw refused(host, port);
    const call = this.#begin(owed, { asked, timeoutMs, isFurther: path.startsWith('/moved') });
    const answer = await this.#wait(call, AFTER[path]);
    const fail = (error: NetworkError): never => {
      this.#answer(call, 'Failure', `Get "${url}": ${error.message}`);
      throw error;
    };
    switch (answer) {
      case 'success':
        return this.#reply(call, { url, status: path.startsWith('/moved') ? 204 : 200 });
      case 'late':
        return fail(
          new NetworkError(
            'ETIMEDOUT',
            'context deadline exceeded (Client.Timeout exceeded while awaiting headers)',
          ),
        );
      case 'gone':
      case 'refuses':
        return fail(refused(host, port));
      case 'redirects':
        return this.#reply(call, { url, status: 302, location: '/moved?to=success' });
      case 'leads to another port': {
        const scheme = url.startsWith('https') ? 'http' : 'https';
        const location = `${scheme}://${host}:${owed.port + OTHER_PORT}/moved?to=path`;
        return this.#reply(call, { url, status: 308, location });
      }
      case 'leads in circles':
        return this.#reply(call, { url, status: 307, location: `/moved?to=${call.number}` });
      case 'leads away at last': {
        const isLast = this.#redirectsOf(owed) === REQUESTS_MAX - 1;
        return this.#reply(call, { url, status: 303, location: isLast ? AWAY : `/moved?to=${call.number}` });
      }
      case 'leads away':
        return this.#reply(call, { url, status: 301, location: AWAY });
      case 'leads nowhere':
        return this.#reply(call, { url, status: 302, location: NOWHERE });
      default:
        return this.#reply(call, { url, status: 503 });
    }
  }

  #redirectsOf({ key }: OwedCall): number {
    return this.#redirects.get(JSON.stringify(key))?.count ?? 0;
  }

  #reply(
    call: Call,
    { url, status, location }: { readonly url: string; readonly status: number; readonly location?: string },
  ): HttpAnswer {
    const { owed } = call;
    const id = JSON.stringify(owed.key);
    const body = status === 200 ? 'fine' : 'sorry';
    const headers: Record<string, string> = location === undefined ? {} : { location };
    if (status >= 400) this.#answer(call, 'Failure', `HTTP probe failed with statuscode: ${status}`);
    else if (location === AWAY) {
      this.#answer(call, 'Success', `Probe terminated redirects, Response body: ${body}`, 'ProbeWarning');
    } else if (location === NOWHERE) {
      this.#answer(call, 'Failure', `Get "${url}": failed to parse Location header "${location}"`);
    } else if (location !== undefined) {
      const before = this.#redirects.get(id);
      const count = (before?.count ?? 0) + 1;
      if (count === REQUESTS_MAX)
        this.#answer(call, 'Failure', `Get "${location}": stopped after 10 redirects`);
      else {
        this.#answer(call, 'redirect');
        const hasOwnHost = before?.hasOwnHost || URL.canParse(location);
        this.#redirects.set(id, {
          beganMs: call.beganMs,
          count,
          url: new URL(location, url).href,
          hasOwnHost,
        });
      }
    } else this.#answer(call, 'Success');
    return { status, headers, body };
  }

  #find(way: Way, host: string, port: number, asked: string): PlannedPod['calls'][number] | undefined {
    const { pods, record } = this.#options;
    const pod = pods.find(({ ip }, i) => host === ip || host === `10.9.0.${i + 1}`);
    const ports = way === 'http' ? [port, port - OTHER_PORT] : [port];
    const owed = pod?.calls.find((call) => call.plan.way === way && ports.includes(call.port));
    if (!owed) record({ kind: 'stray', asked });
    return owed;
  }

  /** @param isFurther - whether the call follows a redirect */
  #begin(
    owed: OwedCall,
    {
      asked,
      timeoutMs,
      isFurther = false,
    }: { readonly asked: string; readonly timeoutMs: number; readonly isFurther?: boolean },
  ): Call {
    const { sim, record, instanceOf } = this.#options;
    const instance = instanceOf(owed.key);
    const number = ++this.#calls;
    const id = JSON.stringify(owed.key);
    if (!isFurther) this.#redirects.delete(id);
    const redirect = this.#redirects.get(id);
    const beganMs = redirect?.beganMs ?? sim.elapsedMs;
    const bare = asked.split(' ')[1] ?? '';
    const containerID = owed.plan.way === 'exec' ? `containerd://${bare}` : (instance?.containerID ?? '');
    record({
      kind: 'call',
      call: number,
      key: owed.key,
      containerID,
      wire: {
        asked,
        owed: owed.asked(containerID, redirect),
        timeoutMs,
        owedTimeoutMs: owed.plan.timeoutSeconds * 1_000 - (sim.elapsedMs - beganMs),
      },
      isFurther: redirect !== undefined,
    });
    return { number, owed, timeoutMs, instance, beganMs };
  }

  /**
   * Waits for the end of a call. `late`: the timeout of the caller was exceeded. `gone`: the container does not run any more.
   */
  async #wait(
    { instance, owed: { plan, key }, timeoutMs }: Call,
    instead?: Answer,
  ): Promise<Answer | 'late' | 'gone'> {
    const { sim, instanceOf } = this.#options;
    const limitMs = timeoutMs > 0 ? Math.min(timeoutMs, FOR_EVER_MS) : FOR_EVER_MS;
    const { gives, takesMs } = instance
      ? phaseAt(instance, sim.elapsedMs)
      : { gives: 'refuses' as const, takesMs: 0 };
    // gRPC retries the connection until its timeout.
    const isPatient = plan.way === 'grpc' && gives === 'refuses';
    const lastsMs = gives === 'hangs' || isPatient ? FOR_EVER_MS : takesMs;
    await sim.turn(Math.min(lastsMs, limitMs), 'node', `${key.type} of ${key.container}`);
    if (isPatient) return gives;
    if (!instance || instanceOf(key)?.containerID !== instance.containerID) return 'gone';
    return lastsMs >= limitMs ? 'late' : (instead ?? gives);
  }

  #answer(
    { number, owed }: Call,
    means: Means,
    says?: string,
    reason: 'Unhealthy' | 'ProbeWarning' | undefined = says === undefined ? undefined : 'Unhealthy',
  ): void {
    const { key } = owed;
    if (means !== 'redirect') this.#redirects.delete(JSON.stringify(key));
    const kind = `${key.type.charAt(0).toUpperCase()}${key.type.slice(1)} probe`;
    const how =
      means === 'error'
        ? 'errored and resulted in unknown state'
        : means === 'Success'
          ? 'warning'
          : 'failed';
    this.#options.record({
      kind: 'answer',
      call: number,
      key,
      means,
      reason,
      says: says === undefined ? undefined : `${kind} ${how}: ${says}`,
    });
  }
}

/** The location of `leads away`, and of `leads nowhere`. */
const [AWAY, NOWHERE] = ['http://example.com/', 'http://['];

/** The answers of the paths that redirects lead to, at any time. */
const AFTER: Readonly<Record<string, Answer>> = {
  '/moved?to=success': 'success',
  '/moved?to=path': 'redirects',
};

function phaseAt({ answers, startedAtMs }: Instance, nowMs: number): Pick<Phase, 'gives' | 'takesMs'> {
  let leftMs = nowMs - startedAtMs;
  for (const phase of answers) {
    if (leftMs < phase.forMs) return phase;
    leftMs -= phase.forMs;
  }
  return answers.at(-1) ?? { gives: 'success', takesMs: 0 };
}

function refused(host: string, port: number): NetworkError {
  return new NetworkError('ECONNREFUSED', `dial tcp ${host}:${port}: connect: connection refused`);
}
