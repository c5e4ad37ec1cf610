import { describe, test } from 'vitest';
import { components } from '#components';
import { holds, remembering } from '#harness/testing';
import { type DnsScenario, dnsScenarios, dnsLaws as laws, runDns } from '#laws/55-dns';
import { newKubernetesDns } from './kubernetes-dns.ts';

/** All laws check the same runs; each run happens once. */
const live = remembering((scenario: DnsScenario) => runDns(newKubernetesDns, components, scenario));
const lives = dnsScenarios();

describe('The laws of names', () => {
  test('Converges: eventually each name matches the services, slices and namespaces', () =>
    holds(laws.atRest, lives, live));

  test('Never denies: the server never denies a name that existed all the time', () =>
    holds(laws.neverDenies, lives, live));

  test('Steady: an unchanged name has its correct answer, or none yet', () =>
    holds(laws.steady, lives, live));

  test('Invents nothing: each address in an answer belonged to the name, then or before', () =>
    holds(laws.inventsNothing, lives, live));

  test('Knows: after it has synced, the server never again answers that it does not know', () =>
    holds(laws.knows, lives, live));

  test('There and back: eventually the name of an address leads back to this address', () =>
    holds(laws.thereAndBack, lives, live));

  test('Complete: eventually each target of a port has its addresses', () =>
    holds(laws.complete, lives, live));
});
