import type { SchedulingTable } from '../../drawing/scheduling-table.ts';
import type { CacheView, ComponentView, NodeView, PlaceId } from './view.ts';

/** Something that the page can look into. */
export type Subject =
  /** An object by its resource (`pods`, `replicasets.apps`) and `namespace/name` or `name`; also of the past. */
  | { readonly kind: 'object'; readonly resource: string; readonly key: string }
  /** A process: `replicaset-controller`, `kubelet-node-1`. */
  | { readonly kind: 'component'; readonly name: string }
  /** `rules`: opens its rules of iptables, those that contain one of these words, divided by spaces. */
  | { readonly kind: 'node'; readonly name: string; readonly rules?: string }
  /** A message that has travelled, by its number: a request, or a packet with its way. */
  | { readonly kind: 'message'; readonly id: number }
  /** A request and its way through an apiserver, by its number. */
  | { readonly kind: 'request'; readonly number: number }
  /** A host outside, such as `laptop`. It has a menu, and nothing to look into. */
  | { readonly kind: 'host'; readonly name: string }
  /** The apiserver: its log of revisions. */
  | { readonly kind: 'apiserver'; readonly index: number };

/** The content of a subject at the present moment of the run. */
export type Details =
  | ObjectDetails
  | ComponentDetails
  | NodeDetails
  | MessageDetails
  | RequestDetails
  | ApiServerDetails;

/** An object and its history. */
export interface ObjectDetails {
  readonly kind: 'object';
  readonly resource: string;
  readonly key: string;
  /** Undefined once it is deleted. */
  readonly yaml?: string;
  /** As `kubectl describe` prints it; undefined once it is deleted. */
  readonly describe?: string;
  /** Its writes, newest first. */
  readonly revisions: readonly RevisionDetails[];
  /** Its Events, newest last. */
  readonly events: readonly EventDetails[];
  /** Objects around it: owners, dependents, its node, its Services. */
  readonly related: readonly {
    readonly relation: string;
    readonly subject: Subject;
    readonly label: string;
  }[];
}

/** One write of an object. */
export interface RevisionDetails {
  readonly revision: number;
  readonly atMs: number;
  /** The author: a process or a user. */
  readonly actor: string;
  /** `create`, `updateStatus`, `bind`, `patch`, `delete` */
  readonly verb: string;
  /** The fields that the write changed. */
  readonly changes: readonly FieldChange[];
  /** The message that is its request. Absent for writes from before the cluster stood. */
  readonly message?: number;
}

/** A changed field. */
export interface FieldChange {
  /** `spec.replicas`, `status.conditions[Ready].status` */
  readonly path: string;
  /** Absent for a new field. JSON, shortened. */
  readonly from?: string;
  /** Absent for a removed field. */
  readonly to?: string;
}

/** An Event, as `kubectl describe` lists it. */
export interface EventDetails {
  readonly atMs: number;
  readonly type: string;
  readonly reason: string;
  readonly from: string;
  readonly message: string;
  readonly count: number;
}

/** A component from within. */
export interface ComponentDetails {
  readonly kind: 'component';
  readonly component: ComponentView;
  /** The kata that builds it, `23-replicaset`. Absent for a controller that no kata builds. */
  readonly kata?: string;
  /** The answers, changes of objects, timers and events that it waits for, most urgent first. */
  readonly waitsFor: readonly Waited[];
  /** The items of its queues. */
  readonly queues: readonly {
    readonly name: string;
    readonly items: readonly string[];
    readonly processing: readonly string[];
    /** The items that are added later; without a time for a retry, because the rate limiter decides. */
    readonly later: readonly { readonly item: string; readonly atMs?: number }[];
  }[];
  readonly caches: readonly (CacheView & { readonly differences: readonly CacheDifference[] })[];
  /** Its last decisions in words, newest first. */
  readonly decisions: readonly Decision[];
  /** Pods that a controller has created or deleted, and whose events it has not received yet. */
  readonly expectations: readonly {
    readonly owner: string;
    readonly creates: number;
    readonly deletes: number;
  }[];
  /** The scheduler's tables, newest first; empty for others. `chosen`: the node that the pod was bound to. */
  readonly scheduling: readonly (SchedulingTable & { readonly chosen?: string })[];
  readonly log: readonly LogLine[];
  /** Its last requests, newest first, without leases. */
  readonly requests: readonly RequestLine[];
}

/** A request in one line. */
export interface RequestLine {
  readonly number: number;
  readonly atMs: number;
  /** `create pods in default` */
  readonly text: string;
  /** The reason of its refusal, `Forbidden`; absent for other requests. */
  readonly refusal?: string;
}

/** An act of a component in words. */
export interface Decision {
  readonly atMs: number;
  readonly text: string;
  /** The message that shows it. */
  readonly message?: number;
  /** The place of its result: the rules of a node. */
  readonly subject?: Subject;
}

