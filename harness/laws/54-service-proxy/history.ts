import type { ClusterRun } from '../../testing/rig/play.ts';
import type { Place } from './network.ts';
import type { Question, ServiceState } from './oracle.ts';
import type { Outcome } from './probe.ts';

/** What became of a question, each way that rules may take. */
export interface Sighting {
  readonly question: Question;
  readonly outcomes: readonly Outcome[];
}

/** All questions asked at one time. */
export interface Look {
  readonly atMs: number;
  /**
   * `rest`: all is to be in order. `trouble`: it was, and since then nothing has changed but the proxy. `change`: services change.
   */
  readonly during: 'rest' | 'trouble' | 'change';
  readonly sightings: readonly Sighting[];
  /** Services as they were at the time, and all states they had since there was rest. */
  readonly states: readonly ServiceState[];
  readonly since: readonly ServiceState[];
}

/** What else is looked at when there is rest. */
export interface Rest {
  readonly atMs: number;
  readonly states: readonly ServiceState[];
  /** How probable each endpoint is for a new client. */
  readonly chances: readonly { readonly question: Question; readonly chances: ReadonlyMap<string, number> }[];
  /** Where a client came to that comes again and again. */
  readonly visits: readonly Visit[];
  /** Where datagrams end that a client has been sending all the time; undefined if nowhere. */
  readonly stream: string | undefined;
  /** All rules that there are. */
  readonly rules: readonly string[];
}

/** A client that has been there before. */
export interface Visit {
  readonly question: Question;
  readonly reached: string | undefined;
  /** Grows when something about the service changes. */
  readonly version: number;
}

/** One life of a node's rules. */
export interface ProxyHistory extends ClusterRun {
  readonly looks: readonly Look[];
  readonly rests: readonly Rest[];
  /** The addresses of the clients, and those of the node itself. */
  readonly clients: Readonly<Record<Place, string>>;
  readonly nodeIPs: readonly string[];
  /** Rules that are none of the proxy's; each has to be there at each rest, once. */
  readonly foreign: readonly string[];
}
