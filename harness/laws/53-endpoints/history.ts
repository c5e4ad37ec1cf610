import type { Pod, Service } from '../../api/objects.ts';
import type { ObjectHistories } from '../../testing/rig/object-history.ts';
import type { Observed } from '../../testing/rig/observations.ts';
import type { ClusterRun } from '../../testing/rig/play.ts';
import type { Wrong } from './oracle.ts';

/** One run of the two controllers, until they are quiescent, and a little longer. */
export interface EndpointsHistory extends ClusterRun {
  readonly pods: ObjectHistories<Pod>;
  readonly services: ObjectHistories<Service>;
  /** The maximum number of endpoints in a slice. */
  readonly endpointsMax: number;
  /** Returns the revision that the slices' controller had certainly observed when it began the request of `atMs`. */
  observedAt(atMs: number): Observed<'pods' | 'services'>;
  /** When all objects were correct; undefined if that never happened. */
  readonly restedMs: number | undefined;
  /** The objects that were still wrong at the deadline. */
  readonly left: {
    readonly slices: readonly Wrong[];
    readonly endpoints: readonly Wrong[];
    readonly atMs: number;
  };
  /** The outcome for one pod in the quiescent state; undefined without a pod. */
  readonly epilogue?: Epilogue;
}

/** One pod becomes unready in the quiescent state. */
export interface Epilogue {
  readonly pod: string;
  readonly fromMs: number;
  /** The number of Services with the pod as an endpoint. */
  readonly services: number;
}
