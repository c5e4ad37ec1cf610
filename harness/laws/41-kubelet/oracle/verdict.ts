import type * as core from '#api/core/v1';
import type { Pod } from '../../../api/objects.ts';
import { hasEnded } from '../../../api/predicates.ts';
import type { KubeletHistory } from '../history/index.ts';
import {
  type ContainerHistory,
  type MachineHistory,
  runsAt,
  type SandboxHistory,
} from '../history/machine.ts';
import { initsOf } from '../laws/reading.ts';
import { exitCodeOf, isRestarted, isSidecar } from './truth.ts';

/** The next step of a pod, derived from its spec and the machine. */
export type Verdict =
  | { readonly is: 'without a sandbox' }
  /**
   * The next step is unknown: the deadline is just over; or the pod gets no new sandbox and not all containers have run, which
   * upstream leaves unchanged; or one sidecar is down while another one runs, and all containers that they serve have ended.
   *
   * Upstream: kubernetes/kubernetes@v1.36.3 pkg/kubelet/kuberuntime/kuberuntime_manager.go computePodActions
   */
  | { readonly is: 'stuck' }
  /** The pod has ended: no container restarts. */
  | { readonly is: 'over'; readonly phase: 'Succeeded' | 'Failed'; readonly reason?: string }
  | {
      readonly is: 'under way';
      readonly sandbox: SandboxHistory;
      /** Whether all init containers have succeeded in this sandbox. */
      readonly initialized: boolean;
      readonly toStart: readonly ToStart[];
      /** Running containers whose image in the spec has changed. */
      readonly toReplace: readonly ContainerHistory[];
    };

/** A container that must run and does not. */
export interface ToStart {
  readonly name: string;
  /** The newest attempt that has exited, if there is one. */
  readonly last?: ContainerHistory;
}

/**
 * Returns the next step of a pod that was not deleted.
 *
 * Upstream: kubernetes/kubernetes@v1.36.3 pkg/kubelet/kuberuntime/kuberuntime_manager.go computePodActions
 */
export function verdictOf(
  pod: Pod,
  {
    nowMs,
    history,
  }: { readonly nowMs: number; readonly history: Pick<KubeletHistory, 'machine' | 'epochMs'> },
): Verdict {
  const { machine, epochMs } = history;
  const { activeDeadlineSeconds: seconds } = pod.spec;
  const { startTime, reason } = pod.status;
  const verdict = withoutDeadline(pod, machine, nowMs);
  if (seconds === undefined || !startTime) return verdict;
  const deadlineMs = Date.parse(startTime) - epochMs + seconds * 1_000;
  if (nowMs < deadlineMs - NOTICED_WITHIN_MS) return verdict;
  if (nowMs <= deadlineMs + NOTICED_WITHIN_MS) return { is: 'stuck' };
  // A pod that ended at about the deadline may have either result.
  if (hasEnded(pod) && reason !== DEADLINE_EXCEEDED) return verdict;
  const sureMs = hasEnded(pod) ? deadlineMs - NOTICED_WITHIN_MS : deadlineMs;
  const over = withoutDeadline(pod, machine, sureMs);
  return over.is === 'over' ? over : { is: 'over', phase: 'Failed', reason: DEADLINE_EXCEEDED };
}

const DEADLINE_EXCEEDED = 'DeadlineExceeded';

/** Tolerance of a deadline: the kubelet checks it once a second, and API times are whole seconds. */
const NOTICED_WITHIN_MS = 3_000;

