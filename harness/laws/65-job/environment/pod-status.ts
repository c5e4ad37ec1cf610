import type { Pod } from '../../../api/objects.ts';

/** The exit code of a container that a signal stopped. */
export const STOPPED = 143;

/** Returns the status of a pod whose container runs. */
export function running({ status }: Pod, now: string, ready = true, restarts = 0): Pod['status'] {
  const [main] = status.containerStatuses ?? [];
  const restartCount = (main?.restartCount ?? 0) + restarts;
  return {
    ...status,
    phase: 'Running',
    startTime: status.startTime ?? now,
    conditions: [{ type: 'Ready', status: ready ? 'True' : 'False', lastTransitionTime: now }],
    containerStatuses: [
      {
        name: 'main',
        image: '',
        imageID: '',
        ready,
        restartCount,
        state: { running: { startedAt: now } },
      },
    ],
  };
}

/**
 * Returns the status of a pod whose container has ended.
 *
 * @param isDisrupted whether the node evicted the pod
 */
export function ended({ status }: Pod, now: string, exitCode: number, isDisrupted = false): Pod['status'] {
  const disruption = { type: 'DisruptionTarget', status: 'True', lastTransitionTime: now };
  return {
    ...status,
    phase: exitCode === 0 ? 'Succeeded' : 'Failed',
    conditions: [
      { type: 'Ready', status: 'False', lastTransitionTime: now },
      ...(isDisrupted ? [disruption] : []),
    ],
    containerStatuses: [
      {
        name: 'main',
        image: '',
        imageID: '',
        ready: false,
        restartCount: status.containerStatuses?.[0]?.restartCount ?? 0,
        state: { terminated: { exitCode, startedAt: now, finishedAt: now } },
      },
    ],
  };
}
