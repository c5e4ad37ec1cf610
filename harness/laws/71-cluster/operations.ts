import type { DeploymentEdit } from '../../cluster/edit-deployment.ts';
import type { DeleteOptions } from '../../contracts/client.ts';

/**
 * An operation of a user, of an administrator, or of fate. A number selects an object, modulo the count of candidates;
 * without candidates the operation does nothing.
 */
export type Operation =
  | { readonly do: 'edit'; readonly deployment: number; readonly edit: DeploymentEdit }
  /** Changes the image of a StatefulSet or a DaemonSet, or the number of replicas of a StatefulSet. */
  | { readonly do: 'roll-out'; readonly workload: number; readonly image: string }
  | { readonly do: 'scale'; readonly statefulSet: number; readonly replicas: number }
  | {
      readonly do: 'delete';
      readonly workload: number;
      readonly propagationPolicy: NonNullable<DeleteOptions['propagationPolicy']>;
    }
  /** Deletes the namespace of a user, if there is one. */
  | { readonly do: 'delete-namespace' }
  /** Creates a deleted workload of the scenario again. */
  | { readonly do: 'create'; readonly workload: number }
  | { readonly do: 'delete-pod'; readonly pod: number; readonly isForced: boolean }
  /** Removes the label of a pod, so that its owner releases it. */
  | { readonly do: 'release-pod'; readonly pod: number }
  | { readonly do: 'suspend' | 'resume'; readonly job: number }
  | { readonly do: 'cordon' | 'uncordon' | 'drain' | 'power-on' | 'delete-node'; readonly node: number }
  | { readonly do: 'taint' | 'untaint'; readonly node: number; readonly effect: 'NoSchedule' | 'NoExecute' }
  /** Kills the first process of a running container, as the kernel does when its memory is full. */
  | { readonly do: 'kill-container'; readonly pod: number }
  /** The container runtime of a machine stops, or starts again. */
  | { readonly do: 'stop-runtime' | 'start-runtime'; readonly node: number };
