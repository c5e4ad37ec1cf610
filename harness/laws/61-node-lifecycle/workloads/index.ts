import fc from 'fast-check';
import type { Workload } from '../../../testing/holds.ts';
import type { NodeScenario } from '../scenario.ts';
import * as deaths from './deaths.ts';
import * as garbage from './garbage.ts';
import { anything } from './general.ts';
import * as hands from './hands.ts';
import * as names from './names.ts';
import { type Story, scenariosOf } from './parts.ts';
import * as zones from './zones.ts';

const workload = (name: string, stories: fc.Arbitrary<Story>, runs = 5): Workload<NodeScenario> => ({
  name,
  scenarios: scenariosOf(stories),
  runs,
});

/** The workloads of the lifecycle and eviction controllers. */
export const workloads: readonly Workload<NodeScenario>[] = [
  workload('anything', anything(false), 8),
  workload('anything, amid faults', anything(true), 8),
  workload('a node that stops', deaths.death, 6),
  workload('a node that stops and returns again and again', deaths.flapping, 3),
  workload('a pod that cannot be marked', deaths.contested, 2),
  workload('a recovery after all zones were down', deaths.forgiven, 3),
  workload('a clock that moves', deaths.clocks, 3),
  workload('a kubelet without leases', deaths.withoutLease, 3),
  workload('a report at the last moment', deaths.lastReport, 5),
  workload('a change at the last moment', deaths.lastMoment, 5),
  workload('a kubelet that never starts', deaths.mute, 3),
  workload('a kubelet that reports that it is not ready', deaths.notReady, 5),
  workload('a node that stops amid faults', deaths.deathAmidFaults, 8),
  workload('a crash at a verdict', deaths.crashAtVerdict, 7),
  workload('refused requests around a verdict', deaths.refusals, 7),
  workload('several nodes of a zone', zones.several, 4),
  workload('most nodes of a small zone', zones.most, 6),
  workload('a taint that need not wait', zones.besidesQueue, 2),
  workload('two of three nodes', zones.two, 2),
  workload('eleven of twenty nodes', zones.exactly, 1),
  workload('all nodes of a zone', zones.wholeZone, 3),
  workload('all nodes of all zones', zones.everything, 6),
  workload('most nodes of a large zone', zones.large(fc.constantFrom(51, 52)), 2),
  workload('most nodes of a zone that is not large', zones.large(fc.constant(50)), 1),
  workload('nodes that do not count', zones.excluded, 3),
  workload('a taint of a user', hands.taintedByHand, 6),
  workload('several taints of users', hands.severalTaints, 40),
  workload('taints with other effects', hands.otherEffects, 4),
  workload('tolerations that change', hands.changedTolerations, 6),
  workload('taints that a user undoes', hands.undone, 6),
  workload('pressures, routes and cordons', hands.conditions, 6),
  workload('refused taints', hands.refusedTaints, 5),
  workload('another pod of the same name', names.replacedPod, 5),
  workload('another pod between two requests', names.replacedMeanwhile, 4),
  workload('another pod before the first request', names.replacedBefore, 3),
  workload('another pod before a mark', names.replacedBeforeMark, 2),
  workload('pods of the same name in two namespaces', names.twoNamespaces, 4),
  workload('two evictions under one name', names.evictedAgain, 4),
  workload('pods that come late', names.newcomers, 5),
  workload('a Node that is deleted', names.deletedNode, 6),
  workload('refused evictions', names.refusedEviction, 6),
];

/** The workloads of the pod garbage collector. */
export const garbageWorkloads: readonly Workload<NodeScenario>[] = [
  workload('a Node that is deleted', garbage.orphans, 12),
  workload('a Node that is deleted twice', garbage.twice, 2),
  workload('a Node that is seen late', garbage.lateNode, 4),
  workload('a machine that is off', garbage.outOfService, 20),
  workload('a pod that takes the name of an orphan', garbage.namesakes, 20),
  workload('pods without a node', garbage.unscheduled, 2),
];
