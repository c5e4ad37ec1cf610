import type * as core from '#api/core/v1';
import type { Pod } from '../api/objects.ts';
import type { EventRecorder } from '../contracts/event-recorder.ts';
import type * as cri from '../contracts/node/cri/index.ts';
import { type HttpRequest, NetworkError, type NodeNetwork } from '../contracts/node/index.ts';
import type { Clock } from '../sim/index.ts';
import { formatPod } from './containers.ts';
import { criId } from './runtime-pods.ts';

/** The timeout of an HTTP hook. Upstream has none of its own and relies on the connection. */
const HTTP_TIMEOUT_MS = 30_000;

/** Dependencies of lifecycle hooks. */
interface LifecycleHandlersOptions {
  readonly runtime: Pick<cri.RuntimeService, 'execSync'>;
  readonly network: NodeNetwork;
  readonly clock: Clock;
  readonly recorder: EventRecorder;
  /** Returns the current address of a pod. @throws Error when the pod has none */
  readonly podIPOf: (pod: Pod) => Promise<string>;
}

/** A hook and its container. */
interface LifecycleHook {
  readonly pod: Pod;
  readonly container: core.Container;
  /** The ID as in the container's status. */
  readonly containerID: string;
  readonly handler: core.LifecycleHandler;
}

/**
 * Runs `postStart` and `preStop` hooks.
 *
 * Upstream: kubernetes/kubernetes@v1.36.3 pkg/kubelet/lifecycle/handlers.go handlerRunner
 */
export class LifecycleHandlers {
  readonly #options: LifecycleHandlersOptions;

  constructor(options: LifecycleHandlersOptions) {
    this.#options = options;
  }

  /**
   * Runs a hook to its end. Exec and sleep hooks have no timeout.
   *
   * @throws Error when the hook fails, with a message for the container's status
   */
  async run(hook: LifecycleHook): Promise<void> {
    const { pod, container, handler } = hook;
    const { exec, httpGet, sleep } = handler;
    const failed = (what: string, error: unknown): Error =>
      new Error(
        `${what} for Container "${container.name}" in Pod "${formatPod(pod)}" failed - error: ${error instanceof Error ? error.message : error}`,
      );
    if (exec) {
      const { command = [] } = exec;
      await this.#exec(hook, command).catch((error: unknown) => {
        throw failed(`Exec lifecycle hook ([${command.join(' ')}])`, error);
      });
    } else if (httpGet) {
      await this.#httpGet(hook, httpGet).catch((error: unknown) => {
        throw failed(`HTTP lifecycle hook (${httpGet.path ?? ''})`, error);
      });
    } else if (sleep) await this.#options.clock.sleep(sleep.seconds * 1_000);
    else throw new Error('Cannot run handler: invalid handler');
  }

  async #exec({ containerID }: LifecycleHook, command: readonly string[]): Promise<void> {
    const { stdout, stderr, exitCode } = await this.#options.runtime.execSync(criId(containerID), command, 0);
    if (exitCode === 0) return;
    throw new Error(
      `command '${command.join(' ')}' exited with ${exitCode}: ${stderr}, message: ${JSON.stringify(stdout + stderr)}`,
    );
  }

  /**
   * Sends the request of a hook. Any response is a success. If a server does not support TLS, the request is repeated
   * without it.
   */
  async #httpGet({ pod, container }: LifecycleHook, get: core.HTTPGetAction): Promise<void> {
    const { network, recorder, podIPOf } = this.#options;
    const host = get.host || (await podIPOf(pod));
    const port = portOf(get.port, container);
    const headers = Object.fromEntries(
      (get.httpHeaders ?? []).map(({ name, value }) => [name.toLowerCase(), value]),
    );
    const request: HttpRequest = {
      host,
      port,
      scheme: get.scheme === 'HTTPS' ? 'https' : 'http',
      method: 'GET',
      path: get.path?.startsWith('/') ? get.path : `/${get.path ?? ''}`,
      headers: { accept: '*/*', 'user-agent': 'kube-lifecycle/1.36', ...headers },
      timeoutMs: HTTP_TIMEOUT_MS,
    };
    try {
      await network.request(request);
    } catch (error) {
      if (request.scheme !== 'https' || !(error instanceof NetworkError && error.code === 'EPROTO'))
        throw error;
      const { authorization: _, ...plain } = request.headers;
      await network.request({ ...request, scheme: 'http', headers: plain });
      recorder.event(
        pod,
        'Warning',
        'LifecycleHTTPFallback',
        `request to HTTPS lifecycle hook ${host}:${port} got HTTP response, retry with HTTP succeeded`,
      );
    }
  }
}

function portOf(port: string | number, container: core.Container): number {
  const number =
    typeof port === 'number'
      ? port
      : (container.ports ?? []).find(({ name }) => name === port)?.containerPort;
  const found = number ?? Number.parseInt(String(port), 10);
  if (found > 0 && found < 65_536) return found;
  throw new Error(`invalid port number: ${port}`);
}
