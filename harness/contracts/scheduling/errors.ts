import type { Pod } from '../../api/objects.ts';
import type { Diagnosis } from '../framework/index.ts';

/**
 * No node can run the pod.
 *
 * Upstream: kubernetes/kubernetes@v1.36.3 pkg/scheduler/framework/types.go FitError
 */
export class FitError extends Error {
  override readonly name = 'FitError';
  readonly pod: Pod;
  readonly numAllNodes: number;
  readonly diagnosis: Diagnosis;

  /** @param options.message the sentence of `Filtering.fitErrorMessage` */
  constructor(options: {
    readonly pod: Pod;
    readonly numAllNodes: number;
    readonly diagnosis: Diagnosis;
    readonly message: string;
  }) {
    super(options.message);
    this.pod = options.pod;
    this.numAllNodes = options.numAllNodes;
    this.diagnosis = options.diagnosis;
  }
}

/**
 * There are no nodes at all, so no plugin has turned the pod away.
 *
 * Upstream: kubernetes/kubernetes@v1.36.3 pkg/scheduler/scheduler.go ErrNoNodesAvailable
 */
export class NoNodesAvailableError extends Error {
  override readonly name = 'NoNodesAvailableError';

  constructor() {
    super('no nodes available to schedule pods');
  }
}

/** What to say of anything thrown. */
export function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
