import type * as core from '#api/core/v1';
import type { KubeObject } from '../api/objects.ts';

/**
 * Tells people what happened to an object: what `kubectl describe` shows below it.
 *
 * Upstream: kubernetes/client-go@v0.36.3 tools/record/event.go EventRecorder; the scheduler's,
 * tools/events/interfaces.go EventRecorder
 */
export interface EventRecorder {
  /**
   * Returns at once. The Event travels by itself, and may get lost: no controller ever relies on one. Events that
   * say the same again are counted, not repeated, and an object that has many is cut short. The scheduler's go by
   * events.k8s.io: what happens again is one series, whatever its words.
   *
   * @param object what it is about; or a reference to it, which may name a part of it: `fieldPath: 'spec.containers{web}'`
   * @param reason why, in one word that a machine can read: `SuccessfulCreate`
   * @param message for people: `Created pod: web-7x2kq`
   */
  event(
    object: KubeObject | core.ObjectReference,
    type: 'Normal' | 'Warning',
    reason: string,
    message: string,
  ): void;
}
