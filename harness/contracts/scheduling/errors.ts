import type { Pod } from '../../api/objects.ts';
import type { Diagnosis } from '../framework/index.ts';

/**
 * The pod fits on no node.
 *
 * Upstream: kubernetes/kubernetes@v1.36.3 pkg/scheduler/framework/types.go FitError
 */
export class FitError extends Error {
  override readonly name = 'FitError';
  readonly pod: Pod;
  readonly numAllNodes: number;
  readonly diagnosis: Diagnosis;

  /** @param options.message the result of `Filtering.fitErrorMessage` */
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
 * The cluster has no nodes, so no plugin has rejected the pod.
 *
 * Upstream: kubernetes/kubernetes@v1.36.3 pkg/scheduler/scheduler.go ErrNoNodesAvailable
 */
export class NoNodesAvailableError extends Error {
  override readonly name = 'NoNodesAvailableError';

  constructor() {
    super('no nodes available to schedule pods');
  }
}

/** Returns the message of a thrown value. */
export function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
