import fc from 'fast-check';
import type { Fault } from '../../faults/index.ts';
import { nodeIndexes, plain, podPlans } from './deeds.ts';
import { type Deed, type NodePlan, PROCESS, type Step } from './step.ts';

type Plot = fc.Arbitrary<readonly Step[]>;

const strike = (fault: Fault, afterMs = 0): Step => ({ afterMs, strike: fault });
const step = (deed: Deed, afterMs = 0): Step => ({ afterMs, ...deed });
const create = (cpu: number, priority = 0, afterMs = 0): Step =>
  step({ do: 'create', pod: plain(cpu, priority) }, afterMs);
const wait = (afterMs: number): Step => step({ do: 'nothing' }, afterMs);
const holdBack = (resource: string, forMs: number, afterMs = 0): Step =>
  strike({ fault: 'delay-watches', process: PROCESS, resource, forMs }, afterMs);

const reap = (afterMs = 0): Step => step({ do: 'reap' }, afterMs);

/** Enough for whatever is under way to be over. */
const calmMs = fc.integer({ min: 12_000, max: 20_000 });
const briefly = fc.integer({ min: 0, max: 40 });

/** One node of so much room, nobody on it, and nothing else in the cluster. */
const stage = (afterMs: number, cpu: number, pods = 8): readonly Step[] => [
  step({ do: 'begin-anew', as: { cpu, pods, disk: 'hdd' } }, afterMs),
  wait(12_000),
];

/** A bind that is carried out and never answered, or never carried out, while the watch is late and a rival waits. */
const unanswered: Plot = fc
  .record({
    afterMs: calmMs,
    cpu: fc.constantFrom(500, 1000),
    performed: fc.constantFrom(true, true, true, false),
    late: fc.constantFrom(true, true, true, false),
  })
  .map(({ afterMs, cpu, performed, late }) => [
    ...stage(afterMs, 250),
    create(1000, 100),
    create(cpu),
    wait(15_000),
    ...(late ? [holdBack('pods', 200_000)] : []),
    strike({ fault: 'time-out', process: PROCESS, performed }),
    step({ do: 'resize', node: 0, cpu: 1000 }),
    wait(90_000),
  ]);

/** While a bind is on its way, and long on it, the pod is changed. */
const touched: Plot = fc
  .tuple(calmMs, fc.boolean())
  .map(([afterMs, tolerate]) => [
    ...stage(afterMs, 1000),
    strike({ fault: 'time-out', process: PROCESS, performed: false }),
    create(500),
    step(tolerate ? { do: 'tolerate', pod: 0 } : { do: 'relabel', pod: 0, app: 'db' }, 3_000),
    wait(70_000),
  ]);

/** A pod that waits is being deleted, and stays for a while; now there is room for it. */
const dying: Plot = fc
  .tuple(calmMs, fc.boolean())
  .map(([afterMs, reaped]) => [
    ...stage(afterMs, 250),
    step({ do: 'create', pod: { ...plain(1000), kind: 'held' } }),
    wait(15_000),
    step({ do: 'delete', pod: 0 }),
    step({ do: 'resize', node: 0, cpu: 1000 }, 1_000),
    ...(reaped ? [reap(5_000)] : []),
    wait(5_000),
  ]);

/** A bind is refused, and before it is tried again the pod is gone: who has its room? (k#28883) */
export const refused: Plot = fc
  .record({
    afterMs: calmMs,
    reason: fc.constantFrom(
      'InternalError' as const,
      'TooManyRequests' as const,
      'ServiceUnavailable' as const,
      'Conflict' as const,
    ),
    next: fc.constantFrom('delete' as const, 'bind' as const, 'nothing' as const),
    laterMs: fc.integer({ min: 50, max: 900 }),
  })
  .map(({ afterMs, reason, next, laterMs }) => [
    ...stage(afterMs, 1000),
    step({ do: 'add-node', node: 1, as: { cpu: 500, pods: 8, disk: 'hdd' } }),
    wait(100),
    strike({ fault: 'refuse', process: PROCESS, reason, requests: 1 }),
    create(1000),
    ...(next === 'bind'
      ? [step({ do: 'bind', pod: 0, node: 1 }, laterMs)]
      : [step({ do: next, pod: 0 } as Deed, laterMs)]),
    ...(next === 'nothing' ? [] : [create(1000, 0, 100)]),
    wait(3_000),
  ]);

