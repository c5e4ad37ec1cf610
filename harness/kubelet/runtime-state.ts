import type * as cri from '../contracts/node/cri/index.ts';
import type { Clock } from '../sim/index.ts';
import type { Pleg } from './pleg.ts';

/** Upstream: kubernetes/kubernetes@v1.36.3 pkg/kubelet/kubelet.go updateRuntimeUp, maxWaitForContainerRuntime */
const PERIOD_MS = 5_000;
const THRESHOLD_MS = 30_000;

/** Dependencies of {@link RuntimeState}. */
interface RuntimeStateOptions {
  readonly runtime: Pick<cri.RuntimeService, 'status'>;
  readonly pleg: Pick<Pleg, 'healthError'>;
  readonly clock: Clock;
  readonly signal: AbortSignal;
}

/**
 * The availability of the runtime, checked every five seconds.
 *
 * Upstream: kubernetes/kubernetes@v1.36.3 pkg/kubelet/runtime.go runtimeState
 */
export class RuntimeState {
  readonly #options: RuntimeStateOptions;
  #lastGoodMs: number | undefined;
  #conditions: readonly cri.RuntimeCondition[] = [];
  readonly #bornMs: number;

  constructor(options: RuntimeStateOptions) {
    this.#options = options;
    this.#bornMs = options.clock.monotonicMs();
  }

  /** Checks the runtime until the signal is aborted. Never rejects. */
  async run(): Promise<void> {
    const { runtime, clock, signal } = this.#options;
    while (!signal.aborted) {
      try {
        this.#conditions = await runtime.status();
        if (this.#isTrue('RuntimeReady')) this.#lastGoodMs = clock.monotonicMs();
      } catch {
        // A runtime that does not answer counts as down after the threshold.
      }
      await clock.sleep(PERIOD_MS, signal).catch(() => {});
    }
  }

  /** Whether the state is known: the runtime has answered, or has been silent for longer than the threshold. */
  get isKnown(): boolean {
    return this.#lastGoodMs !== undefined || this.#options.clock.monotonicMs() - this.#bornMs > THRESHOLD_MS;
  }

  /** Returns why the kubelet cannot work on any pod. */
  runtimeErrors(): readonly string[] {
    const { clock, pleg } = this.#options;
    if (this.#lastGoodMs === undefined) return ['container runtime status check may not have completed yet'];
    return [
      ...(clock.monotonicMs() - this.#lastGoodMs > THRESHOLD_MS ? ['container runtime is down'] : []),
      ...[pleg.healthError()]
        .filter((error) => error !== undefined)
        .map((error) => `PLEG is not healthy: ${error}`),
      ...this.#failing('RuntimeReady', 'container runtime not ready'),
    ];
  }

  /** Returns why no pod can get a network. */
  networkErrors(): readonly string[] {
    return this.#failing('NetworkReady', 'container runtime network not ready');
  }

  #isTrue(type: cri.RuntimeCondition['type']): boolean {
    return this.#conditions.some((condition) => condition.type === type && condition.status);
  }

  #failing(of: cri.RuntimeCondition['type'], what: string): readonly string[] {
    return this.#conditions.flatMap(({ type, status, reason, message }) =>
      type === of && !status ? [`${what}: ${type}=${status} reason:${reason} message:${message}`] : [],
    );
  }
}
