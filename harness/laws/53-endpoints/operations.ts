import type { Fault } from '../../faults/index.ts';

/** The processes of the controllers, as faults, trace and journal name them. */
export const SLICES = 'endpointslice-controller';
export const ENDPOINTS = 'endpoints-controller';

/** The namespace of all objects. */
export const NAMESPACE = 'default';

/** The maximum number of endpoints in a slice: small, so that there are soon several slices. */
export const MAX_ENDPOINTS_PER_SLICE = 3;

/** The possible Services. All of them select pods with the label `app: web`; `admin` also requires `tier: admin`. */
export const serviceNames = ['web', 'admin', 'peers'] as const;
export type ServiceName = (typeof serviceNames)[number];

/** The nodes. `node-3` joins later. */
export const nodeNames = ['node-1', 'node-2', 'node-3'] as const;
export type NodeName = (typeof nodeNames)[number];

/** An event, some time after the event before. */
export type Step = { readonly afterMs: number } & (Operation | { readonly strike: Fault });

/** The properties of a new pod. */
export interface PodMade {
  readonly tier: 'web' | 'admin' | 'other';
  readonly node: NodeName;
  /** The number of the TCP port with the name `http`; 0: only a UDP port has that name. */
  readonly http: 8080 | 9090 | 0;
  readonly ready: boolean;
  /** Does it reuse the address of a terminated or terminating pod, if there is one? */
  readonly reuses: boolean;
  /** Does it have its own DNS name below `peers`? */
  readonly named: boolean;
}

/** An operation of another client. `pod` and `slice` are numbers that pick one of the suitable objects. */
export type Operation =
  /** A user creates a Service; does nothing if it exists. */
  | {
      readonly do: 'serve';
      readonly service: ServiceName;
      readonly unready: boolean;
      readonly distribution?: 'PreferSameZone' | 'PreferSameNode';
    }
  | { readonly do: 'unserve'; readonly service: ServiceName }
  /** A user deletes the Service and recreates it immediately. */
  | { readonly do: 'remake'; readonly service: ServiceName }
  /** A user changes the labels of the Service. */
  | { readonly do: 'label'; readonly service: ServiceName; readonly as: string }
  /** A user changes the preferred origin of traffic. */
  | {
      readonly do: 'distribute';
      readonly service: ServiceName;
      readonly as?: 'PreferClose' | 'PreferSameNode';
    }
  /** A pod is created, and a kubelet runs it. */
  | ({ readonly do: 'run' } & PodMade)
  /** A kubelet toggles the readiness of a pod. */
  | { readonly do: 'flip'; readonly pod: number; readonly times: number }
  /** A kubelet reports that a pod has terminated, which may make it unready. */
  | {
      readonly do: 'end';
      readonly pod: number;
      readonly phase: 'Succeeded' | 'Failed';
      readonly unready: boolean;
    }
  /** A user deletes a pod: it gets a deletion timestamp. */
  | { readonly do: 'delete'; readonly pod: number }
  /** A kubelet removes a deleted pod; or a pod disappears. */
  | { readonly do: 'reap' }
  | { readonly do: 'vanish'; readonly pod: number }
  /** A user changes the labels that select a pod. */
  | { readonly do: 'relabel'; readonly pod: number; readonly tier: PodMade['tier'] }
  /** A pod changes in a way that does not matter to Services. */
  | { readonly do: 'annotate'; readonly pod: number }
  /** A missing node joins. */
  | { readonly do: 'join' }
  /** A user deletes a slice, clears it, or assigns it to another Service. */
  | { readonly do: 'meddle'; readonly slice: number; readonly how: 'delete' | 'empty' | 'unready' | 'give' }
  /** A user deletes Endpoints. */
  | { readonly do: 'forget'; readonly service: ServiceName }
  /** The garbage collector removes the slices of deleted Services. */
  | { readonly do: 'collect' };
