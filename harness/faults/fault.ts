import type { Reason } from '../api/status.ts';

/**
 * Faults as values: generated, printed and shrunk like any other data. Each does only what happens to real
 * clusters. None of them reorders or repeats the events of one stream, because no apiserver does that, and a kata
 * must not teach to expect it.
 *
 * A disturbance of one moment or of some time. Its target is named: a process, a node, a replica.
 */
export type Fault =
  /**
   * An apiserver replica's watch cache stands still: stale reads, late watches, and lists of the newest state wait for it, up to
   * three seconds; then it catches up.
   */
  | { readonly fault: 'lag'; readonly replica: number; readonly forMs: number }
  /** An apiserver replica restarts: every watch that it serves ends, and no request is served while it is away. */
  | { readonly fault: 'restart-apiserver'; readonly replica: number; readonly forMs: number }
  /** etcd forgets the past: a watch that resumes from before gets 410. Watches that are open go on. */
  | { readonly fault: 'compact' }
  /** The process's watches break off, without a word. */
  | { readonly fault: 'cut-watches'; readonly process: string }
  /**
   * What the process's watches bring is held back, in order: all of them, or those of one resource, `pods`. Each resource
   * has a stream, and in a real apiserver a cache, of its own.
   */
  | {
      readonly fault: 'delay-watches';
      readonly process: string;
      readonly forMs: number;
      readonly resource?: string;
    }
  /** The process's watches end with an ERROR event. */
  | { readonly fault: 'fail-watches'; readonly process: string; readonly reason: WatchFailure }
  /** The process's next requests are refused; nothing is written. */
  | {
      readonly fault: 'refuse';
      readonly process: string;
      readonly reason: Refusal;
      readonly requests: number;
      /** Only requests of this verb: `bind`. @defaultValue any */
      readonly verb?: string;
    }
  /** The process's next request gets no answer in time; the server did, or did not, do what was asked. */
  | {
      readonly fault: 'time-out';
      readonly process: string;
      readonly performed: boolean;
      /** Only a request of this verb: `bind`. @defaultValue any */
      readonly verb?: string;
    }
  /** The process dies at its next request but `skip`, just before or just after it is carried out. */
  | {
      readonly fault: 'crash';
      readonly process: string;
      readonly skip: number;
      readonly performed: boolean;
      readonly restartAfterMs: number;
    }
  /**
   * The node's processes reach no other, and none reaches them; then it is over. Where the machine has network plugins of its own,
   * nor do its pods reach any other machine.
   */
  | { readonly fault: 'partition'; readonly node: string; readonly forMs: number }
  /** The node's machine loses its power: its processes and its containers die, and do not come back by themselves. */
  | { readonly fault: 'node-death'; readonly node: string }
  /** The node's clock is set wrong, or right. */
  | { readonly fault: 'clock-jump'; readonly node: string; readonly byMs: number }
  /** The process's next call of this port, or of this port and verb, fails; it was carried out, or was not. */
  | {
      readonly fault: 'fail-call';
      readonly process: string;
      readonly port: NodePort;
      /** `createContainer`. @defaultValue any */
      readonly verb?: string;
      readonly performed: boolean;
      /** How much longer than an answer the failure takes. @defaultValue 0 */
      readonly afterMs?: number;
    };

/** What a process on a node calls besides the API: container runtime, network plugin, storage driver, files, tools, other machines. */
export type NodePort = 'cri' | 'cni' | 'csi' | 'fs' | 'tools' | 'net';

/** How a server ends a watch that it cannot go on with. */
export type WatchFailure = Extract<Reason, 'Expired' | 'InternalError' | 'TooManyRequests' | 'Timeout'>;

/**
 * How a server refuses a request for no fault of the request's. `Conflict` is what writes are refused with; `Forbidden`,
 * as by a quota that is used up, what creates of pods are.
 */
export type Refusal = Extract<
  Reason,
  'Conflict' | 'TooManyRequests' | 'InternalError' | 'ServiceUnavailable' | 'Expired' | 'Forbidden'
>;

/** A fault and when it strikes. */
export type ScheduledFault = Fault & {
  /** Virtual ms since the simulation began. */
  readonly atMs: number;
};

/** Every name of a fault, so that tests can ask whether each of them is used. One that is missing does not compile. */
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
