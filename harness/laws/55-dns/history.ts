import type { DnsMessage, DnsQuestion } from '../../contracts/dns.ts';
import type { ClusterRun } from '../../testing/rig/play.ts';

/** One answer of the name server. */
export interface Answered {
  readonly atMs: number;
  /** The revision of the storage at the time of the question. */
  readonly revision: number;
  /** The revision of the apiserver that was farthest behind when this incarnation of the name server began. */
  readonly floor: number;
  /** Whether the name server reported right before that it had synced. */
  readonly hasSynced: boolean;
  readonly question: DnsQuestion;
  /** Undefined when another plugin must answer. */
  readonly message: DnsMessage | undefined;
}

/** One run of a name server, with crashes, until the cluster is quiescent. */
export interface DnsHistory extends ClusterRun {
  /** In order. */
  readonly answers: readonly Answered[];
  /** The answers at the end, by {@link questionText}, including the answers to follow-up questions. */
  readonly end: ReadonlyMap<string, Answered>;
  readonly endMs: number;
}

/** `web.default.svc.cluster.local. A`. */
export function questionText({ name, type }: DnsQuestion): string {
  return `${name} ${type}`;
}
