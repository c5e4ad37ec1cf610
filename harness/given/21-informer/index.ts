/** `#given/21-informer`: the parts of the harness that only this kata uses. */

// From Level 2 on: the changes that the queue holds; from Level 3 on: the notifications that they cause.
export type { Delta, Notification, ReplacedAll } from '../../contracts/cache/delta.ts';
// From Level 1 on: the cache, and the interface of its index; from Level 3 on: the key of an object.
export { type CacheIndex, Indexer, metaNamespaceKeyFunc } from '../../contracts/cache/indexer.ts';
// From Level 4 on: the requests of a reflector.
export { ListerWatcher } from '../../contracts/cache/lister-watcher.ts';
// Level 8: the loop of each handler, and the timer of resyncs.
export { ProcessorListener } from '../../contracts/cache/processor-listener.ts';
export { ResyncTimer } from '../../contracts/cache/resync-timer.ts';
// From Level 5 on: the wait before the next attempt.
export { sleepBeforeRetry } from '../../contracts/cache/sleep-before-retry.ts';
