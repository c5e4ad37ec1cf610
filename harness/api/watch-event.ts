import type { KubeObject } from './objects.ts';
import type { Status } from './status.ts';

/**
 * What a bookmark carries: a revision, and nothing else. "You have seen everything up to here."
 *
 * Upstream: kubernetes/apimachinery@v0.30.0 pkg/watch/watch.go Bookmark
 */
export interface Bookmark {
  apiVersion: string;
  kind: string;
  metadata: { resourceVersion: string; creationTimestamp?: null; annotations?: Record<string, string> };
}

/**
 * One event of a watch stream.
 *
 * - `ADDED`, `MODIFIED`: `object` is the state after the change.
 * - `DELETED`: `object` is the last state, with the resourceVersion of the *deletion*.
 * - `BOOKMARK`: no object changed; the stream has reached this revision.
 * - `ERROR`: the stream is over; `object` is the Status that says why (410: list again).
 */
export type WatchEvent<T extends KubeObject = KubeObject> =
  | { readonly type: 'ADDED' | 'MODIFIED' | 'DELETED'; readonly object: T }
  | { readonly type: 'BOOKMARK'; readonly object: Bookmark }
  | { readonly type: 'ERROR'; readonly object: Status };
