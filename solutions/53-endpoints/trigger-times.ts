import type { Pod, Service } from '#harness';

/** The annotation with the time of the oldest change that an object includes. Latency metrics use it. */
export const TRIGGER_TIME = 'endpoints.kubernetes.io/last-change-trigger-time';

/**
 * Finds the time of the changes that a sync of a Service includes.
 *
 * Upstream: kubernetes/endpointslice@v0.36.3 util/trigger_time_tracker.go TriggerTimeTracker
 */
export class TriggerTimes {
  /** By the Service's key: the last transition of each pod's Ready condition, as of the last sync. */
  readonly #known = new Map<string, ReadonlyMap<string, string>>();

  /**
   * Returns the time of the oldest change since the last sync, in RFC 3339; undefined if nothing changed. At the first
   * sync, returns the creation time of the Service.
   */
  lastChange(key: string, service: Service, pods: readonly Pod[]): string | undefined {
    const known = this.#known.get(key);
    const times = new Map(
      pods.flatMap(({ metadata, status }) => {
        const since = status.conditions?.find(({ type }) => type === 'Ready')?.lastTransitionTime;
        return since ? [[metadata.name, since] as const] : [];
      }),
    );
    this.#known.set(key, times);
    if (!known) return service.metadata.creationTimestamp;
    return [...times]
      .filter(([name, since]) => since > (known.get(name) ?? ''))
      .map(([, since]) => since)
      .sort()[0];
  }

  forget(key: string): void {
    this.#known.delete(key);
  }
}

/** Returns `annotations` with this trigger time; without a trigger time if `time` is undefined. */
export function withTriggerTime(
  annotations: Readonly<Record<string, string>> | undefined,
  time: string | undefined,
): Record<string, string> {
  const { [TRIGGER_TIME]: _, ...others } = annotations ?? {};
  return time === undefined ? others : { ...others, [TRIGGER_TIME]: time };
}
