/** What every part of the controller works with. */
import {
  type ComponentContext,
  ConsistencyStore,
  PodControl,
  type RateLimitingWorkQueue,
  ReplicaSetCaches,
} from '#harness';
import { Expectations } from './expectations.ts';

export interface Desk {
  readonly context: ComponentContext;
  readonly queue: RateLimitingWorkQueue<string>;
  readonly caches: ReplicaSetCaches;
  readonly control: PodControl;
  /** By the uid of the ReplicaSet. */
  readonly expectations: Expectations;
  /** By the uid of the ReplicaSet. */
  readonly written: ConsistencyStore;
}

export function newDesk(context: ComponentContext): Desk {
  const caches = new ReplicaSetCaches(context.informers);
  return {
    context,
    queue: context.newWorkQueue<string>(),
    caches,
    control: new PodControl(context),
    expectations: new Expectations(context.clock),
    written: new ConsistencyStore(caches.versions),
  };
}
