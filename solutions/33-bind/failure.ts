/** Level 5 · Binding: requeues a pod that was not scheduled, and reports why. */
import { scheduling } from '#given/33-bind';
import { keyOf } from '#harness';

export async function handleSchedulingFailure(
  scheduler: scheduling.Scheduler,
  info: scheduling.QueuedPodInfo,
  error: unknown,
): Promise<void> {
  const { queue } = scheduler;
  const current = scheduler.getPod(keyOf(info.pod));
  if (!scheduling.isUnbound(info.pod, current)) {
    queue.done(info.pod.metadata.uid);
    return;
  }
  const unschedulablePlugins =
    error instanceof scheduling.FitError ? error.diagnosis.unschedulablePlugins : scheduling.noPlugins;
  queue.addUnschedulableIfNotPresent({ ...info, pod: current, unschedulablePlugins });
  await scheduling.tellWhyItWaits(scheduler, current, error);
}
