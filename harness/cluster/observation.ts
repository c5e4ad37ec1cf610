import type { KubeObject } from '../api/objects.ts';
import type { Resource } from '../api/resource.ts';
import type { OpenWatch } from '../client/connection-stream.ts';
import type { Client } from '../contracts/client.ts';
import type { SharedInformer } from '../contracts/informer.ts';
import type { QueueState } from './queue-contents.ts';

/** The memory of a running process, for observers. They must not change it. */
export interface Observation {
  /** The identity of the incarnation. */
  readonly client: Client;
  readonly informers: readonly ObservedInformer[];
  readonly queues: readonly ObservedQueue[];
  readonly watches: readonly OpenWatch[];
  /** The last error that it survived. */
  readonly lastError: ObservedError | undefined;
}

/** An informer of a process. */
export interface ObservedInformer {
  readonly resource: Resource;
  readonly informer: Pick<SharedInformer<KubeObject>, 'indexer' | 'hasSynced' | 'lastSyncResourceVersion'>;
}

/** A queue of a process. */
export interface ObservedQueue {
  /** The number of queued items, without items that are being processed. */
  len(): number;
  state(): QueueState;
}

/** An error that a process has reported. */
export interface ObservedError {
  /** Virtual ms since the simulation began. */
  readonly atMs: number;
  readonly error: unknown;
}
