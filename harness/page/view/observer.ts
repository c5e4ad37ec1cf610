import type { Cluster } from '../../cluster/cluster.ts';
import type { Components } from '../../contracts/component.ts';
import type { Attempt } from '../../node/network/stack/connection.ts';
import type { Details, Subject } from '../protocol/details.ts';
import type { Message, Moment } from '../protocol/message.ts';
import type { Happening } from '../protocol/run-service.ts';
import type { ClusterView, Owner } from '../protocol/view.ts';
import type { RequestLog } from './request-log.ts';

/** Options of an observer. */
export interface ObserverOptions {
  /** The elapsed time of the simulation when the cluster stood: 0 in all views. @defaultValue the present time */
  readonly zeroMs?: number;
  /** Returns whose code a part runs. @defaultValue the reference's */
  readonly ownerOf?: (part: keyof Components) => Owner;
  /** Returns the text of `kubectl describe` for an object. @defaultValue none */
  readonly describe?: (resource: string, key: string) => Promise<string | undefined>;
  /** The requests to the apiservers of the cluster. @defaultValue none are known */
  readonly requests?: RequestLog;
}

/**
 * Observes one cluster for the page. It never changes a run or its trace: runs with and without an observer are equal.
 * The cluster must keep its whole journal and trace.
 *
 * All calls read the present state. Call them between two steps of the simulation.
 */
export interface ClusterObserver extends Disposable {
  /** Returns the cluster now. If nothing has changed since the last call, it returns the same object. */
  view(): ClusterView;
  /**
   * Returns the messages since the last call, oldest first: requests, events, calls, probes, packets, faults and notes.
   * The first message has the number 0.
   */
  newMessages(): readonly Message[];
  /**
   * Returns the moments of interest since the last call, oldest first. Moments of the kind `action` are the caller's.
   */
  newMoments(): readonly Moment[];
  /** Returns the number of a packet's message; undefined for packets of long ago. */
  messageOf(packet: Attempt): number | undefined;
  /** Looks into something. Undefined if it does not exist and never did. */
  inspect(subject: Subject): Promise<Details | undefined>;
  /**
   * Returns the acts of the components around a moment, oldest first: a second before it and a second after it. If
   * there are none, it returns the last acts before.
   */
  around(atMs: number): readonly Happening[];
}

/** Starts to observe a cluster. Dispose of the observer before another run begins. */
export type ObserveCluster = (cluster: Cluster, options?: ObserverOptions) => ClusterObserver;
