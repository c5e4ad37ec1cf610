import fc from 'fast-check';
import type { Workload } from '../../testing/holds.ts';
import { changedNetworks, wrongNetworks } from './networks.ts';
import {
  add,
  atOnce,
  calls,
  check,
  containers,
  counted,
  deaths,
  del,
  gc,
  inTurn,
  inventory,
  leftEmpty,
  plain,
  QUIET_MS,
  scenariosWith,
  steps,
  toTheLast,
  twins,
  wide,
} from './operations.ts';
import type { IpamScenario, Step } from './scenario.ts';

/** Two overlap, the later one goes, and another comes. */
const overtaking: fc.Arbitrary<readonly Step[]> = fc
  .tuple(fc.nat({ max: 3 }), fc.nat({ max: 1 }))
  .map(([pause, gone]) => [
    add(0),
    add(1),
    add(2, { afterMs: pause }),
    del(1 + gone),
    add(3),
    add(4),
    add(5),
  ]);

/** Some die in the middle of a call, one after the other; their containers are released, and all is counted. */
const dying: fc.Arbitrary<readonly Step[]> = fc
  .tuple(
    fc.array(fc.tuple(deaths, fc.constantFrom('ADD', 'ADD', 'DEL')), { minLength: 1, maxLength: 3 }),
    fc.boolean(),
    fc.nat({ max: 6 }),
  )
  .map(([victims, isReleased, pause]) => [
    add(0),
    ...victims.flatMap(([dies, call], i) =>
      call === 'DEL' ? [add(i + 1), del(i + 1, { dies })] : [add(i + 1, { dies })],
    ),
    add(5, { afterMs: pause }),
    ...(isReleased ? victims.map((_, i) => del(i + 1)) : []),
    add(6),
    inventory,
  ]);

/** Every container is asked after, in its time and out of it. */
const checked: fc.Arbitrary<readonly Step[]> = fc
  .tuple(fc.array(containers, { minLength: 1, maxLength: 4 }), containers)
  .map(([present, gone]) => [
    ...present.map((container) => add(container)),
    check(gone),
    del(gone),
    ...[...present, gone].map((container) => check(container)),
  ]);

/** Containers go while others are asked after. */
const checkedAtOnce: fc.Arbitrary<readonly Step[]> = fc
  .array(fc.tuple(fc.nat({ max: 3 }), fc.nat({ max: 4 })), { minLength: 3, maxLength: 4 })
  .map((pauses) => [
    ...Array.from({ length: 5 }, (_, i) => add(i)),
    ...pauses.flatMap(([first, second], i) => [
      del(4 - i, { afterMs: i === 0 ? QUIET_MS : first + 8 }),
      { ...check(0), afterMs: second },
    ]),
  ]);

const powerCut: Step = { afterMs: 0, call: 'power cut' };

/** The power is cut in the middle of some calls; then it goes on. */
const cuts: fc.Arbitrary<readonly Step[]> = fc
  .tuple(
    fc.array(calls({ afterMs: atOnce }), { minLength: 1, maxLength: 6 }),
    fc.nat({ max: 12 }),
    fc.array(calls({ afterMs: atOnce, weights: { GC: 1 } }), { maxLength: 6 }),
    fc.boolean(),
  )
  .map(([before, afterMs, after, again]) => [
    ...before,
    { ...powerCut, afterMs },
    ...after,
    ...(again ? [{ ...powerCut, afterMs: 3 }] : []),
    inventory,
  ]);

/** The disk is full while containers come and go. */
const fullDisk: fc.Arbitrary<readonly Step[]> = fc
  .tuple(
    fc.oneof(fc.constant([]), steps(calls({ afterMs: inTurn, weights: { GC: 1 } }), 4)),
    fc.nat({ max: 6 }),
    fc.oneof(fc.constant(0), fc.integer({ min: 10, max: 20 }), fc.nat({ max: 40 })),
    steps(calls({ afterMs: atOnce }), 5),
  )
  .map(([before, afterMs, roomBytes, during]) => [
    ...before,
    { afterMs, call: 'disk full', forMs: 60, roomBytes } as Step,
    ...during,
    inventory,
  ]);

/** One dies in its ADD, and the next call is a GC. */
const deathBed: fc.Arbitrary<readonly Step[]> = fc
  .integer({ min: 8, max: 18 })
  .map((dies) => [add(0), add(1, { dies }), gc({ begun: true }), inventory]);

/** Empty files of an older host-local are among the addresses. */
const emptyFiles: fc.Arbitrary<readonly Step[]> = fc
  .tuple(fc.array(fc.nat({ max: 4 }), { minLength: 1, maxLength: 3 }), fc.nat({ max: 2 }), fc.boolean())
  .map(([left, before, isCollected]) => [
    ...Array.from({ length: before }, (_, i) => add(i)),
    ...left.map(leftEmpty),
    ...(isCollected ? [gc()] : []),
    add(2),
    add(6),
    check(2),
    ...left.map(leftEmpty),
    inventory,
  ]);

