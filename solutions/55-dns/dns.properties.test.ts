import { describe, test } from 'vitest';
import { components } from '#components';
import { holds, remembering } from '#harness/testing';
import { type DnsScenario, dnsScenarios, dnsLaws as laws, runDns } from '#laws/55-dns';
import { newKubernetesDns } from './kubernetes-dns.ts';

/** All laws check the same runs; each run happens once. */
const live = remembering((scenario: DnsScenario) => runDns(newKubernetesDns, components, scenario));
const lives = dnsScenarios();

describe('The laws of names', () => {
  test('At rest: in the end each name answers what services, slices and namespaces say', () =>
    holds(laws.atRest, lives, live));

  test('Never denies: a name that was there all the time is never said not to exist', () =>
    holds(laws.neverDenies, lives, live));

  test('Steady: a name that did not change has its own answer, or none yet', () =>
    holds(laws.steady, lives, live));

  test('Invents nothing: each address was that of the name, when it was told or before', () =>
    holds(laws.inventsNothing, lives, live));

  test('Knows: once it has seen everything, it never says again that it does not know', () =>
    holds(laws.knows, lives, live));

  test('There and back: in the end the name of an address leads to this address', () =>
    holds(laws.thereAndBack, lives, live));

  test('Complete: in the end each target of a port has its addresses', () =>
    holds(laws.complete, lives, live));
});
