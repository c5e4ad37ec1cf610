import type { KubeObject } from './objects.ts';
import type { Status } from './status.ts';

/**
 * The object of a bookmark, which has only a revision: the client has received everything up to it. It is an empty
 * object of the kind, as Go prints it: a Pod has `spec: { containers: null }` and `status: {}`.
 *
 * Upstream: kubernetes/apimachinery@v0.36.3 pkg/watch/watch.go Bookmark
 */
export interface Bookmark {
  apiVersion: string;
  kind: string;
  metadata: { resourceVersion: string; annotations?: Record<string, string> };
}

/**
 * The annotation of the bookmark that ends the initial events of a streaming list, with the value `"true"`. Other
 * bookmarks do not have it.
 *
 * Upstream: kubernetes/apimachinery@v0.36.3 pkg/apis/meta/v1/types.go InitialEventsAnnotationKey
 */
export const INITIAL_EVENTS_END = 'k8s.io/initial-events-end';

/**
 * Returns whether the event is the bookmark that ends the initial events of a streaming list. Then the client has
 * received every object of that revision.
 *
 * Upstream: kubernetes/apiserver@v0.36.3 pkg/storage/util.go HasInitialEventsEndBookmarkAnnotation
 */
export function isInitialEventsEnd(event: WatchEvent): boolean {
  return event.type === 'BOOKMARK' && event.object.metadata.annotations?.[INITIAL_EVENTS_END] === 'true';
}

/**
 * An event of a watch stream.
 *
 * - `ADDED`, `MODIFIED`: `object` is the state after the change.
 * - `DELETED`: `object` is the last state, with the resourceVersion of the *deletion*.
 * - `BOOKMARK`: no object changed; the stream has reached this revision.
 * - `ERROR`: the stream has ended; `object` is the Status with the reason (410: list again).
 */
export type WatchEvent<T extends KubeObject = KubeObject> =
  | { readonly type: 'ADDED' | 'MODIFIED' | 'DELETED'; readonly object: T }
  | { readonly type: 'BOOKMARK'; readonly object: Bookmark }
  | { readonly type: 'ERROR'; readonly object: Status };
