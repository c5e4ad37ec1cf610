import { describe, test } from 'vitest';
import { holds, remembering } from '#harness/testing';
import {
  type EndpointsScenario,
  endpointsScenarios,
  endpointsLaws as laws,
  MAX_ENDPOINTS_PER_SLICE,
  runEndpoints,
} from '#laws/53-endpoints';
import { components } from '../components.ts';
import { endpointsController, newEndpointSliceController } from './endpoints.ts';

const controllers = {
  slices: newEndpointSliceController({ maxEndpointsPerSlice: MAX_ENDPOINTS_PER_SLICE }),
  endpoints: endpointsController,
};

/** All laws check the same runs; each run happens once. */
const live = remembering((scenario: EndpointsScenario) => runEndpoints(controllers, components, scenario));
const lives = endpointsScenarios();

describe('The laws of endpoints', () => {
  test('Exact: eventually slices describe each pod once and correctly, and nothing else', () =>
    holds(laws.exact, lives, live));

  test('Legacy Endpoints: eventually Endpoints do, too, and none exist without a Service', () =>
    holds(laws.endpointsExact, lives, live));

  test('Bounded: no slice exceeds its limit, or has an endpoint twice', () =>
    holds(laws.bounded, lives, live));

  test("Truthful: the written state of a pod was true at some time since the controller's last observation", () =>
    holds(laws.truthful, lives, live));

  test('Meaningful: every write changes contents', () => holds(laws.meaningful, lives, live));

  test('Quiet: at rest nothing is written, not even by a controller that restarts', () =>
    holds(laws.quiet, lives, live));

  test('Sparing: one change of one pod causes one write for each Service', () =>
    holds(laws.sparing, lives, live));
});
