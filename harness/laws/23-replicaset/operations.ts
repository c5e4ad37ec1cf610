import type { Fault } from '../../faults/index.ts';

/** The process of the controller, in faults, trace and journal. */
export const PROCESS = 'replicaset-controller';

/** The namespace of all objects. */
export const NAMESPACE = 'default';

/**
 * The names of the ReplicaSets. `web` selects `app: web`; `canary` selects `app: web, track: canary`, so `web` also selects the pods of
 * `canary`.
 */
export type SetName = 'web' | 'canary';

/** The containers of a pod: two app containers, a sidecar, and an init container that has ended. */
export type ContainerName = 'web' | 'log' | 'proxy' | 'setup';

/** An operation or a fault, some time after the previous step. */
export type Step = { readonly afterMs: number } & (Operation | { readonly strike: Fault });

/** An operation of the environment. `pod` is an index, modulo the number of suitable pods. */
export type Operation =
  /** A user scales a ReplicaSet, if it exists. */
  | { readonly do: 'scale'; readonly set: SetName; readonly replicas: number }
  /** A user deletes a ReplicaSet: `Background` removes it at once, the others leave it terminating for the garbage collector. */
  | { readonly do: 'delete'; readonly set: SetName; readonly how: 'Background' | 'Foreground' | 'Orphan' }
  /** A user creates a ReplicaSet, unless it exists. */
  | { readonly do: 'create'; readonly set: SetName; readonly replicas: number }
  /** A user deletes a pod: it is removed at once if it has no node or by force; otherwise it terminates until it is reaped. */
  | { readonly do: 'kill'; readonly pod: number; readonly force?: boolean }
  /** A user changes the labels of a pod, so that no ReplicaSet, only `web`, or both select it. */
  | { readonly do: 'relabel'; readonly pod: number; readonly to: 'nothing' | SetName }
  /** A user changes the labels of all terminating pods, so that no ReplicaSet selects them. */
  | { readonly do: 'relabel-the-going' }
  /** A user removes the owners of a pod, which is still selected. */
  | { readonly do: 'free'; readonly pod: number }
  /** A user removes the owners and labels of a pod together, so that it belongs to no ReplicaSet. */
  | { readonly do: 'detach'; readonly pod: number }
  /** A user deletes a pod by force, and creates another with its name, without a controller and not selected. */
  | { readonly do: 'replace'; readonly pod: number }
  /** A user creates a selected pod without a controller; a node is among its owners. */
  | { readonly do: 'orphan'; readonly of: SetName }
  /** A user creates a selected pod with another controller. */
  | { readonly do: 'stranger'; readonly of: SetName }
  /** A user sets the deletion cost of a pod. */
  | { readonly do: 'price'; readonly pod: number; readonly cost: number }
  /** Scheduler and kubelets: each pending pod gets a node, runs and becomes ready. */
  | { readonly do: 'run' }
  /** The scheduler: each pending pod gets a node. */
  | { readonly do: 'bind' }
  /** A user annotates a ReplicaSet, which changes nothing relevant. */
  | { readonly do: 'touch'; readonly set: SetName }
  /** A user labels an active pod without a controller so that `web` selects it. */
  | { readonly do: 'return' }
  /** A kubelet: a running pod becomes unready, or ready again; each time a container restarts. */
  | { readonly do: 'flip'; readonly pod: number; readonly of?: ContainerName }
  /** A kubelet: a pod ends. `as` is its phase. @defaultValue `Failed` */
  | { readonly do: 'fail'; readonly pod: number; readonly as?: 'Succeeded' }
  /** A running pod gets the phase `Unknown`, and is not ready. */
  | { readonly do: 'lose'; readonly pod: number }
  /** Kubelets: the containers of terminating pods end; the pods still exist. */
  | { readonly do: 'end' }
  /** Kubelets: terminating pods stop and are removed. */
  | { readonly do: 'reap' }
  /** The garbage collector handles this many pods of deleted or terminating ReplicaSets. */
  | { readonly do: 'collect'; readonly pods: number }
  | { readonly do: 'nothing' };
