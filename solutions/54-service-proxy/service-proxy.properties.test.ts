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

  test('Undisturbed: what works goes on, whatever happens to the proxy', () =>
    holds(laws.undisturbed, lives, live));

  test('Usable: no connection is sent to what is no endpoint', () => holds(laws.usable, lives, live));

  test('Fair: each endpoint has the same chance', () => holds(laws.fair, lives, live));

  test('Seen: endpoints see clients where that is promised', () => holds(laws.seen, lives, live));

  test('Sticky: a client comes back to its endpoint', () => holds(laws.sticky, lives, live));

  test('Returning: a known client is sent to what is usable', () => holds(laws.returning, lives, live));

  test('Streams: datagrams without a pause go to an endpoint that serves', () =>
    holds(laws.streams, lives, live));

  test('Tidy: rules of others stay, and none are left behind', () => holds(laws.tidy, lives, live));
});
