/**
 * The given parts of a scheduler's queue, cache and loop. They include the places of the queue, the events of nodes and
 * pods, the reserve and bind plugins, and the requests to the server. In kata 33 you write the code that moves pods
 * between the places.
 *
 * Upstream: kubernetes/kubernetes@v1.36.3 pkg/scheduler
 */
export { askServer, assumeElsewhere, mayBeBound } from './ask-server.ts';
export { assembleScheduler } from './assemble-scheduler.ts';
export { CachedNodes } from './cached-nodes.ts';
export { FitError, messageOf, NoNodesAvailableError } from './errors.ts';
export { InFlightBindings } from './in-flight-bindings.ts';
export {
  defaultBinder,
  runBindPlugins,
  runReservePluginsReserve,
  runReservePluginsUnreserve,
} from './plugins.ts';
export { isGated, isSame, isUnbound } from './pods.ts';
export { QueuePlaces } from './queue-places.ts';
export {
  type BackoffLimits,
  noPlugins,
  POD_INITIAL_BACKOFF_MS,
  POD_MAX_BACKOFF_MS,
  POD_MAX_IN_UNSCHEDULABLE_PODS_MS,
  type QueuedPodInfo,
  type QueueingPlugin,
  type SchedulingQueueOptions,
} from './queued-pod-info.ts';
export type { Assignment, SchedulePod, ScheduleResult, Scheduler } from './scheduler.ts';
export {
  ASSIGNED_POD_ADD,
  ASSIGNED_POD_DELETE,
  isWildcard,
  podSchedulingPropertiesChange,
} from './scheduling-events.ts';
export { skipPodSchedule } from './skip-pod-schedule.ts';
export { tellWhyItWaits } from './why-it-waits.ts';
