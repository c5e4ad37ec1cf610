import type { ProbeType } from '../../contracts/node/probe-manager.ts';

/** The action of a probe. */
export type Way = 'http' | 'tcp' | 'exec' | 'grpc';

/**
 * The answer to one probe. `redirects` leads to another path of the same server, which succeeds; `leads to another port` to
 * another scheme and port of the host, and from there to a path; `leads away` to another host; `leads in circles` to endless
 * redirects; `leads away at last` to another host in the tenth answer; `leads nowhere` to a location that is no URL.
 * `errors` is a command that cannot run. An action without such an answer fails.
 */
export type Answer =
  | 'success'
  | 'failure'
  | 'refuses'
  | 'hangs'
  | 'errors'
  | 'redirects'
  | 'leads to another port'
  | 'leads away at last'
  | 'leads nowhere'
  | 'leads away'
  | 'leads in circles'
  | 'knows no health';

/** The answers of a container for a time. Phases follow each other; the last one never ends. */
export interface Phase {
  readonly forMs: number;
  readonly gives: Answer;
  readonly takesMs: number;
}

/** One probe of the pod spec. */
export interface ProbePlan {
  readonly way: Way;
  readonly initialDelaySeconds: number;
  readonly periodSeconds: number;
  readonly timeoutSeconds: number;
  readonly successThreshold: number;
  readonly failureThreshold: number;
  /** Whether it names its port and its host, and has headers, as far as its action allows. */
  readonly isFancy: boolean;
}

/** One run of a container, from its start to its end. */
export interface ContainerRun {
  /** The time from the addition of its pod, or from the end of the previous run, to its start. */
  readonly afterMs: number;
  /** Its exit, counted from its start; absent if it does not exit by itself. */
  readonly ends?: { readonly afterMs: number; readonly exitCode: number };
  /** The time from a kill to its end. */
  readonly drainMs: number;
  readonly answers: Partial<Readonly<Record<ProbeType, readonly Phase[]>>>;
}

/** A container and its runs. The last run repeats, and does not exit by itself. */
export interface ContainerPlan {
  readonly isSidecar: boolean;
  readonly probes: Partial<Readonly<Record<ProbeType, ProbePlan>>>;
  readonly runs: readonly ContainerRun[];
}

/** The end of a pod. A deleted pod runs for a grace period. */
export interface Ending {
  readonly atMs: number;
  readonly how: 'delete' | 'remove' | 'clean up';
  /** Removes the pod within this call of `onUpdate` about it, counted from 1, instead of at `atMs`. */
  readonly inUpdate?: number;
  /** The time that its containers run after the deletion. */
  readonly graceMs: number;
}

export interface PodPlan {
  /** The time from the start of the kubelet to the addition. */
  readonly addAfterMs: number;
  readonly restartPolicy: 'Always' | 'OnFailure' | 'Never';
  /** Whether its init container has failed until the first container starts; otherwise it runs until then. */
  readonly initFails?: boolean;
  readonly containers: readonly ContainerPlan[];
  /** The times of further statuses, without a change, counted from the addition of the pod. */
  readonly syncsMs: readonly number[];
  readonly ending?: Ending;
}

/** A scenario of a probe manager, as values that fast-check generates and shrinks. */
export interface ProbesScenario {
  readonly seed: number;
  /** The order of events at the same instant. */
  readonly schedule: readonly number[];
  readonly pods: readonly PodPlan[];
  /**
   * The kubelet crashes at this time, and restarts with a new manager. `statusFirst`: it makes the status of a pod before it
   * adds the pod, as Kubernetes' kubelet does.
   */
  readonly restart?: { readonly atMs: number; readonly downMs: number; readonly statusFirst?: boolean };
  readonly endMs: number;
}

/** The time from a change in the runtime to the next status. */
export const RELIST_MS = 250;
/** The time from a result to the next status. */
export const REACTION_MS = 5;
/** The time after which a container that will restart has the state `waiting`. */
export const BACK_OFF_SHOWS_MS = 500;

/** Returns the name of the container at this index: `app-0`, `side-1`. */
export function nameOf({ isSidecar }: ContainerPlan, index: number): string {
  return `${isSidecar ? 'side' : 'app'}-${index}`;
}

/** Returns the port of a probe, which is unique in its pod. */
export function portOfProbe(index: number, type: ProbeType): number {
  return 8_000 + 10 * index + PROBE_TYPES.indexOf(type);
}

export const PROBE_TYPES: readonly ProbeType[] = ['startup', 'readiness', 'liveness'];
