import type { Pod, Service } from '#harness';

/** Where an object says when the oldest change that it shows was made. Latency is measured by it. */
export const TRIGGER_TIME = 'endpoints.kubernetes.io/last-change-trigger-time';

/**
 * From when the changes are that a look at a Service finds.
 *
 * Upstream: kubernetes/endpointslice@v0.36.3 util/trigger_time_tracker.go TriggerTimeTracker
 */
export class TriggerTimes {
  /** By the Service's key: when its pods became ready, or unready, as of the last look. */
  readonly #known = new Map<string, ReadonlyMap<string, string>>();

  /**
   * The oldest change since the last look, in RFC 3339; undefined when there is none. At the first look it is the Service
   * itself.
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

/** `annotations` with this time; without any where there is none. */
export function withTriggerTime(
  annotations: Readonly<Record<string, string>> | undefined,
  time: string | undefined,
): Record<string, string> {
  const { [TRIGGER_TIME]: _, ...others } = annotations ?? {};
  return time === undefined ? others : { ...others, [TRIGGER_TIME]: time };
}
