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
  test('Exact: in the end slices say of each pod what it is, once, and nothing else', () =>
    holds(laws.exact, lives, live));

  test('The old form: in the end Endpoints do, too, and there are none without a Service', () =>
    holds(laws.endpointsExact, lives, live));

  test('Bounded: no slice holds more than it may, or an endpoint twice', () =>
    holds(laws.bounded, lives, live));

  test('Truthful: what is written of a pod was so since the controller was told last', () =>
    holds(laws.truthful, lives, live));

  test('Meaningful: a write changes what is said', () => holds(laws.meaningful, lives, live));

  test('Quiet: at rest nothing is written, also not by a controller that starts', () =>
    holds(laws.quiet, lives, live));

  test('Sparing: one change of one pod is one write for each Service', () =>
    holds(laws.sparing, lives, live));
});
