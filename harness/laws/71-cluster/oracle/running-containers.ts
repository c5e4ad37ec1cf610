import type { PodName } from '../../../node/history.ts';
import type { Machine } from '../../../node/machine.ts';

/** A container whose program runs. */
export interface RunningContainer {
  readonly id: string;
  readonly pod: PodName;
  readonly sinceMs: number;
}

/** Returns the containers that run on a machine now, oldest first. */
export function runningContainers({
  history,
  powered,
}: Pick<Machine, 'history' | 'powered'>): readonly RunningContainer[] {
  if (!powered) return [];
  const running = new Map<string, RunningContainer>();
  for (const { event, containerId, pod, atMs } of history) {
    if (event === 'powered-off') running.clear();
    if (containerId === undefined || !pod) continue;
    if (event === 'container-started') running.set(containerId, { id: containerId, pod, sinceMs: atMs });
    if (event === 'container-exited' || event === 'container-removed') running.delete(containerId);
  }
  return [...running.values()];
}
