import { describe, test } from 'vitest';
import { holds, remembering } from '#harness/testing';
import { ttlLaws as laws, runTtl, type TtlScenario, ttlScenarios } from '#laws/67-ttl-after-finished';
import { components } from '../components.ts';
import { ttlAfterFinishedController } from './ttl-after-finished.ts';

/** All laws check the same runs; each run happens once. */
const live = remembering((scenario: TtlScenario) => runTtl(ttlAfterFinishedController, components, scenario));
const lives = ttlScenarios();

describe('The laws of finished Jobs', () => {
  test('Never early: no Job is deleted before it expires', () => holds(laws.neverEarly, lives, live));

  test('Gentle: Jobs are deleted by uid, after their pods', () => holds(laws.gentle, lives, live));

  test('On time: without faults each Job is deleted within a second of its expiry', () =>
    holds(laws.onTime, lives, live));

  test('Quiet: when no Job expires nothing is written, not even by a controller that restarts', () =>
    holds(laws.quiet, lives, live));
});
