import type * as core from '#api/core/v1';
import type { Pod } from '../../api/objects.ts';
import { shouldRestart } from '../../api/restart-policy.ts';
import {
  type ContainerHistory,
  type MachineHistory,
  runsAt,
  type SandboxHistory,
} from './machine-history.ts';

/**
 * What a container of a pod's spec has come to: its newest attempt on the machine.
 *
 * - `none`: it was never made, or what was is gone.
 * - `created`: it was made and does not run yet.
 */
export type Standing =
  | { readonly kind: 'none' }
  | { readonly kind: 'created' | 'running' | 'exited'; readonly container: ContainerHistory };

/** How a pod stands on its machine at a moment. */
export interface PodStanding {
  readonly pod: Pod;
  readonly atMs: number;
  /** Its newest sandbox, if that is ready. */
  readonly sandbox: SandboxHistory | undefined;
  /** How many sandboxes it has had. */
  readonly sandboxes: number;
  readonly inits: readonly (readonly [core.Container, Standing])[];
  readonly containers: readonly (readonly [core.Container, Standing])[];
}

/** How a pod stands on its machine at a moment, whatever the API says of it. */
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

/** Is this init container one that runs beside the others? */
export function isSidecar({ restartPolicy }: core.Container): boolean {
  return restartPolicy === 'Always';
}

/** With what it is taken to have exited: a container whose exit was not seen was killed. */
export function exitCodeOf({ exitCode = 137 }: ContainerHistory): number {
  return exitCode;
}

/** Is this container started again after it has exited so? */
export function isRestarted(container: core.Container, pod: Pod, exitCode: number): boolean {
  return shouldRestart(container, pod.spec, exitCode);
}

/** How long a pod may take to stop, in seconds, if its deletion says nothing else. */
export function graceOf({ spec }: Pod): number {
  return spec.terminationGracePeriodSeconds ?? 30;
}

/** When it was deleted at the latest, and how long it may take since then, if it was. In ms since 1970, and in seconds. */
export function deletionOf({
  metadata,
}: Pod): { readonly endsMs: number; readonly graceSeconds: number } | undefined {
  const { deletionTimestamp, deletionGracePeriodSeconds = 0 } = metadata;
  if (deletionTimestamp === undefined) return undefined;
  return { endsMs: Date.parse(deletionTimestamp), graceSeconds: deletionGracePeriodSeconds };
}

/** `web-1` of `default/web-1`, for a reader. */
export function nameOf({ metadata }: Pick<Pod, 'metadata'>): string {
  return metadata.name;
}
