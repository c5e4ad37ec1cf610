import type { TraceEntry } from '../../sim/index.ts';
import type { RequestRecorder } from './recorder.ts';

/** The records of a run from which the laws derive the view of one component. */
export interface Recorded {
  readonly trace: readonly TraceEntry[];
  /** The requests of the component. */
  readonly recorder: Pick<RequestRecorder, 'requests' | 'sinceMs'>;
  /** The longest latency of a message. */
  readonly latencyMs: number;
}
