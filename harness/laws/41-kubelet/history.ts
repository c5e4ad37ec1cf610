import type { Pod } from '../../api/objects.ts';
import type { JournalEntry } from '../../cluster/journal.ts';
import type { ObjectHistories } from '../../testing/rig/object-history.ts';
import type { Observations } from '../../testing/rig/observations.ts';
import type { ClusterRun } from '../../testing/rig/play.ts';
import type { RecordedRequest } from '../../testing/rig/recorder.ts';
import type { MachineHistory } from './machine-history.ts';
import type { KubeletScenario, PodPlan } from './scenario.ts';

/** A call that the kubelet made to the container runtime. */
export interface RuntimeCall {
  /** `stopContainer`. */
  readonly verb: string;
  /** The first argument, if it is an id; of what is made, the uid of its pod. */
  readonly id: string;
  /** Of a stop: how long the container may take. */
  readonly timeoutSeconds?: number;
  readonly incarnation: number;
  readonly sentMs: number;
  /** When the answer came; absent when none did. */
  answeredMs?: number;
  /** What the answer was, when it was no success. */
  error?: unknown;
}

/** A time in which a kubelet lived. */
export interface Incarnation {
  readonly bornMs: number;
  /** `Infinity` for one that lives in the end. */
  readonly diedMs: number;
}

/** When a program in a container was asked to stop. */
export interface StopSignal {
  readonly containerId: string;
  readonly atMs: number;
}

/** One life of a kubelet and of its machine, among users, pods and a nemesis: everything that laws are read off. */
export interface KubeletHistory extends ClusterRun {
  readonly scenario: KubeletScenario;
  readonly pods: ObjectHistories<Pod>;
  /** What each pod was made like, by its uid. */
  readonly plans: ReadonlyMap<string, PodPlan>;
  readonly machine: MachineHistory;
  /** What the kubelet asked the API for itself, other than to tell of events. */
  readonly requests: readonly RecordedRequest[];
  /** What the kubelet asked of the runtime. */
  readonly calls: readonly RuntimeCall[];
  /** What the kubelet had been told of pods when. */
  readonly told: Observations<'pods'>;
  /** When programs were asked to stop. */
  readonly signals: readonly StopSignal[];
  /** The ids of the containers whose programs ended by themselves, asked or not. */
  readonly endedThemselves: ReadonlySet<string>;
  /** When something else than the kubelet killed what runs: for want of memory, or of power. */
  readonly violentMs: readonly number[];
  /** The lives of the kubelet, in turn: it is started again after a crash. */
  readonly incarnations: readonly Incarnation[];
  /** The writes of the kubelet to pods. */
  readonly writes: readonly JournalEntry<Pod>[];
  /** Does anything go wrong that is no operation of a user, a program or a kubelet that dies? */
  readonly hasFaults: boolean;
  /** From when on nothing that went wrong has an effect any more: -1 for a life in which nothing does. */
  readonly wellMs: number;
  /** When the faults were over. */
  readonly healedMs: number;
  /** When all was as it is to be; absent when that never came. */
  readonly restedMs: number | undefined;
  /** From when on nothing was done any more, and until when. */
  readonly quietMs: { readonly from: number; readonly to: number };
  /** When the kubelet was told to stop for good. */
  readonly stoppedMs: number;
}
