import fc from 'fast-check';
import type { Node } from '../../../api/objects.ts';
import { CycleState, type Filtering } from '../../../contracts/framework/index.ts';
import type { PureLaw } from '../../../testing/obeys.ts';
import { described } from '../../../testing/telling.ts';
import type { SchedulingCluster } from '../../scheduling/simulation.ts';
import type { Ground } from '../scenario.ts';
import { filterLaw, from } from './asking.ts';

/** A cluster so large that a search ends early: its nodes are repeated without pods. */
interface Large {
  readonly cluster: SchedulingCluster;
  readonly size: number;
  readonly percentage: number;
  readonly startIndex: number;
}

const large = (ground: Ground): fc.Arbitrary<Large> =>
  fc
    .record({
      cluster: ground.usual,
      size: fc.oneof(fc.integer({ min: 90, max: 130 }), fc.integer({ min: 131, max: 600 })),
      percentage: fc.constantFrom(0, 0, 30, 50, 70, 100),
      startIndex: fc.nat({ max: 400 }),
    })
    .map((input) =>
      described(input, ({ cluster, size }) => [
        String(cluster),
        `these nodes are repeated, without pods, up to ${size} nodes`,
      ]),
    );

/**
 * In a large cluster the search ends when it has enough nodes, wraps around, and the next one starts where this one ended. Its result
 * is the beginning of the result of a full search.
 */
export const stopsAtEnough = (ground: Ground): PureLaw<Filtering, Large> =>
  filterLaw(ground, {
    inputs: large(ground),
    runs: 0.3,
    violation({ plugins, findNodesThatFit }, { cluster, size, percentage, startIndex }) {
      const { pod } = cluster;
      const nodes = [...Array(size).keys()].map((index) => copy(cluster.nodes, index));
      const snapshot = cluster.with({ nodes }).snapshot();
      const look = (part: number) =>
        findNodesThatFit({
          plugins,
          state: new CycleState(),
          pod,
          snapshot,
          startIndex,
          percentageOfNodesToScore: part,
        });
      const [all, some] = [look(100), look(percentage)];
      if (all.diagnosis.preFilterMsg) return undefined;
      const enough = enoughOf(size, percentage);
      const where = `${size} nodes (${all.feasible.length} fit), percentageOfNodesToScore ${percentage}, startIndex ${startIndex}: `;
      const found = new Set(all.feasible.map(({ name }) => name));
      const inTurn = from(startIndex, nodes).flatMap(({ metadata: { name } }) =>
        found.has(name) ? [name] : [],
      );
      for (const { feasible } of [all, some]) {
        const early = feasible.findIndex(({ name }, index) => name !== inTurn[index]);
        if (early < 0) continue;
        return `${where}feasible[${early}] is ${feasible[early]?.name}; expected ${inTurn[early]}: start at index ${startIndex % size} of the snapshot, and wrap around.`;
      }
      if (some.feasible.length !== Math.min(enough, all.feasible.length)) {
        return `${where}findNodesThatFit found ${some.feasible.length} nodes; it must stop at ${enough}, which is ${whyEnough(size, percentage)}.`;
      }
      const looked = some.feasible.length + some.diagnosis.nodeToStatus.size;
      const last = some.feasible.at(-1);
      const needed =
        some.feasible.length < enough || !last
          ? size
          : 1 + ((size + indexOf(nodes, last.name) - (startIndex % size)) % size);
      if (looked !== needed) {
        return `${where}findNodesThatFit filtered ${looked} nodes (feasible or in the diagnosis); expected ${needed}: the search ends when ${enough} are found, or after one round.`;
      }
      const next = (startIndex + looked) % size;
      return some.nextStartIndex === next
        ? undefined
        : `${where}findNodesThatFit filtered ${looked} nodes and returned nextStartIndex ${some.nextStartIndex}; expected ${next}: (startIndex + filtered nodes) % nodes.`;
    },
  });

function indexOf(nodes: readonly Node[], name: string): number {
  return nodes.findIndex(({ metadata }) => metadata.name === name);
}

/** Upstream: kubernetes/kubernetes@v1.36.3 pkg/scheduler/schedule_one.go Scheduler.numFeasibleNodesToFind */
function enoughOf(size: number, percentage: number): number {
  if (size < 100) return size;
  const part = percentage || Math.max(5, 50 - Math.floor(size / 125));
  return Math.max(100, Math.floor((size * part) / 100));
}

function whyEnough(size: number, percentage: number): string {
  if (size < 100) return 'all nodes of a cluster with fewer than 100';
  const part = percentage ? `${percentage} %` : '(50 - nodes / 125) %, at least 5 %,';
  return `${part} of the nodes, but at least 100`;
}

function copy(nodes: readonly Node[], index: number): Node {
  const node = nodes[index % nodes.length] as Node;
  if (index < nodes.length) return node;
  const { metadata } = node;
  return {
    ...node,
    metadata: { ...metadata, name: `${metadata.name}-${index}`, uid: `${metadata.uid}-${index}` },
  };
}
