import type { TerminationTurns } from '#given/41-kubelet';
import { type Clock, isSidecar, type Pod } from '#harness';

/**
 * Upstream: kubernetes/kubernetes@v1.36.3 pkg/kubelet/kuberuntime/kuberuntime_termination_order.go terminationOrdering
 */
export class TerminationOrder implements TerminationTurns {
  readonly #ends = new Map<string, { readonly done: Promise<void>; readonly end: () => void }>();
  readonly #before = new Map<string, readonly string[]>();
  readonly #clock: Clock;

  /** @param running - the names of the running containers; all others have ended */
  constructor({ spec }: Pod, running: readonly string[], clock: Clock) {
    this.#clock = clock;
    const sidecars = (spec.initContainers ?? []).filter(isSidecar).map(({ name }) => name);
    const regular = spec.containers.map(({ name }) => name);
    for (const name of running) this.#ends.set(name, ending());
    // A sidecar serves all containers, and the sidecars that start after it.
    for (const [i, name] of sidecars.entries())
      this.#before.set(name, [...regular, ...sidecars.slice(i + 1, i + 2)]);
  }

  async turn(name: string, seconds: number): Promise<number> {
    const before = (this.#before.get(name) ?? []).flatMap((each) => this.#ends.get(each)?.done ?? []);
    const startedMs = this.#clock.monotonicMs();
    const over = new AbortController();
    await Promise.race([
      Promise.all(before),
      this.#clock.sleep(seconds * 1_000, over.signal).catch(() => {}),
    ]);
    over.abort();
    return Math.floor((this.#clock.monotonicMs() - startedMs) / 1_000);
  }

  terminated(name: string): void {
    this.#ends.get(name)?.end();
  }
}

function ending(): { done: Promise<void>; end: () => void } {
  let end = (): void => {};
  const done = new Promise<void>((resolve) => {
    end = resolve;
  });
  return { done, end };
}
