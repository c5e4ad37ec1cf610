import fc from 'fast-check';
import type { Workload } from '../../../testing/holds.ts';
import { attachmentOf, type IpamScenario, type Step, textOf } from '../scenario/index.ts';
import { changedNetworks, movedNetworks, vastNetwork, wrongNetworks } from '../scenario/networks.ts';
import {
  add,
  atOnce,
  calls,
  check,
  containers,
  counted,
  deaths,
  del,
  eachInTurn,
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
  winding,
} from './operations.ts';

/** Two ADDs overlap, the later one is released, and another follows. */
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

/** Some calls crash one after the other; then their containers are released, and the free addresses counted. */
const dying: fc.Arbitrary<readonly Step[]> = fc
  .tuple(
    fc.array(fc.tuple(deaths, fc.constantFrom('ADD', 'ADD', 'DEL')), { minLength: 1, maxLength: 4 }),
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

/** Every container is checked, with and without an address. */
const checked: fc.Arbitrary<readonly Step[]> = fc
  .tuple(fc.array(containers, { minLength: 1, maxLength: 4 }), containers)
  .map(([present, gone]) => [
    ...present.map((container) => add(container)),
    check(gone),
    del(gone),
    ...[...present, gone].map((container) => check(container)),
  ]);

/** Containers are released while others are checked. */
const checkedAtOnce: fc.Arbitrary<readonly Step[]> = fc
  .array(fc.tuple(fc.nat({ max: 3 }), fc.nat({ max: 4 })), { minLength: 3, maxLength: 4 })
  .map((pauses) => [
    ...Array.from({ length: 5 }, (_, i) => add(i)),
    ...pauses.flatMap(([first, second], i) => [
      del(4 - i, { afterMs: i === 0 ? QUIET_MS : first + 8 }),
      { ...check(0), afterMs: second },
    ]),
  ]);

/** Containers are released while others are added. */
const addedAtOnce: fc.Arbitrary<readonly Step[]> = fc
  .array(fc.nat({ max: 9 }), { minLength: 4, maxLength: 4 })
  .map(([first = 0, second = 0, third = 0, fourth = 0]) => [
    ...Array.from({ length: 5 }, (_, i) => add(i)),
    del(4, { afterMs: QUIET_MS }),
    add(5, { afterMs: first }),
    del(3, { afterMs: second }),
    add(6, { afterMs: third }),
    del(2, { afterMs: fourth }),
  ]);

const powerCut: Step = { afterMs: 0, call: 'power cut' };

/** The power is cut during some calls; then others follow. */
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

/** The disk is full during some calls. */
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

/** Three ADDs crash, and the next call after each is a GC. */
const deathBed: fc.Arbitrary<readonly Step[]> = fc
  .array(fc.integer({ min: 5, max: 18 }), { minLength: 3, maxLength: 3 })
  .map((all) => [
    add(0),
    ...all.flatMap((dies, i) => [add(i + 1, { dies }), gc({ begun: true })]),
    inventory,
  ]);

/** Some addresses have an empty file of an older host-local. */
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

/** Two attachments that are easy to confuse: of one container, or of containers with similar names. */
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

/** An older host-local left the file of the last address empty or cut. */
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

/** Containers start, the ranges change, and commands for those containers follow. */
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

/**
 * A container with an address of earlier ranges gets another one. The disk has room for the file of its reservation,
 * and mostly not for the last address.
 */
const reconfiguredAndFull: fc.Arbitrary<IpamScenario> = fc
  .tuple(
    fc.constantFrom(...movedNetworks),
    fc.integer({ min: 1, max: 4 }),
    fc.nat({ max: 3 }),
    fc.constantFrom(0, 0, 0, -2, 9),
  )
  .chain(([[before, after], present, choice, more]) => {
    const one = choice % present;
    return scenariosWith(
      fc.constant([before]),
      fc.constant([
        ...Array.from({ length: present }, (_, i) => add(i)),
        { afterMs: QUIET_MS, call: 'configuration', network: 0, plan: after },
        {
          afterMs: QUIET_MS,
          call: 'disk full',
          forMs: 60,
          roomBytes: textOf(attachmentOf(one)).length + more,
        },
        add(one, { afterMs: 1 }),
        check(one),
        add(5),
        inventory,
      ]),
    );
  });

/** A few containers in a network with more addresses than a program can list. */
const vast: fc.Arbitrary<readonly Step[]> = fc
  .tuple(fc.nat({ max: 2 }), fc.boolean())
  .map(([gone, isCollected]) => [
    ...[0, 1, 2].map((i) => add(i)),
    check(gone),
    isCollected ? gc({ gone: [gone] }) : del(gone),
    add(3),
    add(0),
  ]);

/** The scenarios of the core laws. */
export const workloads: readonly Workload<IpamScenario>[] = [
  {
    name: 'calls one after the other',
    runs: 12,
    scenarios: scenariosWith(plain, steps(calls({ afterMs: inTurn }))),
  },
  { name: 'until the range is full', runs: 6, scenarios: scenariosWith(plain, toTheLast) },
  {
    name: 'each address in turn is the only free one',
    runs: 6,
    scenarios: scenariosWith(winding, eachInTurn),
  },
  { name: 'every container is checked', runs: 6, scenarios: scenariosWith(plain, checked) },
  { name: 'CHECK during DELs', runs: 12, scenarios: scenariosWith(plain, checkedAtOnce) },
  { name: 'ADD during DELs', runs: 12, scenarios: scenariosWith(plain, addedAtOnce) },
  {
    name: 'calls at the same time',
    runs: 16,
    scenarios: scenariosWith(plain, steps(calls({ afterMs: atOnce }))),
  },
  { name: 'one ADD overtakes another', runs: 8, scenarios: scenariosWith(plain, overtaking) },
  { name: 'a process crashes', runs: 32, scenarios: scenariosWith(plain, dying) },
  {
    name: 'many processes crash',
    runs: 12,
    scenarios: scenariosWith(
      plain,
      counted(steps(calls({ afterMs: atOnce, dying: 35, weights: { GC: 1 } }))),
    ),
  },
  { name: 'the power is cut', runs: 14, scenarios: scenariosWith(plain, cuts) },
  { name: 'the disk is full', runs: 20, scenarios: scenariosWith(plain, fullDisk) },
  { name: 'GC after crashes', runs: 18, scenarios: scenariosWith(plain, collecting) },
  { name: 'GC after a crashed ADD', runs: 20, scenarios: scenariosWith(plain, deathBed) },
  {
    name: 'several range sets',
    runs: 14,
    scenarios: scenariosWith(wide, counted(steps(calls({ afterMs: atOnce, dying: 15 })))),
  },
  { name: 'an older host-local left empty files', runs: 10, scenarios: scenariosWith(plain, emptyFiles) },
  { name: 'similar names', runs: 12, scenarios: scenariosWith(plain, lookingAlike) },
  {
    name: 'an invalid configuration',
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
    name: 'an older host-local crashed while it wrote last_reserved_ip',
    runs: 6,
    scenarios: scenariosWith(plain, lastIsLeft),
  },
  { name: 'the configuration changes', runs: 12, scenarios: reconfigured },
  { name: 'the disk is full after the configuration has changed', runs: 6, scenarios: reconfiguredAndFull },
  { name: 'a /64 subnet', runs: 2, scenarios: scenariosWith(fc.constant([vastNetwork]), vast) },
];
