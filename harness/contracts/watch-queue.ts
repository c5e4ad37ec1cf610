import type { KubeObject } from '../api/objects.ts';
import type { WatchEvent } from '../api/watch-event.ts';
import type { Watch } from './client.ts';
import { MessageQueue } from './message-queue.ts';

/** A {@link Watch} with both ends. */
export class WatchQueue<T extends KubeObject = KubeObject>
  extends MessageQueue<WatchEvent<T>>
  implements Watch<T> {}
