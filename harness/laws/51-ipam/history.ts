import type { NetworkPlan } from './networks.ts';
import type { IpamScenario } from './scenario.ts';

/** A process of the plugin. */
export interface Run {
  /** Unique in its history; processes begin in this order. */
  readonly number: number;
  readonly command: 'ADD' | 'DEL' | 'CHECK' | 'GC' | 'STATUS';
  /** Index in the scenario. */
  readonly network: number;
  /** The attachment: `pod-1`, or `pod-1 net1`. Empty for GC and STATUS. */
  readonly container: string;
  readonly asksFor?: readonly string[] | undefined;
  /** Of a GC: the attachments that are valid; undefined when it is not told. */
  readonly valid?: readonly string[];
}

/** What a process said in the end. */
export interface Answer {
  readonly code: number;
  readonly stdout: string;
}

/** The files of a network, by name. */
export type Directory = Readonly<Record<string, { readonly text: string; readonly mode: number }>>;

/** One thing that happened. */
export type HistoryEntry = { readonly atMs: number } & (
  | { readonly kind: 'begins' | 'dies'; readonly run: Run }
  | { readonly kind: 'ends'; readonly run: Run; readonly answer: Answer }
  /** The power was cut, and all processes died. */
  | { readonly kind: 'cut' }
  | { readonly kind: 'disk'; readonly full: boolean }
  /** Another program has left this file, which says nothing or something odd. */
  | { readonly kind: 'left'; readonly network: number; readonly name: string; readonly text: string }
  /** From now on the network is configured so. */
  | { readonly kind: 'configured'; readonly network: number; readonly plan: NetworkPlan }
  /** No process runs: what is on disk, by network and name. */
  | { readonly kind: 'rest'; readonly disk: readonly Directory[] }
  /** Nothing can happen any more, and this process has not ended. */
  | { readonly kind: 'stuck'; readonly run: Run }
);

/** An entry before it has a time. */
export type Event = HistoryEntry extends infer E ? (E extends HistoryEntry ? Omit<E, 'atMs'> : never) : never;

/** One life of the plugin on a node. */
export interface IpamHistory {
  readonly entries: readonly HistoryEntry[];
  readonly scenario: IpamScenario;
  /** Equal for equal runs. */
  readonly hash: string;
  /** The whole of it, drawn. */
  timeline(): readonly string[];
}