/** Somebody is faster, and the scheduler has not heard of it. */
const outrun: Plot = fc
  .tuple(calmMs, fc.constantFrom(500, 1000))
  .map(([afterMs, cpu]) => [
    ...stage(afterMs, 250),
    create(cpu),
    wait(15_000),
    step({ do: 'add-node', node: 3, as: { cpu: 2000, pods: 8, disk: 'hdd' } }),
    step({ do: 'cordon', node: 3, on: true }),
    holdBack('pods', 20_000, 100),
    step({ do: 'bind', pod: 0, node: 1 }),
    step({ do: 'resize', node: 0, cpu: 1000 }, 10),
    create(1000, 0, 5_000),
    wait(20_000),
  ]);

/** It is gone, and another of its name is there, which is greedier than there is room; nobody has told the scheduler. */
const reborn: Plot = fc
  .tuple(calmMs, fc.constantFrom(1000, 2000), briefly)
  .map(([afterMs, cpu, laterMs]) => [
    ...stage(afterMs, 250),
    create(500),
    wait(15_000),
    holdBack('pods', 30_000),
    step({ do: 'recreate', pod: 0, as: plain(cpu) }),
    step({ do: 'resize', node: 0, cpu: 500 }, laterMs),
    wait(35_000),
  ]);

/** It dies when it is about to bind, or has bound, and comes back to a server that shows it the past, when there was room. */
const forgetful: Plot = fc
  .record({
    afterMs: calmMs,
    performed: fc.boolean(),
    forMs: fc.constantFrom(20_000, 60_000),
    rivals: fc.integer({ min: 1, max: 2 }),
  })
  .map(({ afterMs, performed, forMs, rivals }) => [
    ...stage(afterMs, 1000),
    strike({ fault: 'crash', process: PROCESS, skip: 0, performed, restartAfterMs: 3_000 }),
    create(500),
    ...Array.from({ length: rivals }, (_, i) => create(500, i * 10)),
    strike({ fault: 'lag', replica: 0, forMs }, 100),
    strike({ fault: 'lag', replica: 1, forMs }),
    step({ do: 'place', node: 0, cpu: 1000 }),
    wait(forMs),
  ]);

/** A pod that it has bound is gone, perhaps before it was ever seen on its node, and nobody will tell of it any more. */
export const unseen: Plot = fc
  .record({
    afterMs: calmMs,
    how: fc.constantFrom('delete' as const, 'delete' as const, 'end' as const),
    seen: fc.constantFrom(false, false, true),
  })
  .map(({ afterMs, how, seen }) => [
    ...stage(afterMs, 250),
    create(1000),
    wait(15_000),
    ...(seen ? [] : [holdBack('pods', 20_000)]),
    step({ do: 'resize', node: 0, cpu: 1000 }),
    ...(seen ? [holdBack('pods', 20_000, 1_000)] : []),
    step(how === 'end' ? { do: 'end', pod: 0, phase: 'Failed' } : { do: 'delete', pod: 0 }, 200),
    reap(),
    strike({ fault: 'compact' }),
    strike({ fault: 'fail-watches', process: PROCESS, reason: 'Expired' }, 100),
    create(1000, 0, 25_000),
    wait(5_000),
  ]);

/** A node is made anew; whoever is bound to its name is still there. */
const remade: Plot = fc
  .tuple(calmMs, fc.constantFrom(0, 5, 3_000), fc.boolean())
  .map(([afterMs, goneMs, late]) => [
    ...stage(afterMs, 1000),
    create(500),
    wait(1_000),
    ...(late ? [holdBack('nodes', 5_000)] : []),
    step({ do: 'remove-node', node: 0 }),
    step({ do: 'add-node', node: 0, as: { cpu: 1000, pods: 8, disk: 'ssd' } }, goneMs),
    create(1000),
    create(500),
    wait(12_000),
  ]);

/** More of one size than there is room for, all at once: each decision must count before the server knows of it. */
const rush: Plot = fc
  .tuple(calmMs, fc.integer({ min: 3, max: 6 }), fc.constantFrom(0, 500), fc.boolean())
  .map(([afterMs, pods, cpu, late]) => [
    ...stage(afterMs, 1000, 2),
    ...(late ? [holdBack('pods', 9_000, 10)] : []),
    step({ do: 'cordon', node: 0, on: true }),
    ...Array.from({ length: pods }, (_, i) => create(cpu, i)),
    step({ do: 'cordon', node: 0, on: false }, 3_000),
    wait(20_000),
  ]);

