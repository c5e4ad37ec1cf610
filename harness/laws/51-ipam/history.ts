import type { IpamScenario } from './scenario/index.ts';
import type { NetworkPlan } from './scenario/networks.ts';

/** A process of the plugin. */
export interface Run {
  /** Unique in its history, and ascending by start. */
  readonly number: number;
  readonly command: 'ADD' | 'DEL' | 'CHECK' | 'GC' | 'STATUS';
  /** Index in the scenario. */
  readonly network: number;
  /** The attachment: `pod-1`, or `pod-1 net1`. Empty for GC and STATUS. */
  readonly container: string;
  readonly asksFor?: readonly string[] | undefined;
  /** For a GC, the valid attachments; undefined if the runtime sends no list. */
  readonly valid?: readonly string[];
}

/** Exit code and standard output of a process. */
export interface Answer {
  readonly code: number;
  readonly stdout: string;
}

/** The files of a network, by name. */
export type Directory = Readonly<Record<string, { readonly text: string; readonly mode: number }>>;

/** An event of a history. */
export type HistoryEntry = { readonly atMs: number } & (
  | { readonly kind: 'begins' | 'dies'; readonly run: Run }
  | { readonly kind: 'ends'; readonly run: Run; readonly answer: Answer }
  /** A power cut: all processes died. */
  | { readonly kind: 'cut' }
  /** `fails`: it is not only full, but every system call for its files can fail. @defaultValue false */
  | { readonly kind: 'disk'; readonly full: boolean; readonly fails?: boolean }
  /** Another program left this file, which is empty or invalid. */
  | { readonly kind: 'left'; readonly network: number; readonly name: string; readonly text: string }
  /** The configuration of the network changed. */
  | { readonly kind: 'configured'; readonly network: number; readonly plan: NetworkPlan }
  /** No process runs; the files on disk, by network and name. */
  | { readonly kind: 'rest'; readonly disk: readonly Directory[] }
  /** The simulation has no further event, but this process has not ended. */
  | { readonly kind: 'stuck'; readonly run: Run }
);

/** An entry without its time. */
export type Event = HistoryEntry extends infer E ? (E extends HistoryEntry ? Omit<E, 'atMs'> : never) : never;

/** The record of one run of a scenario. */
export interface IpamHistory {
  readonly entries: readonly HistoryEntry[];
  readonly scenario: Pick<IpamScenario, 'networks' | 'steps'>;
  /** Equal for equal runs. */
  readonly hash: string;
  /** Renders all entries. */
  timeline(): readonly string[];
}
