/** The ports: the interfaces that katas implement, and the interfaces that a cluster provides to them. */
export { noteCaught } from './caught.ts';
export type * from './client.ts';
export type {
  Component,
  ComponentContext,
  Components,
  NodeComponent,
  NodeComponentContext,
  SharedInformerFactory,
} from './component.ts';
export { ConnectionError, isConnectionRefused } from './connection-error.ts';
export { newControllerRef } from './controller-ref.ts';
export type {
  DnsMessage,
  DnsQuestion,
  DnsRcode,
  DnsRecord,
  DnsType,
  KubernetesDns,
  KubernetesDnsOptions,
  NewKubernetesDns,
} from './dns.ts';
export type { EventRecorder } from './event-recorder.ts';
export {
  DeletedFinalStateUnknown,
  type IndexFunc,
  type IndexReader,
  type InformerOptions,
  type NewInformer,
  type ResourceEventHandler,
  type ResourceEventHandlerRegistration,
  type SharedInformer,
} from './informer.ts';
export { intercept } from './intercept.ts';
export { ItemBackoff } from './item-backoff.ts';
export { lastKnown } from './last-known.ts';
export { ItemFastSlowRateLimiter, MaxOfRateLimiter } from './rate-limiters.ts';
export { isSameStatus } from './same-status.ts';
export { NotImplemented, todo } from './todo.ts';
export {
  type DelayingWorkQueue,
  type NewWorkQueue,
  type RateLimiter,
  type RateLimitingWorkQueue,
  type RunWorkers,
  tell,
  type WorkersOptions,
  type WorkQueue,
  type WorkQueueOptions,
} from './work-queue.ts';
export { RateLimitingDecorator, WorkQueueDecorator } from './work-queue-decorators.ts';
