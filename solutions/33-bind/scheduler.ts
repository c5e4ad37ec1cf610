/** Level 5 · Binding: the pieces that work together. */
import type { Client, Clock, EventRecorder, framework, ObjectKey, Pod } from '#harness';
import type { SchedulerCache } from './cache.ts';
import type { SchedulingQueue } from './queue.ts';

export interface Scheduler {
  readonly profile: framework.Profile;
  readonly client: Pick<Client, 'get' | 'bind' | 'patch'>;
  readonly clock: Clock;
  readonly recorder: EventRecorder;
  readonly signal: AbortSignal;
  readonly queue: SchedulingQueue;
  readonly cache: SchedulerCache;
  getPod(key: ObjectKey): Pod | undefined;
  log(message: string): void;
}
