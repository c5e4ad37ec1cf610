import type * as core from '#api/core/v1';
import type { Node, Pod } from '../../../api/objects.ts';
import { type ClusterState, othersIn } from '../../scheduling/oracle/cluster-state.ts';
import { plural, whyCounted, whyLeftOut, whyUnlike } from '../../scheduling/oracle/explaining.ts';
import { placeOf, samePlace } from '../../scheduling/oracle/topology.ts';

/** The part of one constraint in the raw score of a node. */
interface SpreadPart {
  readonly wish: core.TopologySpreadConstraint;
  /** The nodes that count as domains, and the nodes whose domains count pods. */
  readonly considered: readonly Node[];
  /** The number of domains. */
  readonly places: number;
  /** The nodes of the domain that count. */
  readonly here: readonly Node[];
  /** The pods on them that count. */
  readonly alike: readonly Pod[];
  readonly weight: number;
  readonly crowd: number;
}

/** Explains one part of the raw score of a node: its formula, and the nodes and pods of the domain that do not count. */
export function reasonsOf(
  { wish, considered, places, here, alike, weight, crowd }: SpreadPart,
  wishes: readonly core.TopologySpreadConstraint[],
  pod: Pod,
  node: Node,
  simulation: ClusterState,
): readonly string[] {
  const { topologyKey, maxSkew } = wish;
  const isHost = topologyKey === 'kubernetes.io/hostname';
  const names = alike.length > 0 ? ` (${alike.map(({ metadata }) => metadata.name).join(', ')})` : '';
  const nodes = here.map(({ metadata }) => metadata.name).join(', ') || 'no node that counts';
  const pods = `${plural(alike.length, 'matching pod')}${names} on ${nodes}`;
  const domains = isHost ? 'feasible nodes' : 'domains of feasible nodes';
  const left = simulation.nodes.filter((each) => samePlace(topologyKey, each, node) && !here.includes(each));
  const unlike = here
    .flatMap((each) => othersIn(simulation, pod, each))
    .filter((other) => !alike.includes(other));
  return [
    `${topologyKey}: ${pods} × ln(${places} ${domains} + 2) + maxSkew ${maxSkew} - 1 = ${alike.length} × ${weight.toFixed(2)} + ${maxSkew - 1} = ${crowd.toFixed(2)}`,
    ...here.flatMap((each) => (isHost ? [] : whyCounted(wish, pod, each))),
    ...simulation.nodes
      .filter((each) => !considered.includes(each))
      .map((each) => {
        const lacks = wishes.find((one) => placeOf(one.topologyKey, each) === undefined);
        return `${each.metadata.name} adds no domain: it ${lacks ? `lacks the label ${lacks.topologyKey}` : 'is not feasible'}`;
      }),
    ...left.map((each) =>
      isHost
        ? `the pods on ${each.metadata.name} count only there: each node is a domain of its own, even if the label ${topologyKey} is the same`
        : `${each.metadata.name} does not count: ${whyLeftOut(wish, wishes, pod, each)}`,
    ),
    ...unlike.map((other) => `${other.metadata.name} does not count: ${whyUnlike(other, pod)}`),
  ];
}
