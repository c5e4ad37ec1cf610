import fc from 'fast-check';
import type { Workload } from '../../../testing/holds.ts';
import type { IpamScenario, Step } from '../scenario/index.ts';
import {
  blockedNetwork,
  fileOf,
  type NetworkPlan,
  type SetPlan,
  vastNetwork,
  wrongNetworks,
} from '../scenario/networks.ts';
import {
  add,
  atOnce,
  CONTAINERS,
  calls,
  check,
  containers,
  leftEmpty,
  type Networks,
  plain,
  QUIET_MS,
  scenariosWith,
  steps,
  tight,
  toTheLast,
  wide,
} from './operations.ts';

/** Generates requested addresses: mostly one, else one of each set, or any. */
function wishes({ sets }: NetworkPlan): fc.Arbitrary<readonly string[]> {
  const own = sets.map(({ addresses }) => addresses.map(fileOf));
  const any = fc.oneof(
    { weight: 6, arbitrary: fc.constantFrom(...own.flat()) },
    { weight: 2, arbitrary: fc.constantFrom(...sets.flatMap(({ gateways }) => gateways)) },
    { weight: 2, arbitrary: fc.constantFrom(...sets.flatMap(({ outside = [] }) => outside), '10.9.9.9') },
  );
  const ofEach = fc
    .tuple(...own.map((addresses) => fc.constantFrom(...addresses)))
    .chain((list) => fc.shuffledSubarray(list, { minLength: list.length }));
  return fc.oneof(
    { weight: 4, arbitrary: any.map((one) => [one]) },
    { weight: sets.length > 1 ? 2 : 0, arbitrary: ofEach },
    { weight: 2, arbitrary: fc.uniqueArray(any, { minLength: 2, maxLength: 3 }) },
  );
}

const asksFor = (networks: Networks): fc.Arbitrary<IpamScenario> =>
  networks.chain((plans) => {
    const asking = fc.record({
      afterMs: atOnce,
      call: fc.constant('ADD' as const),
      network: fc.constant(0),
      container: containers,
      asksFor: wishes(plans[0] as NetworkPlan),
    });
    return scenariosWith(
      fc.constant(plans),
      steps(fc.oneof({ weight: 2, arbitrary: asking }, { weight: 2, arbitrary: calls({ afterMs: atOnce }) })),
    );
  });

/** A container requests its own address, or another one of the same set, after other sets have allocated theirs. */
const asksAgain: fc.Arbitrary<IpamScenario> = fc
  .tuple(fc.oneof(plain, wide), fc.nat({ max: 1 }))
  .chain(([plans, at]) => {
    const [first] = (plans[0] as NetworkPlan).sets as readonly [SetPlan];
    const asked = fileOf(first.addresses[at] ?? first.addresses[0] ?? '');
    return scenariosWith(
      fc.constant(plans),
      fc.constant([add(0), add(0, { asksFor: [asked] }), check(0), add(1)]),
    );
  });

/** ★ Scenarios with requested addresses. */
export const askingWorkloads: readonly Workload<IpamScenario>[] = [
  { name: 'a requested address', runs: 50, scenarios: asksFor(plain) },
  { name: 'requested addresses in several range sets', runs: 30, scenarios: asksFor(wide) },
  { name: 'a second ADD with a requested address', runs: 6, scenarios: asksAgain },
];

const status: Step = { afterMs: QUIET_MS, call: 'STATUS', network: 0 };

/** ★ Scenarios with STATUS. */
export const statusWorkloads: readonly Workload<IpamScenario>[] = [
  {
    name: 'STATUS until the range is full',
    runs: 20,
    scenarios: scenariosWith(
      tight,
      toTheLast.map((list) => list.flatMap((step) => [step, status])),
    ),
  },
  {
    name: 'STATUS of an invalid configuration',
    runs: 2,
    scenarios: scenariosWith(
      fc.constant(wrongNetworks),
      fc.constant(wrongNetworks.map((_, network): Step => ({ ...status, network }))),
    ),
  },
  {
    name: 'STATUS at any time',
    runs: 20,
    scenarios: scenariosWith(
      fc.oneof(tight, wide),
      steps(
        fc.oneof(
          { weight: 3, arbitrary: calls({ afterMs: atOnce }) },
          { weight: 1, arbitrary: fc.constant(status) },
        ),
      ),
    ),
  },
  {
    name: 'STATUS after an older host-local left empty files',
    runs: 6,
    scenarios: scenariosWith(
      tight,
      fc
        .nat({ max: 2 })
        .map((before) => [
          ...Array.from({ length: before }, (_, i) => add(i)),
          ...Array.from({ length: CONTAINERS }, (_, at) => leftEmpty(at)),
          status,
          add(5),
          status,
        ]),
    ),
  },
  {
    name: 'STATUS of a /64 subnet',
    runs: 1,
    scenarios: scenariosWith(fc.constant([vastNetwork]), fc.constant([add(0), status])),
  },
  {
    name: 'STATUS with a file in place of the directory',
    runs: 1,
    scenarios: scenariosWith(fc.constant([blockedNetwork]), fc.constant([status])),
  },
];
