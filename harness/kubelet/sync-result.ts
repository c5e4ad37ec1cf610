/** An action of a sync. Upstream: kubernetes/kubernetes@v1.36.3 pkg/kubelet/container/sync_result.go SyncAction */
type SyncAction = 'StartContainer' | 'KillContainer' | 'CreatePodSandbox' | 'KillPodSandbox';

/** A failed action of a sync. */
export class SyncError extends Error {
  override readonly name: string = 'SyncError';
  /** The reason as in `waiting.reason`: `CreateContainerError`. */
  readonly reason: string;

  /** @param message human-readable, for `waiting.message` */
  constructor(reason: string, message: string) {
    super(message);
    this.reason = reason;
  }
}

/**
 * A container is in back-off after a failure. The sync itself is fine; it is repeated when the back-off ends.
 *
 * Upstream: kubernetes/kubernetes@v1.36.3 pkg/kubelet/container/sync_result.go BackoffError
 */
export class ContainerBackOff extends SyncError {
  override readonly name = 'ContainerBackOff';
  /** The earliest time of the next start, in ms since 1970. */
  readonly untilMs: number;

  constructor(reason: string, message: string, untilMs: number) {
    super(reason, message);
    this.untilMs = untilMs;
  }
}

/** The result of one action. */
interface SyncResult {
  readonly action: SyncAction;
  /** The name of the container or of the pod. */
  readonly target: string;
  readonly error?: SyncError;
}

/**
 * The results of the actions of a sync.
 *
 * Upstream: kubernetes/kubernetes@v1.36.3 pkg/kubelet/container/sync_result.go PodSyncResult
 */
export class PodSyncResult {
  readonly #results: SyncResult[] = [];

  get results(): readonly SyncResult[] {
    return this.#results;
  }

  /** Adds the result of an action; without an error, it succeeded. */
  add(action: SyncAction, target: string, error?: SyncError): void {
    this.#results.push({ action, target, ...(error ? { error } : {}) });
  }

  /** Adds all results of another sync. */
  addAll({ results }: PodSyncResult): void {
    this.#results.push(...results);
  }

  /** Returns all failures as one error; undefined if no action failed. */
  error(): SyncFailure | undefined {
    const errors = this.#results.flatMap(({ error }) => error ?? []);
    return errors.length > 0 ? new SyncFailure(errors) : undefined;
  }
}

/** All failures of one sync. */
export class SyncFailure extends Error {
  override readonly name = 'SyncFailure';
  readonly errors: readonly SyncError[];

  constructor(errors: readonly SyncError[]) {
    super(errors.map(({ reason, message }) => `${reason}: ${message}`).join(', '));
    this.errors = errors;
  }

  /**
   * The earliest end of its back-offs, in ms since 1970; undefined if it has none.
   *
   * Upstream: kubernetes/kubernetes@v1.36.3 pkg/kubelet/container/sync_result.go MinBackoffExpiration
   */
  get untilMs(): number | undefined {
    const times = this.errors.flatMap((error) => (error instanceof ContainerBackOff ? error.untilMs : []));
    return times.length > 0 ? Math.min(...times) : undefined;
  }
}
