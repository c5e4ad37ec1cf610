import type * as core from '#api/core/v1';
import type { Pod } from '../../../api/objects.ts';
import { shouldRestart } from '../../../api/restart-policy.ts';
import {
  type ContainerHistory,
  type MachineHistory,
  runsAt,
  type SandboxHistory,
} from '../history/machine.ts';

/**
 * The state of a container of a pod's spec: that of its newest attempt on the machine.
 *
 * - `none`: it was never created, or was removed.
 * - `created`: it was created and does not run yet.
 */
export type Standing =
  | { readonly kind: 'none' }
  | { readonly kind: 'created' | 'running' | 'exited'; readonly container: ContainerHistory };

/** The state of a pod on its machine at one moment. */
export interface PodStanding {
  readonly pod: Pod;
  readonly atMs: number;
  /** Its newest sandbox, if that is ready. */
  readonly sandbox: SandboxHistory | undefined;
  /** Number of all its sandboxes so far. */
  readonly sandboxes: number;
  readonly inits: readonly (readonly [core.Container, Standing])[];
  readonly containers: readonly (readonly [core.Container, Standing])[];
}

/** Returns the state of a pod on its machine at one moment, independent of its status in the API. */
export function standingOf(pod: Pod, machine: MachineHistory, atMs: number): PodStanding {
  const { uid } = pod.metadata;
  const of = (container: core.Container) =>
    [container, standing(machine.newest(uid, container.name, atMs), atMs)] as const;
  return {
    pod,
    atMs,
    sandbox: machine.readySandbox(uid, atMs),
    sandboxes: machine.sandboxes.filter((each) => each.uid === uid && each.readyMs <= atMs).length,
    inits: (pod.spec.initContainers ?? []).map(of),
    containers: pod.spec.containers.map(of),
  };
}

function standing(container: ContainerHistory | undefined, atMs: number): Standing {
  if (!container) return { kind: 'none' };
  if (runsAt(container, atMs)) return { kind: 'running', container };
  return { kind: container.exitedMs <= atMs ? 'exited' : 'created', container };
}

/** Whether an init container is a sidecar. */
export function isSidecar({ restartPolicy }: core.Container): boolean {
  return restartPolicy === 'Always';
}

/** Returns the exit code of a container. A container without a known exit code counts as killed. */
export function exitCodeOf({ exitCode = 137 }: ContainerHistory): number {
  return exitCode;
}

/** Whether a container restarts after this exit code. */
export function isRestarted(container: core.Container, pod: Pod, exitCode: number): boolean {
  return shouldRestart(container, pod.spec, exitCode);
}

/** Returns the grace period of a pod in seconds, unless its deletion has another one. */
export function graceOf({ spec }: Pod): number {
  return spec.terminationGracePeriodSeconds ?? 30;
}

/** Returns the end of a deleted pod's grace period, in ms since 1970, and its length in seconds. */
export function deletionOf({
  metadata,
}: Pod): { readonly endsMs: number; readonly graceSeconds: number } | undefined {
  const { deletionTimestamp, deletionGracePeriodSeconds = 0 } = metadata;
  if (deletionTimestamp === undefined) return undefined;
  return { endsMs: Date.parse(deletionTimestamp), graceSeconds: deletionGracePeriodSeconds };
}

/** Returns the name of a pod, without its namespace. */
export function nameOf({ metadata }: Pick<Pod, 'metadata'>): string {
  return metadata.name;
}
