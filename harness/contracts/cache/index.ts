/** The parts of an informer that kata 21 gives. Upstream: kubernetes/client-go@v0.36.3 tools/cache */
export type { Delta, Notification, ReplacedAll } from './delta.ts';
export { type CacheIndex, Indexer, metaNamespaceKeyFunc } from './indexer.ts';
export { ListerWatcher } from './lister-watcher.ts';
export { ProcessorListener } from './processor-listener.ts';
export { ResyncTimer } from './resync-timer.ts';
export { sleepBeforeRetry } from './sleep-before-retry.ts';
