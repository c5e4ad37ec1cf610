import type { Subject } from './details.ts';
import type { PlaceId } from './view.ts';

/** Something that travels between two places of the picture, or happens at one. */
export interface Message {
  /** Increases by one from message to message. */
  readonly id: number;
  /** Virtual ms since the cluster stood, at the end of its way. */
  readonly atMs: number;
  /** Virtual ms at the beginning of its way; absent if the trace does not record it. */
  readonly sinceMs?: number;
  readonly kind: /** A request to an apiserver and its answer. */
    | 'request'
    /** An event of a watch. */
    | 'event'
    /** A call on a node: container runtime, network plugin, files. */
    | 'call'
    /** A probe of a kubelet. */
    | 'probe'
    /** A packet's way, hop by hop. */
    | 'packet'
    /** A fault of the nemesis. */
    | 'fault'
    /** A log line, or an error that a component survives. */
    | 'note';
  /** The places along its way: two for a request, one for a note, several for a packet. */
  readonly way: readonly PlaceId[];
  /** `create`, `MODIFIED`, `createContainer`, `GET` */
  readonly verb: string;
  /** `pods/default/web-1` */
  readonly object?: string;
  readonly revision?: number;
  /** `ok`, or the reason of a failure. */
  readonly outcome?: string;
  readonly note?: string;
  readonly isFailure: boolean;
  /** Whether it happens all the time, and means nothing by itself: leases, node status, bookmarks. */
  readonly isBackground: boolean;
}

/** A moment of interest, a mark on the time line. */
export interface Moment {
  readonly atMs: number;
  readonly kind:
    | 'action'
    | 'pod-ready'
    | 'pod-unready'
    | 'pod-evicted'
    | 'pod-deleted'
    | 'scheduled'
    | 'rollout'
    | 'endpoints'
    | 'rules'
    | 'fault-began'
    | 'fault-ended'
    | 'node'
    | 'crash'
    | 'error';
  /** One line: `Pod web-7d4b9c-abcde is ready`. */
  readonly text: string;
  /** The object, component or node that it is about. */
  readonly subject?: Subject;
}