function withoutDeadline(pod: Pod, machine: MachineHistory, nowMs: number): Verdict {
  const { uid } = pod.metadata;
  const sandbox = machine.readySandbox(uid, nowMs);
  if (!sandbox) return withoutSandbox(pod, machine, nowMs);
  const underWay = { is: 'under way', sandbox, toReplace: [] } as const;
  const newestIn = (name: string): ContainerHistory | undefined =>
    machine.attempts(uid, name).findLast((each) => each.sandboxId === sandbox.id && each.createdMs <= nowMs);
  const toStart: ToStart[] = [];
  /** Returns the newest exited attempt with it, also of an earlier sandbox: its back-off still counts. */
  const startOf = ({ name }: core.Container): ToStart => {
    const last = machine
      .attempts(uid, name)
      .findLast((each) => hasExited(each, nowMs) && each.removedMs > nowMs);
    return last ? { name, last } : { name };
  };
  // A container has been created, so the init containers have completed, even if they were removed.
  const hasBegun = pod.spec.containers.some(({ name }) => newestIn(name));
  const isThere = ({ name }: core.Container): boolean =>
    machine
      .attempts(uid, name)
      .some(
        ({ sandboxId, createdMs, removedMs }) =>
          sandboxId === sandbox.id && createdMs <= nowMs && removedMs > nowMs,
      );
  for (const [i, init] of initsOf(pod).entries()) {
    const last = newestIn(init.name);
    if (hasBegun && !isSidecar(init)) continue;
    if (isSidecar(init)) {
      if (last && runsAt(last, nowMs)) continue;
      toStart.push(startOf(init));
      // A start alone does not let the next container start: the kubelet may never have observed a short run.
      const hasNext =
        hasBegun ||
        initsOf(pod)
          .slice(i + 1)
          .some(isThere);
      if (!last || last.startedMs > nowMs || !hasNext) return { ...underWay, initialized: false, toStart };
      continue;
    }
    if (last && runsAt(last, nowMs)) return { ...underWay, initialized: false, toStart };
    if (last && hasExited(last, nowMs)) {
      if (last.exitCode === 0) continue;
      if (!isRestarted(init, pod, exitCodeOf(last))) return { is: 'over', phase: 'Failed' };
    }
    return { ...underWay, initialized: false, toStart: [...toStart, startOf(init)] };
  }
  const standing = pod.spec.containers.map((spec) => ({ spec, last: newestIn(spec.name) }));
  const isOver = ({
    spec,
    last,
  }: {
    readonly spec: core.Container;
    readonly last?: ContainerHistory | undefined;
  }) =>
    isDone(
      spec,
      pod,
      last ?? machine.attempts(uid, spec.name).findLast((each) => hasExited(each, nowMs)),
      nowMs,
    );
  if (standing.every(isOver)) {
    // Upstream ends the pod when the sidecar runs again, or when no sidecar runs.
    const isHeldUp = toStart.length > 0 && machine.running(uid, nowMs).length > 0;
    return isHeldUp ? { is: 'stuck' } : { is: 'over', phase: phaseOf(pod, machine, nowMs) };
  }
  const running = standing.flatMap(({ spec, last }) => (last && runsAt(last, nowMs) ? [{ spec, last }] : []));
  // While no container runs, exited ones wait for the sidecars, as at the first start.
  if (running.length === 0 && toStart.length > 0) return { ...underWay, initialized: true, toStart };
  return {
    is: 'under way',
    sandbox,
    initialized: true,
    toStart: [
      ...toStart,
      ...standing
        .filter((each) => !isOver(each) && !(each.last && runsAt(each.last, nowMs)))
        .map(({ spec }) => startOf(spec)),
    ],
    toReplace: running.flatMap(({ spec, last }) => (last.image === spec.image ? [] : [last])),
  };
}

/** Upstream: the same function, for a pod without a ready sandbox */
function withoutSandbox(pod: Pod, machine: MachineHistory, nowMs: number): Verdict {
  const { uid } = pod.metadata;
  const isThere = machine.of(uid).some(({ createdMs, removedMs }) => createdMs <= nowMs && removedMs > nowMs);
  const hadOne = machine.sandboxes.some((each) => each.uid === uid && each.readyMs <= nowMs);
  const over = { is: 'over', phase: phaseOf(pod, machine, nowMs) } as const;
  const hasEndedBy = ({ name }: core.Container, ends: (code: number) => boolean): boolean => {
    const last = machine.newest(uid, name, nowMs);
    return last !== undefined && hasExited(last, nowMs) && ends(exitCodeOf(last));
  };
  if (pod.spec.restartPolicy === 'Never' && hadOne && isThere) {
    const isOver = pod.spec.containers.every((spec) =>
      hasEndedBy(spec, (code) => !isRestarted(spec, pod, code)),
    );
    const hasFailed = initsOf(pod).some((spec) => !isSidecar(spec) && hasEndedBy(spec, (code) => code !== 0));
    return hasFailed ? { is: 'over', phase: 'Failed' } : isOver ? over : { is: 'stuck' };
  }
  const isDoneFor = (spec: core.Container): boolean =>
    (spec.restartPolicy ?? pod.spec.restartPolicy) === 'OnFailure' && hasEndedBy(spec, (code) => code === 0);
  return pod.spec.containers.every(isDoneFor) ? over : { is: 'without a sandbox' };
}

/**
 * Whether a container has exited and does not restart. In a new sandbox such a container need not run again; it does if the pod has
 * no init containers.
 */
function isDone(spec: core.Container, pod: Pod, last: ContainerHistory | undefined, nowMs: number): boolean {
  return last !== undefined && hasExited(last, nowMs) && !isRestarted(spec, pod, exitCodeOf(last));
}

function phaseOf({ spec, metadata }: Pod, machine: MachineHistory, nowMs: number): 'Succeeded' | 'Failed' {
  const codes = spec.containers.map(({ name }) => {
    const last = machine.newest(metadata.uid, name, nowMs);
    return last && hasExited(last, nowMs) ? exitCodeOf(last) : 1;
  });
  return codes.every((code) => code === 0) ? 'Succeeded' : 'Failed';
}

/** Whether a container had exited by then. */
export function hasExited({ exitedMs }: ContainerHistory, atMs: number): boolean {
  return exitedMs <= atMs;
}
