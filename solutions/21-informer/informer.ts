/**
 * The informer. From the inside out: an {@link Indexer} is the cache; a {@link DeltaFIFO} is the queue of what
 * happened to each object; a {@link Reflector} lists and watches and fills the queue; a {@link SharedIndexInformer}
 * empties it into the cache and tells the handlers.
 *
 * Upstream: kubernetes/client-go@v0.30.0 tools/cache
 */

// Level 1 · The cache

export { Indexer, type KeyFunc, metaNamespaceKeyFunc } from './indexer.ts';

// Level 2 · What happened, by object

export {
  type Delta,
  DeltaFIFO,
  type DeltaFIFOOptions,
  type Deltas,
  type DeltaType,
  dedupDeltas,
  type KnownObjects,
} from './delta-fifo.ts';

// Levels 3 to 5 · List, watch, and start over

export { Backoff } from './backoff.ts';
export { Reflector, type ReflectorOptions, type ReflectorStore } from './reflector.ts';

// Level 6 · The informer

export { joinResync, type ResyncPeriods } from './resync.ts';
export { createInformer, SharedIndexInformer } from './shared-index-informer.ts';
