import type { DnsMessage, DnsQuestion } from '../../contracts/dns.ts';
import type { ClusterRun } from '../../testing/rig/play.ts';

/** One answer of the name server. */
export interface Answered {
  readonly atMs: number;
  /** What storage had reached when it was asked. */
  readonly revision: number;
  /** What the apiserver that is farthest behind had reached when this life of the name server began. */
  readonly floor: number;
  /** Whether the name server said that it had seen everything, right before. */
  readonly hasSynced: boolean;
  readonly question: DnsQuestion;
  /** Undefined when another plugin is to answer. */
  readonly message: DnsMessage | undefined;
}

/** One life of a name server, through crashes, until all is quiet. */
export interface DnsHistory extends ClusterRun {
  /** In order. */
  readonly answers: readonly Answered[];
  /** What it answers when all is quiet, by {@link questionText}; and to what follows from these answers. */
  readonly end: ReadonlyMap<string, Answered>;
  readonly endMs: number;
}

/** `web.default.svc.cluster.local. A`. */
export function questionText({ name, type }: DnsQuestion): string {
  return `${name} ${type}`;
}
