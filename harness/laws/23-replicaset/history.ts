import type { ReplicaSet } from '../../api/objects.ts';
import type { JournalEntry } from '../../cluster/journal.ts';
import type { Client } from '../../contracts/client.ts';

/** A request that the controller made, other than to tell of events. */
export interface ControllerRequest {
  /** Which life of the controller asked: the first, the second. */
  readonly life: number;
  readonly sentMs: number;
  readonly verb: keyof Client;
  /** The resource's plural. */
  readonly resource: string;
  /** The name of what it was about; absent where it has none yet. */
  readonly name?: string;
  /** The uid of the ReplicaSet that a pod was to be created for. */
  readonly owner?: string;
  /** When the answer came; absent when none did. */
  answeredMs?: number;
  /** What the answer was, when it was no success. */
  error?: unknown;
  /** In the order in which things happened: requests and answers are numbered together. */
  readonly sentAs: number;
  answeredAs?: number;
}

/** One life of a controller among users, nodes and a nemesis: everything that laws are read off. */
export interface ReplicaSetHistory {
  /** Every write of the cluster. */
  readonly journal: readonly JournalEntry[];
  readonly requests: readonly ControllerRequest[];
  readonly knowledge: Knowledge;
  /** When faults, users and nodes had done their worst. */
  readonly healedMs: number;
  /** When everything was as it should be and nothing was under way; absent when that never came. */
  readonly restedMs: number | undefined;
  /** The ReplicaSets that were left when it had rested, or nobody would wait any longer; and when that was. */
  readonly left: readonly ReplicaSet[];
  readonly leftMs: number;
  /** From ms since the cluster began to ms since 1970. */
  readonly epochMs: number;
  /** Equal for equal runs. */
  readonly hash: string;
  /** The whole of it, drawn. */
  timeline(): readonly string[];
}

/** What the controller can have known when. */
export interface Knowledge {
  /**
   * How much the controller had been told when it began what it was about at `atMs`: whatever it does there, it does it
   * on a view that is at least as new.
   */
  at(atMs: number): Known;
  /** How often it was told something from the one time to the other, both included. */
  heard(fromMs: number, toMs: number): number;
}

export interface Known {
  /** When this life of the controller began. */
  readonly bornMs: number;
  /** When it began what it is about: everything since then was asked for without a pause. */
  readonly sinceMs: number;
  /** The newest revision that it had been told of by then, of each resource; 0 when it had not been told anything. */
  readonly pods: number;
  readonly replicaSets: number;
}
