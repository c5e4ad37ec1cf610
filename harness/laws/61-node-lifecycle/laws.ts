import type { Law } from '../../testing/holds.ts';
import type { History } from './simulation.ts';

// AUTHOR: a function for each law. It returns its violations: when, what was observed, what was expected, and of which object.

/** Liveness: in the end the annotation of every ConfigMap has the number of its keys. */
export const converges: Law<History> = ({ restedMs, unsettled, leftMs }) =>
  restedMs !== undefined
    ? []
    : unsettled.map(({ name, annotation, keys }) => ({
        atMs: leftMs,
        message: `ConfigMap ${name} has ${keys} keys, but its annotation is ${annotation ?? 'missing'}`,
        object: name,
      }));
