import type { Pod, Service } from '../../api/objects.ts';
import type { ObjectHistories } from '../../testing/rig/object-history.ts';
import type { Observed } from '../../testing/rig/observations.ts';
import type { ClusterRun } from '../../testing/rig/play.ts';
import type { Wrong } from './oracle.ts';

/** One life of the two controllers, until all is quiet, and a little after. */
export interface EndpointsHistory extends ClusterRun {
  readonly pods: ObjectHistories<Pod>;
  readonly services: ObjectHistories<Service>;
  /** What the slices' controller had been told for certain when it began what it did at `atMs`. */
  toldAt(atMs: number): Observed<'pods' | 'services'>;
  /** When everything was as it should be; absent when that never came. */
  readonly restedMs: number | undefined;
  /** What was not as it should be when the time to wait was over. */
  readonly left: {
    readonly slices: readonly Wrong[];
    readonly endpoints: readonly Wrong[];
    readonly atMs: number;
  };
  /** When both controllers had been started again, after the rest. */
  readonly restartedMs: number;
  /** What became of one pod when all was quiet; absent when there was none. */
  readonly epilogue?: Epilogue;
}

/** One pod becomes unready while all is quiet. */
export interface Epilogue {
  readonly pod: string;
  readonly fromMs: number;
  /** How many Services show the pod. */
  readonly services: number;
}
