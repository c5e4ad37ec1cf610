/**
 * The informer. From the inside out: an {@link Index} finds objects by a common value; a {@link RealFIFO} queues the
 * changes; {@link processDelta} applies a change to the cache; a {@link Reflector} lists and watches, and fills the
 * queue; a {@link SharedIndexInformer} combines them and notifies the handlers.
 *
 * Upstream: kubernetes/client-go@v0.36.3 tools/cache
 */

// Level 1 · An index

export { Index } from './cache-index.ts';

// Level 2 · The queue

export { RealFIFO } from './real-fifo.ts';

// Level 3 · From the queue into the cache

export { processDelta, replaceAll } from './process-delta.ts';

// Levels 4 to 7 · List, watch, stream, and start over

export { Backoff } from './backoff.ts';
export { Reflector, type ReflectorOptions } from './reflector.ts';

// Level 8 · The informer

export { createInformer, SharedIndexInformer } from './shared-index-informer.ts';
