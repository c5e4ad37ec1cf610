import type { Pod } from '../../../api/objects.ts';
import type { JournalEntry } from '../../../cluster/journal.ts';
import type { ObjectHistories } from '../../../testing/rig/object-history.ts';
import type { Observations } from '../../../testing/rig/observations.ts';
import type { ClusterRun } from '../../../testing/rig/play.ts';
import type { RecordedRequest } from '../../../testing/rig/recorder.ts';
import type { KubeletScenario, PodPlan } from '../scenario/index.ts';
import type { MachineHistory } from './machine.ts';

/** A call of the kubelet to the container runtime. */
export interface RuntimeCall {
  /** `stopContainer`. */
  readonly verb: string;
  /** The first argument if it is an id; for a new sandbox, the uid of its pod. */
  readonly id: string;
  /** Grace period of a stopContainer. */
  readonly timeoutSeconds?: number;
  readonly incarnation: number;
  readonly sentMs: number;
  /** Time of the answer; absent if none came. */
  answeredMs?: number;
  /** The error, if the call failed. */
  error?: unknown;
}

/** One run of the kubelet's process. */
export interface Incarnation {
  readonly bornMs: number;
  /** `Infinity` for the incarnation that runs in the end. */
  readonly diedMs: number;
}

/** A SIGTERM to the program of a container, or the command of its preStop hook. */
export interface StopSignal {
  readonly containerId: string;
  readonly atMs: number;
}

/** The record of one run of a kubelet and its machine, which the laws read. */
export interface KubeletHistory extends ClusterRun {
  /** Name of the kubelet's process. */
  readonly process: string;
  readonly scenario: KubeletScenario;
  readonly pods: ObjectHistories<Pod>;
  /** The plan of each pod, by uid. */
  readonly plans: ReadonlyMap<string, PodPlan>;
  readonly machine: MachineHistory;
  /** Requests of the kubelet to the API, except those for events. */
  readonly requests: readonly RecordedRequest[];
  /** Calls of the kubelet to the runtime. */
  readonly calls: readonly RuntimeCall[];
  /** The pods that the kubelet had observed at each time. */
  readonly observed: Observations<'pods'>;
  /** Each SIGTERM to a program. */
  readonly signals: readonly StopSignal[];
  /** Each command of a preStop hook that ran. */
  readonly hooks: readonly StopSignal[];
  /** The pod's address in the environment of a container, by its ID; only for plans with `knowsAddress`. */
  readonly addresses: ReadonlyMap<string, string>;
  /** IDs of containers whose programs ended by themselves, after SIGTERM or without it. */
  readonly endedThemselves: ReadonlySet<string>;
  /** When the node's network had no configuration. */
  readonly networkLosses: readonly { readonly fromMs: number; readonly toMs: number }[];
  /** UIDs of the pods that have a directory on the node in the end. */
  readonly directories: readonly string[];
  /** Times when the environment killed containers: OOM kills and power failures. */
  readonly violentMs: readonly number[];
  /** The incarnations of the kubelet, in order: it restarts after a crash. */
  readonly incarnations: readonly Incarnation[];
  /** The writes of the kubelet to pods. */
  readonly writes: readonly JournalEntry<Pod>[];
  /** Whether the run has faults other than crashes of programs and of the kubelet. */
  readonly hasFaults: boolean;
  /** End of the last effect of a fault; -1 for a run without faults. */
  readonly wellMs: number;
  /** End of the faults. */
  readonly healedMs: number;
  /** Time when the node reached its desired state; undefined if it never did. */
  readonly restedMs: number | undefined;
  /** The last period, without operations. */
  readonly quietMs: { readonly from: number; readonly to: number };
  /** Time when the kubelet's signal was aborted. */
  readonly stoppedMs: number;
}
