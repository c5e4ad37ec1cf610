import type { Reason } from '../api/status.ts';

/**
 * Faults as values: generated, printed and shrunk like any other data. Each fault happens in real clusters. No fault
 * reorders or repeats the events of one stream: no apiserver does that, and a kata must not teach learners to expect
 * it.
 *
 * A fault is momentary or lasts for some time. It names its target: a process, a node or a replica.
 */
export type Fault =
  /**
   * The watch cache of an apiserver replica stops. Reads are stale and watches late. Lists of the newest state wait for
   * it, up to three seconds. Then the cache catches up.
   */
  | { readonly fault: 'lag'; readonly replica: number; readonly forMs: number }
  /** An apiserver replica restarts: its watches end, and it serves no request until it is back. */
  | { readonly fault: 'restart-apiserver'; readonly replica: number; readonly forMs: number }
  /** etcd compacts its history: a watch that resumes from an older revision gets 410. Open watches continue. */
  | { readonly fault: 'compact' }
  /** The watches of the process end without an error. */
  | { readonly fault: 'cut-watches'; readonly process: string }
  /**
   * The watch events of the process are held back, in order: all of them, or those of one resource (`pods`). In a real
   * apiserver each resource has its own stream and its own cache.
   */
  | {
      readonly fault: 'delay-watches';
      readonly process: string;
      readonly forMs: number;
      readonly resource?: string;
    }
  /** The watches of the process end with an ERROR event. */
  | { readonly fault: 'fail-watches'; readonly process: string; readonly reason: WatchFailure }
  /** The next requests of the process are refused without a write. */
  | {
      readonly fault: 'refuse';
      readonly process: string;
      readonly reason: Refusal;
      readonly requests: number;
      /** Affects only requests of this verb: `bind`. @defaultValue any */
      readonly verb?: string;
    }
  /** The next request of the process times out; the server has carried it out or not. */
  | {
      readonly fault: 'time-out';
      readonly process: string;
      readonly performed: boolean;
      /** Affects only a request of this verb: `bind`. @defaultValue any */
      readonly verb?: string;
    }
  /** The process crashes at a request, after `skip` others, just before or just after the request is carried out. */
  | {
      readonly fault: 'crash';
      readonly process: string;
      readonly skip: number;
      readonly performed: boolean;
      readonly restartAfterMs: number;
    }
  /**
   * The processes of the node are disconnected from all others for some time. If the machine has its own network
   * plugins, its pods are also disconnected from all other machines.
   */
  | { readonly fault: 'partition'; readonly node: string; readonly forMs: number }
  /** The machine of the node loses power: its processes and containers die, and do not restart by themselves. */
  | { readonly fault: 'node-death'; readonly node: string }
  /** The clock of the node is set wrong, or right again. */
  | { readonly fault: 'clock-jump'; readonly node: string; readonly byMs: number }
  /** The next call of the process to this port, or to this port and verb, fails; it was carried out or not. */
  | {
      readonly fault: 'fail-call';
      readonly process: string;
      readonly port: NodePort;
      /** Affects only this verb: `createContainer`. @defaultValue any */
      readonly verb?: string;
      readonly performed: boolean;
      /** The additional time until the failure, compared with a response. @defaultValue 0 */
      readonly afterMs?: number;
    };

/**
 * The services that a process on a node calls besides the API: container runtime, network plugin, storage driver,
 * files, tools, other machines.
 */
export type NodePort = 'cri' | 'cni' | 'csi' | 'fs' | 'tools' | 'net';

/** The errors of a server that cannot continue a watch. */
export type WatchFailure = Extract<Reason, 'Expired' | 'InternalError' | 'TooManyRequests' | 'Timeout'>;

/**
 * The errors of a server that refuses a valid request. `Conflict` applies only to writes of existing objects, and
 * `Forbidden`, as by an exhausted quota, only to creates of pods.
 */
export type Refusal = Extract<
  Reason,
  'Conflict' | 'TooManyRequests' | 'InternalError' | 'ServiceUnavailable' | 'Expired' | 'Forbidden'
>;

/** A fault and its time. */
export type ScheduledFault = Fault & {
  /** The time in virtual ms since the start of the simulation. */
  readonly atMs: number;
};

/** The names of all faults, so that tests can check that each is used. A missing name does not compile. */
export const faultNames = Object.keys({
  lag: true,
  'restart-apiserver': true,
  compact: true,
  'cut-watches': true,
  'delay-watches': true,
  'fail-watches': true,
  refuse: true,
  'time-out': true,
  crash: true,
  partition: true,
  'node-death': true,
  'clock-jump': true,
  'fail-call': true,
} satisfies Record<Fault['fault'], true>) as readonly Fault['fault'][];
