import type { ProbeType } from '../../contracts/node/probe-manager.ts';

/** How a probe asks. */
export type Way = 'http' | 'tcp' | 'exec' | 'grpc';

/**
 * What comes back to one probe. `redirects` leads to another path of the same server, which answers well; `leads away` to
 * another host, `leads in circles` nowhere. `errors` is a command that cannot be run. What a way has no word for is a failure.
 */
export type Answer =
  | 'success'
  | 'failure'
  | 'refuses'
  | 'hangs'
  | 'errors'
  | 'redirects'
  | 'leads away'
  | 'leads in circles'
  | 'knows no health';

/** How a container answers for a while: from the end of the phase before it on; the last one for good. */
export interface Phase {
  readonly forMs: number;
  readonly gives: Answer;
  readonly takesMs: number;
}

/** One probe, as the pod's spec has it. */
export interface ProbePlan {
  readonly way: Way;
  readonly initialDelaySeconds: number;
  readonly periodSeconds: number;
  readonly timeoutSeconds: number;
  readonly successThreshold: number;
  readonly failureThreshold: number;
  /** Says its port by name, its host, headers of its own: whatever its way has. */
  readonly isFancy: boolean;
}

/** One life of a container, from its start to its end. */
export interface ContainerRun {
  /** How long after its pod was added, or after the life before. */
  readonly afterMs: number;
  /** When it ends by itself, counted from its start; absent: never. */
  readonly ends?: { readonly afterMs: number; readonly exitCode: number };
  /** How long it takes to stop it when it is to be killed. */
  readonly drainMs: number;
  readonly answers: Partial<Readonly<Record<ProbeType, readonly Phase[]>>>;
}

/** A container and all its lives; the last one is lived again and again, but does not end by itself. */
export interface ContainerPlan {
  readonly isSidecar: boolean;
  readonly probes: Partial<Readonly<Record<ProbeType, ProbePlan>>>;
  readonly runs: readonly ContainerRun[];
}

/** How a pod ends. A pod that is deleted goes on for a while. */
export interface Ending {
  readonly atMs: number;
  readonly how: 'delete' | 'remove' | 'clean up';
  /** How long its containers run on when it is deleted. */
  readonly graceMs: number;
}

export interface PodPlan {
  /** How long after the kubelet's start. */
  readonly addAfterMs: number;
  readonly restartPolicy: 'Always' | 'OnFailure' | 'Never';
  readonly containers: readonly ContainerPlan[];
  /** When the kubelet makes a status for reasons of its own, counted from the pod's addition. */
  readonly syncsMs: readonly number[];
  readonly ending?: Ending;
}

/** What a probe manager is put through, as values that fast-check makes and shrinks. */
export interface ProbesScenario {
  readonly seed: number;
  /** Which goes first among what happens at the same instant. */
  readonly schedule: readonly number[];
  readonly pods: readonly PodPlan[];
  /** The kubelet ends at this time, and comes back: a new manager. */
  readonly restart?: { readonly atMs: number; readonly downMs: number };
  readonly endMs: number;
}

/** How long after a change the kubelet makes a status: it looks at the runtime now and then. */
export const RELIST_MS = 250;
/** How long after a result it does. */
export const REACTION_MS = 5;
/** How long after its end a container that is to be started again is said to wait. */
export const BACK_OFF_SHOWS_MS = 500;

/** The container of a pod at this place in its plan: `app-0`, `side-1`. */
export function nameOf({ isSidecar }: ContainerPlan, index: number): string {
  return `${isSidecar ? 'side' : 'app'}-${index}`;
}

/** Where each probe of a pod listens: no two of one pod have the same port. */
export function portOfProbe(index: number, type: ProbeType): number {
  return 8_000 + 10 * index + PROBE_TYPES.indexOf(type);
}

export const PROBE_TYPES: readonly ProbeType[] = ['startup', 'readiness', 'liveness'];
