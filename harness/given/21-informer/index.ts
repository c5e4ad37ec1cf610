/** `#given/21-informer`: the parts of the harness that only this kata uses. */
export type { Delta, Notification, ReplacedAll } from '../../contracts/cache/delta.ts';
export { type CacheIndex, Indexer, metaNamespaceKeyFunc } from '../../contracts/cache/indexer.ts';
export { ListerWatcher } from '../../contracts/cache/lister-watcher.ts';
export { ProcessorListener } from '../../contracts/cache/processor-listener.ts';
export { ResyncTimer } from '../../contracts/cache/resync-timer.ts';
export { sleepBeforeRetry } from '../../contracts/cache/sleep-before-retry.ts';
