import { describe, test } from 'vitest';
import { holds, remembering } from '#harness/testing';
import {
  mirroringLaws as laws,
  type MirroringScenario,
  mirroringScenarios,
  runMirroring,
} from '#laws/57-endpoint-slice-mirroring';
import { components } from '../components.ts';
import { endpointSliceMirroringController } from './mirroring.ts';

/** All laws check the same runs; each run happens once. */
const live = remembering((scenario: MirroringScenario) =>
  runMirroring(endpointSliceMirroringController, components, scenario),
);
const lives = mirroringScenarios();

describe('The laws of mirrored slices', () => {
  test('Mirrors: in the end the slices have exactly the addresses and metadata of their Endpoints', () =>
    holds(laws.mirrors, lives, live));

  test('Its own: the controller writes only slices that it manages', () => holds(laws.itsOwn, lives, live));

  test('No gap: while Endpoints are mirrored, their last slice stays', () => holds(laws.noGap, lives, live));

  test('Never twice: no slice has the ports and the family of another one', () =>
    holds(laws.neverTwice, lives, live));

  test('Quiet: at rest no write is sent, not even by a controller that restarts', () =>
    holds(laws.quiet, lives, live));
});
