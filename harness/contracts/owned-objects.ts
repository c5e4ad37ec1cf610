import type { KubeObject } from '../api/objects.ts';
import { controllerOf } from '../api/predicates.ts';
import type { ResourceEventHandler } from './informer.ts';
import { lastKnown } from './last-known.ts';

/** The index of objects by the uid of their controller. */
export const CONTROLLER = 'controller';
/** The index of objects without a controller, by their namespace. */
export const ORPHAN = 'orphan';

/**
 * The indexers of {@link CONTROLLER} and {@link ORPHAN}.
 *
 * Upstream: kubernetes/kubernetes@v1.36.3 pkg/controller/controller_utils.go FilterPodsByOwner
 */
export const byController = {
  [CONTROLLER]: (object: KubeObject): string[] => {
    const owner = controllerOf(object);
    return owner ? [owner.uid] : [];
  },
  [ORPHAN]: (object: KubeObject): string[] => (controllerOf(object) ? [] : [object.metadata.namespace ?? '']),
};

/**
 * Returns handlers that report each change of an object: its addition (no `previous`), a change, or its deletion (no
 * `current`). Both have the same uid: a recreated object is reported as a deletion followed by an addition. A resync is
 * not a change.
 */
export function changeHandler<T extends KubeObject>(
  onChange: (previous: T | undefined, current: T | undefined) => void,
): ResourceEventHandler<T> {
  return {
    onAdd: (object) => onChange(undefined, object),
    onUpdate: (previous, current) => {
      if (previous.metadata.resourceVersion === current.metadata.resourceVersion) return;
      if (previous.metadata.uid === current.metadata.uid) return onChange(previous, current);
      onChange(previous, undefined);
      onChange(undefined, current);
    },
    onDelete: (last) => onChange(lastKnown(last), undefined),
  };
}
