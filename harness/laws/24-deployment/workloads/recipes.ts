import fc from 'fast-check';
import type { Fault } from '../../../faults/index.ts';
import { pauses } from '../../../testing/arbitraries/time.ts';
import { fewReplicas, PROCESS, type Step, type UserEdit } from '../operations.ts';

const strike = (fault: Fault, afterMs = 0): Step => ({ afterMs, strike: fault });
const edit = (what: UserEdit, afterMs = 0): Step => ({ afterMs, ...what });

const images = fc.constantFrom('nginx:1.27', 'nginx:1.26', 'nginx:broken');
/** A time during a roll-out. */
const soon = fc.integer({ min: 1, max: 2_500 });

/**
 * A broken image, and back: at once, during the roll-out, or when every controller has observed it.
 *
 * Random edits and faults reach these situations too rarely for a hundred runs.
 */
export const mishap: fc.Arbitrary<readonly Step[]> = fc
  .tuple(pauses, fc.oneof(soon, fc.integer({ min: 5_000, max: 900_000 })), fc.boolean())
  .map(([afterMs, laterMs, undone]) => [
    edit({ edit: 'image', image: 'nginx:broken' }, afterMs),
    edit(undone ? { edit: 'undo' } : { edit: 'image', image: 'nginx:1.27' }, laterMs),
  ]);

/** A change of size during a roll-out, perhaps while it is paused. */
export const rescale: fc.Arbitrary<readonly Step[]> = fc
  .tuple(images, soon, fewReplicas, soon, fc.boolean())
  .map(([image, beforeMs, replicas, afterMs, paused]) => [
    edit({ edit: 'image', image }, 5_000),
    ...(paused ? [edit({ edit: 'pause' }, beforeMs)] : []),
    edit({ edit: 'scale', replicas }, beforeMs),
    ...(paused ? [edit({ edit: 'resume' }, afterMs)] : []),
  ]);

/** A pause during a roll-out, a change of size, perhaps another image, and no resume. */
export const freeze: fc.Arbitrary<readonly Step[]> = fc
  .tuple(fc.constantFrom('nginx:broken', 'nginx:broken', 'nginx:1.27'), soon, fewReplicas, fc.boolean())
  .map(([image, beforeMs, replicas, another]) => [
    edit({ edit: 'scale', replicas: replicas + 2 }),
    edit({ edit: 'image', image }, 20_000),
    edit({ edit: 'pause' }, beforeMs),
    edit({ edit: 'scale', replicas }, 5_000),
    ...(another ? [edit({ edit: 'image', image: 'nginx:1.28' }, 1_000)] : []),
  ]);

/** The controller crashes several times during a roll-out, and continues. */
export const deaths: fc.Arbitrary<readonly Step[]> = fc
  .tuple(
    images,
    fc.array(fc.record({ skip: fc.nat({ max: 6 }), performed: fc.boolean() }), {
      minLength: 1,
      maxLength: 3,
    }),
  )
  .map(([image, each]) => [
    edit({ edit: 'image', image }, 3_000),
    ...each.map(({ skip, performed }) =>
      strike({ fault: 'crash', process: PROCESS, skip, performed, restartAfterMs: 20 }, skip),
    ),
  ]);

/** The caches stop while the controller works; if only pods stop, it does not observe which pods exist. */
export const blindness: fc.Arbitrary<readonly Step[]> = fc
  .tuple(
    images,
    fc.constantFrom('replicasets', undefined, 'replicasets', 'pods', 'deployments'),
    soon,
    images,
  )
  .map(([image, resource, afterMs, next]) => [
    edit({ edit: 'image', image }, 3_000),
    strike(
      {
        fault: 'delay-watches',
        process: PROCESS,
        forMs: 8_000,
        ...(resource === undefined ? {} : { resource }),
      },
      afterMs,
    ),
    edit({ edit: 'image', image: next }, 500),
  ]);

/** The controller restarts with an old state. */
export const past: fc.Arbitrary<readonly Step[]> = fc
  .tuple(images, pauses, images, fc.nat({ max: 3 }))
  .map(([image, afterMs, next, skip]) => [
    edit({ edit: 'image', image }, 3_000),
    strike({ fault: 'lag', replica: 0, forMs: 20_000 }, afterMs),
    edit({ edit: 'image', image: next }, 10),
    strike({ fault: 'crash', process: PROCESS, skip, performed: true, restartAfterMs: 10 }, 0),
  ]);
