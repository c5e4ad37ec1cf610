import type { KubeObject } from '../../api/objects.ts';
import { DeletedFinalStateUnknown, type SharedInformer } from '../../contracts/informer.ts';
import type { Notification } from './history.ts';

/** A notification whose time its receiver adds. */
export type UntimedNotification = Notification extends infer T
  ? T extends Notification
    ? Omit<T, 'atMs'>
    : never
  : never;

/** Wraps an informer so that it reports its notifications. */
export function observed<T extends KubeObject>(
  informer: SharedInformer<T>,
  notify: (what: UntimedNotification) => void,
): SharedInformer<T> {
  return {
    indexer: informer.indexer,
    hasSynced: () => informer.hasSynced(),
    lastSyncResourceVersion: () => informer.lastSyncResourceVersion(),
    removeEventHandler: (registration) => informer.removeEventHandler(registration),
    run: (signal) => informer.run(signal),
    addEventHandler: (handler, resync) =>
      informer.addEventHandler(
        {
          onAdd: (object, isInInitialList) => {
            notify({ type: 'seen', object });
            return handler.onAdd?.(object, isInInitialList);
          },
          onUpdate: (previous, current) => {
            if (previous.metadata.uid !== current.metadata.uid) notify({ type: 'gone', object: previous });
            notify({ type: 'seen', object: current });
            return handler.onUpdate?.(previous, current);
          },
          onDelete: (last) => {
            notify({ type: 'gone', object: last instanceof DeletedFinalStateUnknown ? last.object : last });
            return handler.onDelete?.(last);
          },
        },
        resync,
      ),
  };
}
