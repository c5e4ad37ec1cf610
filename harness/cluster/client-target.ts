import type { Connection } from '../client/connection.ts';
import type { ProcessTarget } from '../faults/index.ts';

/** Returns the connection of a client, such as `kubectl`, as a target of faults. It crashes once, and never starts again. */
export function clientTarget(name: string, connection: Connection): ProcessTarget {
  return {
    name,
    cutWatches: () => connection.cutWatches(),
    failWatches: (status) => connection.failWatches(status),
    holdWatches: (resource) => connection.holdWatches(resource),
    crash: () => connection.line.sever(),
    start: () => {},
    skewClock: () => {},
  };
}
