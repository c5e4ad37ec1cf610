import type { ClusterRun } from '../../testing/rig/play.ts';
import type { Question, ServiceState } from './oracle.ts';
import type { Place } from './simulation/network.ts';
import type { Outcome } from './simulation/probe.ts';

/** The outcomes of a question for all random choices of the rules. */
export interface Sighting {
  readonly question: Question;
  readonly outcomes: readonly Outcome[];
}

/** All questions at one time. */
export interface Look {
  readonly atMs: number;
  /**
   * `rest`: all rules must be correct. `trouble`: they were, and since then only the proxy has changed. `change`:
   * services change.
   */
  readonly during: 'rest' | 'trouble' | 'change';
  readonly sightings: readonly Sighting[];
  /** The current states of the services, and all their states since the last rest. */
  readonly states: readonly ServiceState[];
  readonly since: readonly ServiceState[];
}

/** Further observations at rest. */
export interface Rest {
  readonly atMs: number;
  readonly states: readonly ServiceState[];
  /** The probability of each endpoint for a new client. */
  readonly chances: readonly { readonly question: Question; readonly chances: ReadonlyMap<string, number> }[];
  /** The endpoints of a client that returns repeatedly. */
  readonly visits: readonly Visit[];
  /** The endpoint of a client that keeps sending datagrams; undefined if there is none. */
  readonly stream: string | undefined;
  /** All current rules. */
  readonly rules: readonly string[];
}

/** A client that has connected before. */
export interface Visit {
  readonly question: Question;
  readonly reached: string | undefined;
  /** Increases when the service changes. */
  readonly version: number;
}

/** One run of a node's rules. */
export interface ProxyHistory extends ClusterRun {
  readonly looks: readonly Look[];
  readonly rests: readonly Rest[];
  /** The addresses of the clients, and of the node itself. */
  readonly clients: Readonly<Partial<Record<Place, string>>>;
  readonly nodeIPs: readonly string[];
  /** Rules that do not belong to the proxy; each must exist exactly once at each rest. */
  readonly foreign: readonly string[];
  /** Every address that a service or a pod can have. */
  readonly known: ReadonlySet<string>;
}
