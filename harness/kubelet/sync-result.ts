/** What was done in the course of a sync. Upstream: kubernetes/kubernetes@v1.36.3 pkg/kubelet/container/sync_result.go SyncAction */
export type SyncAction = 'StartContainer' | 'KillContainer' | 'CreatePodSandbox' | 'KillPodSandbox';

/** Something of a pod that could not be done. */
export class SyncError extends Error {
  override readonly name: string = 'SyncError';
  /** In one word, as `waiting.reason` says it: `CreateContainerError`. */
  readonly reason: string;

  /** @param message for people: `waiting.message` */
  constructor(reason: string, message: string) {
    super(message);
    this.reason = reason;
  }
}

/**
 * A container is not started yet, for it failed before. Nothing is wrong with the sync: it is done again when the time has come.
 *
 * Upstream: kubernetes/kubernetes@v1.36.3 pkg/kubelet/container/sync_result.go BackoffError
 */
export class ContainerBackOff extends SyncError {
  override readonly name = 'ContainerBackOff';
  /** When it may be started, in ms since 1970. */
  readonly untilMs: number;

  constructor(reason: string, message: string, untilMs: number) {
    super(reason, message);
    this.untilMs = untilMs;
  }
}

/** One thing that was done, or failed. */
export interface SyncResult {
  readonly action: SyncAction;
  /** The container's name, or the pod's. */
  readonly target: string;
  readonly error?: SyncError;
}

/**
 * What came of carrying out what a pod needed.
 *
 * Upstream: kubernetes/kubernetes@v1.36.3 pkg/kubelet/container/sync_result.go PodSyncResult
 */
export class PodSyncResult {
  readonly #results: SyncResult[] = [];

  get results(): readonly SyncResult[] {
    return this.#results;
  }

  /** Takes one thing more; without an error, it was done. */
  add(action: SyncAction, target: string, error?: SyncError): void {
    this.#results.push({ action, target, ...(error ? { error } : {}) });
  }

  /** Takes all that another one has. */
  addAll({ results }: PodSyncResult): void {
    this.#results.push(...results);
  }

  /** All that failed, in one; undefined when nothing did. */
  error(): SyncFailure | undefined {
    const errors = this.#results.flatMap(({ error }) => error ?? []);
    return errors.length > 0 ? new SyncFailure(errors) : undefined;
  }
}

/** All that failed in one sync. */
export class SyncFailure extends Error {
  override readonly name = 'SyncFailure';
  readonly errors: readonly SyncError[];

  constructor(errors: readonly SyncError[]) {
    super(errors.map(({ reason, message }) => `${reason}: ${message}`).join(', '));
    this.errors = errors;
  }

  /**
   * When the first of its back-offs is over, in ms since 1970; undefined when it has none.
   *
   * Upstream: kubernetes/kubernetes@v1.36.3 pkg/kubelet/container/sync_result.go MinBackoffExpiration
   */
  get untilMs(): number | undefined {
    const times = this.errors.flatMap((error) => (error instanceof ContainerBackOff ? error.untilMs : []));
    return times.length > 0 ? Math.min(...times) : undefined;
  }
}
