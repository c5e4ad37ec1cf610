import type { KubeObject } from '../../api/objects.ts';
import type { Resource } from '../../api/resource.ts';
import { sameResource } from '../../apiserver/storage/storage.ts';
import type { JournalEntry } from '../../cluster/journal.ts';
import type { StruckFault } from '../../faults/nemesis.ts';
import type { MachineEvent } from '../../node/history.ts';
import type { TraceEntry } from '../../sim/index.ts';
import type { ClusterRun } from '../../testing/rig/play.ts';
import type { RecordedRequest, RequestRecorder } from '../../testing/rig/recorder.ts';
import type { ClusterScenario } from './scenario.ts';

/** An attempt of a client to open a connection to a Service. */
export interface Exchange {
  readonly service: string;
  /** The address and the port of the Service: `10.96.0.80:80`. */
  readonly to: string;
  /** The machine of the client. */
  readonly node: string;
  /** The name of the client's pod; absent for a program of the machine itself. */
  readonly pod?: string;
  readonly atMs: number;
  /** The reason why the connection failed; absent if it was opened. */
  readonly failure?: string;
  /** The end of the way of its first packet: `web-0 on node-1`. */
  readonly reached: string;
}

/** The start of an incarnation of a process. */
export interface Start {
  readonly process: string;
  readonly atMs: number;
}

/** The record of the life of a whole cluster. Times are virtual ms. */
export interface ClusterHistory extends ClusterRun {
  readonly scenario: ClusterScenario;
  readonly trace: readonly TraceEntry[];
  /** The requests of each process to the API, by the name of the process. */
  readonly recorders: ReadonlyMap<string, RequestRecorder>;
  readonly starts: readonly Start[];
  /** The faults that struck. */
  readonly struck: readonly StruckFault[];
  /** The events of each machine, by the name of its node. */
  readonly machines: ReadonlyMap<string, readonly MachineEvent[]>;
  readonly exchanges: readonly Exchange[];
  /** The records of the observers, by the name of their kata. */
  readonly observed: ReadonlyMap<string, unknown>;
  /** The state of the cluster at the end, as each kata saw it. */
  readonly inspected: ReadonlyMap<string, unknown>;
  /** When all nodes were ready for the first time; undefined if that never happened. */
  readonly bornMs: number | undefined;
  /** When the last step was complete, and all faults had ended. */
  readonly healedMs: number;
  /** Since when everything has been as the users asked; undefined if that never happened. */
  readonly restedMs: number | undefined;
  /** The last differences from the users' wishes, as sentences. */
  readonly unmet: readonly string[];
  readonly endMs: number;
  /** The objects at the end. */
  left<T extends KubeObject>(resource: Resource<T>): readonly T[];
}

/** Returns the writes of a resource, oldest first. */
export function entriesOf<T extends KubeObject>(
  { journal }: Pick<ClusterHistory, 'journal'>,
  resource: Resource<T>,
): readonly JournalEntry<T>[] {
  return journal.filter((entry): entry is JournalEntry<never> => sameResource(entry.resource, resource));
}

/** Returns the requests of a process; none if it never ran. */
export function requestsOf({ recorders }: ClusterHistory, process: string): readonly RecordedRequest[] {
  return recorders.get(process)?.requests ?? [];
}

/** A time in which faults hinder a process, a node or everything. */
interface Disturbance {
  readonly fromMs: number;
  readonly toMs: number;
}

/** The target of a fault: a process, with its node if it runs on one. */
interface Subject {
  readonly process: string;
  readonly node?: string;
}

/** The longest time after a fault until its effects on a client of the API have ended: a request that gets no answer. */
const AFTER_FAULT_MS = 130_000;

const disturbances = new WeakMap<ClusterHistory, Map<string, readonly Disturbance[]>>();

/** Returns whether the clock of a machine was ever wrong. */
export function isClockWrong({ struck }: ClusterHistory, node: string): boolean {
  return struck.some(({ fault }) => fault.fault === 'clock-jump' && fault.node === node && fault.byMs !== 0);
}

/** Returns since when no fault has hindered the process; infinite if one does at this time. */
export function undisturbedSinceMs(history: ClusterHistory, subject: Subject, atMs: number): number {
  const known = disturbances.get(history) ?? new Map<string, readonly Disturbance[]>();
  disturbances.set(history, known);
  const all = known.get(subject.process) ?? disturbancesOf(history, subject);
  known.set(subject.process, all);
  let sinceMs = 0;
  for (const { fromMs, toMs } of all) {
    if (fromMs > atMs) continue;
    if (toMs > atMs) return Number.POSITIVE_INFINITY;
    sinceMs = Math.max(sinceMs, toMs);
  }
  return sinceMs;
}

/** Returns since when no fault has hindered the process, until the end. Its first start is not a fault. */
export function calmSinceMs(history: ClusterHistory, subject: Subject): number {
  const [first] = history.starts.filter(({ process }) => process === subject.process);
  const isFirst = ({ fromMs }: Disturbance): boolean => fromMs === first?.atMs;
  const faults = disturbancesOf(history, subject).filter((each) => !isFirst(each));
  return Math.max(history.bornMs ?? 0, ...faults.map(({ toMs }) => toMs));
}

function disturbancesOf(
  { starts, struck, healedMs }: ClusterHistory,
  { process, node }: Subject,
): readonly Disturbance[] {
  const births = starts.flatMap((start) => (start.process === process ? [start.atMs] : []));
  const faults = struck.flatMap(({ fault, atMs, endedMs, untilMs }): readonly Disturbance[] => {
    if ('process' in fault && fault.process !== process) return [];
    if ('node' in fault && fault.node !== node) return [];
    // Repairs a clock, or changes nothing.
    if (fault.fault === 'clock-jump' && fault.byMs === 0) return [];
    const overMs = endedMs ?? untilMs ?? healedMs;
    return [{ fromMs: atMs, toMs: overMs + AFTER_FAULT_MS }];
  });
  return [...births.map((atMs) => ({ fromMs: atMs, toMs: atMs + AFTER_FAULT_MS })), ...faults];
}
