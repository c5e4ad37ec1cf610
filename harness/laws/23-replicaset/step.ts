import type { Fault } from '../../faults/index.ts';

/** The process that the controller runs in, as faults, trace and journal know it. */
export const PROCESS = 'replicaset-controller';

/** Where everything happens. */
export const NAMESPACE = 'default';

/**
 * The ReplicaSets that there may be. `web` selects what is labelled `app: web`; `canary` only what is labelled
 * `track: canary` besides, so that each pod of it is one that `web` selects, too.
 */
export type SetName = 'web' | 'canary';

/** The containers of a pod: two of an app, and a sidecar. */
export type ContainerName = 'web' | 'log' | 'proxy';

/** Something that happens, some time after what happened before. */
export type Step = { readonly afterMs: number } & (Operation | { readonly strike: Fault });

/** What others do. `pod` picks one of those that it can be done to, whatever number it is. */
export type Operation =
  /** A user. A set that is not there is not scaled. */
  | { readonly do: 'scale'; readonly set: SetName; readonly replicas: number }
  /** A user; `background` removes it at once, the others mark it and leave the rest to the garbage collector. */
  | { readonly do: 'delete'; readonly set: SetName; readonly how: 'Background' | 'Foreground' | 'Orphan' }
  /** A user creates it, unless it is there. */
  | { readonly do: 'create'; readonly set: SetName; readonly replicas: number }
  /** A user deletes a pod: it goes at once, or, once it is on a node, is marked and goes when it is reaped. By force it goes at once. */
  | { readonly do: 'kill'; readonly pod: number; readonly force?: boolean }
  /** A user changes a pod's labels: into those that no ReplicaSet selects, that `web` does, or that both do. */
  | { readonly do: 'relabel'; readonly pod: number; readonly to: 'nothing' | SetName }
  /** A user changes the labels of all pods that are being deleted into those that no ReplicaSet selects. */
  | { readonly do: 'relabel-the-going' }
  /** A user takes a pod's owners away: it is still selected. */
  | { readonly do: 'free'; readonly pod: number }
  /** A user takes a pod's owners and labels away at once: it is no ReplicaSet's any more. */
  | { readonly do: 'detach'; readonly pod: number }
  /** A user deletes a pod by force, and creates another under its name, which nothing controls and no ReplicaSet selects. */
  | { readonly do: 'replace'; readonly pod: number }
  /** A user creates a pod that is selected and has no controller; a node is among its owners. */
  | { readonly do: 'orphan'; readonly of: SetName }
  /** A user creates a pod that is selected and that something else controls. */
  | { readonly do: 'stranger'; readonly of: SetName }
  /** A user says what it costs to delete a pod. */
  | { readonly do: 'price'; readonly pod: number; readonly cost: number }
  /** Scheduler and kubelets: every pod that waits gets a node, runs and is ready. */
  | { readonly do: 'run' }
  /** The scheduler alone: every pod that waits gets a node. */
  | { readonly do: 'bind' }
  /** A user writes a note at it, which changes nothing that matters. */
  | { readonly do: 'touch'; readonly set: SetName }
  /** A user gives an active pod that nothing controls labels that `web` selects. */
  | { readonly do: 'return' }
  /** A kubelet: a pod that runs is no longer ready, or is again; each time a container of its has restarted. */
  | { readonly do: 'flip'; readonly pod: number; readonly of?: ContainerName }
  /** A kubelet: a pod has failed for good. */
  | { readonly do: 'fail'; readonly pod: number }
  /** Kubelets: the containers of pods that are being deleted have ended; the pods are still there. */
  | { readonly do: 'end' }
  /** Kubelets: what was marked for deletion has stopped, and is gone. */
  | { readonly do: 'reap' }
  /** The garbage collector sees to so many pods of ReplicaSets that are gone or going. */
  | { readonly do: 'collect'; readonly pods: number }
  | { readonly do: 'nothing' };
