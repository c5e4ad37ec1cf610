import type { Fault } from '../../faults/index.ts';

/** The processes that the controllers run in, as faults, trace and journal know them. */
export const SLICES = 'endpointslice-controller';
export const ENDPOINTS = 'endpoints-controller';

/** Where everything happens. */
export const NAMESPACE = 'default';

/** How many endpoints a slice may hold here: so few that there are soon several slices. */
export const MAX_ENDPOINTS_PER_SLICE = 3;

/** Services that there may be. All of them select the pods that are labelled `app: web`; `admin` those with `tier: admin`. */
export const serviceNames = ['web', 'admin', 'peers'] as const;
export type ServiceName = (typeof serviceNames)[number];

/** The nodes. `node-3` is not there in the beginning. */
export const nodeNames = ['node-1', 'node-2', 'node-3'] as const;
export type NodeName = (typeof nodeNames)[number];

/** Something that happens, some time after what happened before. */
export type Step = { readonly afterMs: number } & (Operation | { readonly strike: Fault });

/** How a pod is made. */
export interface PodMade {
  readonly tier: 'web' | 'admin' | 'other';
  readonly node: NodeName;
  /** The number of the port that it calls `http`; 0: it has none of that name. */
  readonly http: 8080 | 9090 | 0;
  readonly ready: boolean;
  /** Does it get the address of a pod that has ended, or is about to, if there is one? */
  readonly reuses: boolean;
  /** Is it known by its own name below `peers`? */
  readonly named: boolean;
}

/** What another client does. `pod` and `slice` pick one of those that it can be done to, whatever number it is. */
export type Operation =
  /** A user; nothing if it is there. */
  | {
      readonly do: 'serve';
      readonly service: ServiceName;
      readonly unready: boolean;
      readonly distribution?: 'PreferSameZone' | 'PreferSameNode';
    }
  | { readonly do: 'unserve'; readonly service: ServiceName }
  /** A user deletes the Service and makes another one at once. */
  | { readonly do: 'remake'; readonly service: ServiceName }
  /** A user gives the Service other labels. */
  | { readonly do: 'label'; readonly service: ServiceName; readonly as: string }
  /** A user changes from where endpoints are best reached. */
  | {
      readonly do: 'distribute';
      readonly service: ServiceName;
      readonly as?: 'PreferClose' | 'PreferSameNode';
    }
  /** A pod comes, and a kubelet runs it. */
  | ({ readonly do: 'run' } & PodMade)
  /** A kubelet: a pod that was ready is not, or the other way round. */
  | { readonly do: 'flip'; readonly pod: number; readonly times: number }
  /** A kubelet: a pod has ended for good, and may become unready by that. */
  | {
      readonly do: 'end';
      readonly pod: number;
      readonly phase: 'Succeeded' | 'Failed';
      readonly unready: boolean;
    }
  /** A user deletes a pod: it is marked. */
  | { readonly do: 'delete'; readonly pod: number }
  /** A kubelet: what was marked is gone; or a pod vanishes. */
  | { readonly do: 'reap' }
  | { readonly do: 'vanish'; readonly pod: number }
  /** A user changes what selects a pod. */
  | { readonly do: 'relabel'; readonly pod: number; readonly tier: PodMade['tier'] }
  /** A pod changes in a way that is nothing to Services. */
  | { readonly do: 'annotate'; readonly pod: number }
  /** A node comes that was not there. */
  | { readonly do: 'join' }
  /** A user deletes a slice, or what it holds, or gives it to another Service. */
  | { readonly do: 'meddle'; readonly slice: number; readonly how: 'delete' | 'empty' | 'unready' | 'give' }
  /** A user deletes Endpoints. */
  | { readonly do: 'forget'; readonly service: ServiceName }
  /** The garbage collector removes the slices of Services that have gone. */
  | { readonly do: 'collect' };