/** A line of the log of a component. */
export interface LogLine {
  readonly atMs: number;
  readonly text: string;
  /** The reason why the reported error is normal. Absent for other lines. */
  readonly expected?: string;
}

/** Something that a component waits for. */
export interface Waited {
  /** The object that it is about. Absent for timers, answers and events. */
  readonly about?: { readonly subject: Subject; readonly label: string };
  /** `a pod of web-5b849857d5 to become ready (…)`, `an answer to create pods`, `web-1 again in 2.3 s` */
  readonly text: string;
}

/** An object that a cache and the server have in different versions. */
export interface CacheDifference {
  readonly key: string;
  /** Undefined if the cache does not have it. */
  readonly cached?: string;
  /** Undefined if it is deleted. */
  readonly stored?: string;
  /** The fields that differ. */
  readonly changes: readonly FieldChange[];
}

/** A node from within. */
export interface NodeDetails {
  readonly kind: 'node';
  readonly node: NodeView;
  /** As `crictl ps -a` lists them. */
  readonly containers: readonly {
    readonly id: string;
    readonly name: string;
    readonly pod: string;
    readonly image: string;
    readonly state: string;
    readonly attempt: number;
  }[];
  readonly images: readonly { readonly name: string; readonly bytes: number }[];
  readonly disk: { readonly usedBytes: number; readonly capacityBytes: number };
  /** `ip route`, line by line. */
  readonly routes: readonly string[];
  /** The chains of the table `nat` and `filter` that are not empty, as `iptables-save` prints them. */
  readonly rules: readonly string[];
  /** The files of host-local: path and content. */
  readonly allocations: readonly { readonly path: string; readonly text: string }[];
  /** The last events of the machine, newest first. */
  readonly history: readonly { readonly atMs: number; readonly text: string }[];
}

/** A message that has travelled. */
export interface MessageDetails {
  readonly kind: 'message';
  readonly atMs: number;
  readonly title: string;
  /** The way of a request through an apiserver. */
  readonly request?: RequestDetails;
  /** A request and what it changed. */
  readonly changes?: readonly FieldChange[];
  readonly subject?: Subject;
  /** A packet: its hops there and back. */
  readonly hops?: readonly HopDetails[];
  /** The end of a packet's way: `delivered to web-1`, or why it was lost. */
  readonly fate?: string;
}

/** A request and its way through an apiserver. */
export interface RequestDetails {
  readonly kind: 'request';
  readonly number: number;
  readonly atMs: number;
  /** `kubectl: create pods in default` */
  readonly title: string;
  readonly stages: readonly StageDetails[];
  /** The stages after the one that refused it. */
  readonly notReached: readonly Stage[];
}

/** The stages of a request, in their order. A write that another one overtakes begins admission again. */
export type Stage =
  | 'request info'
  | 'authentication'
  | 'impersonation'
  | 'authorization'
  | 'mutating admission'
  | 'validation'
  | 'validating admission'
  | 'storage';

/** A request at one stage. */
export interface StageDetails {
  readonly stage: Stage;
  /** `again`: another write was faster, and the request starts again. `pending`: the stage has not ended. */
  readonly verdict: 'passed' | 'refused' | 'again' | 'pending';
  /** Virtual ms since the request arrived, at the end of the stage. */
  readonly afterMs: number;
  /** The reason of the verdict, in words. */
  readonly text: string;
  /** The fields that the stage changed. */
  readonly changes?: readonly FieldChange[];
  /** The webhooks that the stage called. */
  readonly webhooks?: readonly WebhookCallDetails[];
}

/** A call of a webhook. */
export interface WebhookCallDetails {
  /** `istio/sidecar-injector.istio.io`: the configuration and the webhook */
  readonly name: string;
  readonly verdict: 'allowed' | 'denied' | 'failed';
  readonly tookMs: number;
  /** Its message, its warnings, or its error. */
  readonly text: string;
}

/** One step of a packet. */
export interface HopDetails {
  readonly direction: 'there' | 'back';
  readonly place: PlaceId;
  /** `web-0 on node-1`, `node-1` */
  readonly where: string;
  /** `route default via 10.244.1.1 dev eth0`, `PREROUTING DNAT to 10.244.2.2:80` */
  readonly what: string;
  /** `10.244.1.3:32768 → 10.96.0.10:80 tcp`, after this step. */
  readonly packet: string;
  readonly isChanged: boolean;
  /** One sentence about a step that translates an address. */
  readonly why?: string;
  /** The rules of the node that translated it. */
  readonly rules?: Subject;
}

/** The apiserver's log of revisions, newest first, without leases and heartbeats of nodes. */
export interface ApiServerDetails {
  readonly kind: 'apiserver';
  readonly index: number;
  readonly revision: number;
  readonly compactedRevision: number;
  readonly log: readonly (RevisionDetails & { readonly subject: Subject; readonly label: string })[];
  readonly watches: readonly {
    readonly actor: string;
    readonly resource: string;
    readonly revision: number;
  }[];
}
