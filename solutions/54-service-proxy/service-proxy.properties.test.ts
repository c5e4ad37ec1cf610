import { describe, test } from 'vitest';
import { components } from '#components';
import { holds, remembering } from '#harness/testing';
import { proxyLaws as laws, type ProxyScenario, proxyScenarios, runProxy } from '#laws/54-service-proxy';
import { serviceProxy } from './service-proxy.ts';

/** All laws check the same runs; each run happens once. */
const live = remembering((scenario: ProxyScenario) => runProxy(serviceProxy, components, scenario));
const lives = proxyScenarios();

describe('The laws of a service proxy', () => {
  test('Exact: at rest each address leads to all usable endpoints, and nowhere else', () =>
    holds(laws.exact, lives, live));

  test('Undisturbed: working connections keep working, whatever happens to the proxy', () =>
    holds(laws.undisturbed, lives, live));

  test('Usable: no connection is sent to an unusable endpoint', () => holds(laws.usable, lives, live));

  test('Fair: each endpoint has the same probability', () => holds(laws.fair, lives, live));

  test('Seen: endpoints see the address of the client where that is promised', () =>
    holds(laws.seen, lives, live));

  test('Sticky: a client with session affinity returns to its endpoint', () =>
    holds(laws.sticky, lives, live));

  test('Returning: a known client is sent to a usable endpoint', () => holds(laws.returning, lives, live));

  test('Streams: datagrams without a pause reach a serving endpoint', () => holds(laws.streams, lives, live));

  test('Tidy: foreign rules stay, and no stale rules are left', () => holds(laws.tidy, lives, live));
});