/** Two that are easily taken for each other: of one container, or of containers that are called alike. */
const lookingAlike: fc.Arbitrary<readonly Step[]> = fc
  .tuple(fc.constantFrom([0, 3], [3, 0], [0, 1], [2, 5], [2, 4], [1, 6]), fc.boolean(), fc.boolean())
  .map(([[one = 0, other = 0], isCollected, isListed]) => [
    add(one),
    check(other),
    add(other),
    ...(isListed ? [] : [gc({ unlisted: true })]),
    isCollected ? gc({ gone: [one] }) : del(one),
    check(one),
    check(other),
    add(one),
    inventory,
  ]);

const collecting: fc.Arbitrary<readonly Step[]> = fc
  .tuple(
    steps(calls({ afterMs: atOnce, dying: 30 }), 8),
    fc.array(containers, { maxLength: 3 }),
    fc.option(deaths, { nil: undefined }),
    steps(calls({ afterMs: atOnce, weights: { GC: 3 } }), 5),
  )
  .map(([before, gone, dies, after]) => [
    ...before,
    ...(dies === undefined ? [] : [gc({ dies })]),
    gc({ gone, begun: true }),
    ...after,
    gc(),
    inventory,
  ]);

/** What an older host-local leaves of the file that it writes the last address into: it is empty, or cut. */
const lastIsLeft: fc.Arbitrary<readonly Step[]> = fc
  .tuple(fc.constantFrom('', '', '10.1.', 'pod-1'), fc.nat({ max: 2 }), fc.boolean())
  .map(([text, before, isReleased]) => [
    ...Array.from({ length: before }, (_, i) => add(i)),
    { afterMs: QUIET_MS, call: 'left last', network: 0, set: 0, text },
    add(4),
    ...(isReleased ? [del(0)] : []),
    add(5),
    inventory,
  ]);

/** Containers come, the ranges change, and it goes on with those containers. */
const reconfigured: fc.Arbitrary<IpamScenario> = fc
  .tuple(fc.constantFrom(...changedNetworks), fc.integer({ min: 1, max: 4 }), fc.nat({ max: 3 }))
  .chain(([[before, after], present, one]) => {
    const operations = fc.shuffledSubarray([check(one), add(one), gc(), del(one), gc({ gone: [one] })], {
      minLength: 2,
    });
    return scenariosWith(
      fc.constant([before]),
      operations.map((list) => [
        ...Array.from({ length: present }, (_, i) => add(i)),
        { afterMs: QUIET_MS, call: 'configuration', network: 0, plan: after },
        ...list,
        add(5),
        inventory,
      ]),
    );
  });

/** The lives of the core. */
export const workloads: readonly Workload<IpamScenario>[] = [
  {
    name: 'one after the other',
    runs: 12,
    scenarios: scenariosWith(plain, steps(calls({ afterMs: inTurn }))),
  },
  { name: 'to the last address', runs: 8, scenarios: scenariosWith(plain, toTheLast) },
  { name: 'every container is checked', runs: 6, scenarios: scenariosWith(plain, checked) },
  { name: 'some are checked while others go', runs: 12, scenarios: scenariosWith(plain, checkedAtOnce) },
  { name: 'all at once', runs: 14, scenarios: scenariosWith(plain, steps(calls({ afterMs: atOnce }))) },
  { name: 'one overtakes another', runs: 8, scenarios: scenariosWith(plain, overtaking) },
  { name: 'a process dies', runs: 20, scenarios: scenariosWith(plain, dying) },
  {
    name: 'many die',
    runs: 12,
    scenarios: scenariosWith(
      plain,
      counted(steps(calls({ afterMs: atOnce, dying: 35, weights: { GC: 1 } }))),
    ),
  },
  { name: 'the power is cut', runs: 16, scenarios: scenariosWith(plain, cuts) },
  { name: 'the disk is full', runs: 10, scenarios: scenariosWith(plain, fullDisk) },
  { name: 'what is left is collected', runs: 12, scenarios: scenariosWith(plain, collecting) },
  { name: 'what one leaves that dies is collected', runs: 20, scenarios: scenariosWith(plain, deathBed) },
  {
    name: 'several range sets',
    runs: 14,
    scenarios: scenariosWith(wide, counted(steps(calls({ afterMs: atOnce, dying: 15 })))),
  },
  { name: 'an older host-local has left empty files', runs: 10, scenarios: scenariosWith(plain, emptyFiles) },
  { name: 'two look alike', runs: 12, scenarios: scenariosWith(plain, lookingAlike) },
  {
    name: 'the configuration is wrong',
    runs: 2,
    scenarios: scenariosWith(
      fc.constant(wrongNetworks),
      fc.constant(wrongNetworks.map((_, network) => add(0, { network }))),
    ),
  },
  {
    name: 'two networks',
    runs: 10,
    scenarios: scenariosWith(twins, steps(calls({ afterMs: atOnce, networks: 2, weights: { GC: 1 } }))),
  },
  {
    name: 'an older host-local dies while it writes the last',
    runs: 6,
    scenarios: scenariosWith(plain, lastIsLeft),
  },
  { name: 'the configuration changes', runs: 14, scenarios: reconfigured },
];