/** The important ones cannot run, whatever they try, and are woken again and again; one that could comes late. */
const crowd: Plot = fc
  .tuple(
    calmMs,
    fc.integer({ min: 1, max: 3 }),
    fc.array(fc.integer({ min: 100, max: 2_000 }), { minLength: 3, maxLength: 8 }),
  )
  .map(([afterMs, waiting, passes]) => [
    ...stage(afterMs, 500),
    step({ do: 'place', node: 0, cpu: 500 }),
    ...Array.from({ length: waiting }, () => create(500, 100)),
    ...passes.map((laterMs) => step({ do: 'pass', node: 0, cpu: 250 }, laterMs)),
    create(0),
    wait(5_000),
  ]);

/** Pods of every importance find one node closed, and then the scheduler is started anew. */
const queueing: Plot = fc
  .tuple(calmMs, fc.array(fc.constantFrom(0, 10, 100), { minLength: 2, maxLength: 4 }))
  .map(([afterMs, priorities]) => [
    ...stage(afterMs, 1000),
    step({ do: 'cordon', node: 0, on: true }),
    strike({ fault: 'crash', process: PROCESS, skip: 0, performed: false, restartAfterMs: 5_000 }),
    ...priorities.map((priority) => create(500, priority)),
    step({ do: 'cordon', node: 0, on: false }, 3_000),
    wait(10_000),
  ]);

/**
 * What goes wrong in several steps, each of which does little by itself. Deeds and faults at random come together in
 * this way too, but so seldom that a test of a hundred lives would find nothing.
 */
export const all: readonly Plot[] = [
  // Some come twice, because one in two of them is harmless.
  unanswered,
  unanswered,
  touched,
  dying,
  refused,
  outrun,
  reborn,
  forgetful,
  forgetful,
  unseen,
  unseen,
  remade,
  rush,
  crowd,
  queueing,
];

type Scene = fc.Arbitrary<readonly Deed[]>;

/** There is exactly so much room, and exactly so much is asked for; and one crumb more. */
const filled: Scene = nodeIndexes.map((node) => [{ do: 'fill', node }]);

const ROOMY: NodePlan = { cpu: 16_000, pods: 20, disk: 'ssd' };

/** Many want one node that is closed, and it is opened: they go by their importance. */
const opened: Scene = fc
  .tuple(fc.array(fc.constantFrom(0, 10, 100), { minLength: 2, maxLength: 3 }))
  .map(([priorities]) => [
    { do: 'add-node', node: 0, as: ROOMY },
    { do: 'rebuild-node', node: 0, as: ROOMY },
    ...([0, 1, 2, 3] as const).map((node): Deed => ({ do: 'cordon', node, on: true })),
    ...priorities.map((priority): Deed => ({ do: 'create', pod: { ...plain(500, priority), wish: 'ssd' } })),
    { do: 'cordon', node: 0, on: false },
  ]);

/** Things that could help nobody, while somebody waits. */
const idle: Scene = fc.tuple(nodeIndexes, podPlans, fc.constantFrom(500, 4000)).map(([node, pod, cpu]) => [
  { do: 'add-node', node, as: { cpu: 1000, pods: 8, disk: 'hdd' } },
  { do: 'create', pod: { ...pod, cpu: 8000 } },
  { do: 'heartbeat', node },
  { do: 'redisk', node, disk: 'ssd' },
  { do: 'resize', node, cpu },
  { do: 'dedicate', node, on: true },
]);

/** Some come that can run nowhere, and one that can. */
const crowded: Scene = fc.tuple(nodeIndexes, fc.integer({ min: 1, max: 3 })).map(([node, giants]) => [
  { do: 'add-node', node, as: ROOMY },
  { do: 'crowd', giants },
]);

/** Room is made for one who waits. */
const relieved: Scene = fc
  .tuple(nodeIndexes, fc.constantFrom('end' as const, 'delete' as const, 'resize' as const))
  .map(([node, how]): readonly Deed[] => [
    { do: 'add-node', node, as: { cpu: 1000, pods: 8, disk: 'hdd' } },
    { do: 'fill', node },
    ...(how === 'end' ? [0, 1, 2].map((pod): Deed => ({ do: 'end', pod, phase: 'Succeeded' })) : []),
    ...(how === 'delete' ? ([{ do: 'delete', pod: 0 }, { do: 'reap' }] as const) : []),
    ...(how === 'resize' ? ([{ do: 'resize', node, cpu: 4000 }] as const) : []),
  ]);

/** What happens after the faults, when the scheduler is watched at its leisure. */
export const calm: readonly Scene[] = [filled, opened, idle, relieved, crowded];
