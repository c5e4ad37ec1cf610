import type * as core from '#api/core/v1';
import type { KubeObject } from '../api/objects.ts';

/**
 * Emits Events about objects, which `kubectl describe` shows.
 *
 * Upstream: kubernetes/client-go@v0.36.3 tools/record/event.go EventRecorder; the scheduler's,
 * tools/events/interfaces.go EventRecorder
 */
export interface EventRecorder {
  /**
   * Emits an Event and returns at once. The Event is written in the background and may be lost: a controller must not
   * rely on it. Repeated Events are counted, not written again, and Events of an object that has too many are dropped.
   * The scheduler's Events use events.k8s.io, where repetitions form one series, even with different messages.
   *
   * @param object the object of the Event, or a reference to it. A reference may name a part: `fieldPath:
   * 'spec.containers{web}'`
   * @param reason the reason as one machine-readable word: `SuccessfulCreate`
   * @param message for people: `Created pod: web-7x2kq`
   */
  event(
    object: KubeObject | core.ObjectReference,
    type: 'Normal' | 'Warning',
    reason: string,
    message: string,
  ): void;
}
