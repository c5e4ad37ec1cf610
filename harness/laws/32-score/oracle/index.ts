import type { Node, Pod } from '../../../api/objects.ts';
import { type ClusterState, othersIn } from '../../scheduling/oracle/cluster-state.ts';
import { quoted } from '../../scheduling/oracle/explaining.ts';
import { nodeTermHolds, whyTermFails } from '../../scheduling/oracle/selecting.ts';
import { type Amounts, allocatableOf, mostAtOnce, togetherAskedBy } from '../../scheduling/oracle/taking.ts';
import { tolerates } from '../../scheduling/oracle/tolerating.ts';
import { isAlike, isEligible, placeOf, samePlace, speaksOf } from '../../scheduling/oracle/topology.ts';
import { termsBetween } from './pod-terms.ts';
import { reasonsOf } from './spread-reasons.ts';

/** A pod, and the nodes to score for it. */
export interface ScoreQuestion {
  readonly simulation: ClusterState;
  readonly pod: Pod;
  /** The names of the feasible nodes. */
  readonly feasible: readonly string[];
  /** The resources of NodeResourcesFit. @defaultValue cpu and memory, weight 1 each */
  readonly fit?: readonly WeighedResource[];
  /** The resources of NodeResourcesBalancedAllocation. @defaultValue cpu and memory */
  readonly balanced?: readonly { readonly name: string }[];
}

/** A resource and its weight. */
export interface WeighedResource {
  readonly name: string;
  readonly weight: number;
}

/** The right score of a node. */
export interface Worth {
  readonly node: string;
  /** One score; two if the exact result is a whole number, so that floating point may round it to either side. */
  readonly scores: readonly number[];
  /** The score before normalization, for a plugin that normalizes; undefined for a node that the plugin ignores. */
  readonly raw?: number;
  /** Explains the score, or the raw score, a line for each part. */
  why(): readonly string[];
  /** Explains the normalized score, for a plugin that normalizes. */
  whyNormalised?(): string;
}

/** The rules that nodes are scored by: the plugins, NodeResourcesFit with its strategy LeastAllocated. */
export type ScoringRule =
  | 'NodeResourcesFit'
  | 'NodeResourcesBalancedAllocation'
  | 'NodeAffinity'
  | 'TaintToleration'
  | 'ImageLocality'
  | 'PodTopologySpread'
  | 'InterPodAffinity';

/**
 * Returns the right score of each feasible node, normalized and without the weight of the plugin; for a pod that the plugin skips,
 * an equal score for all nodes.
 *
 * It computes each formula from the API objects alone, slowly and simply, and shares no code with the framework or a solution.
 *
 * The formulas are those of kubernetes/kubernetes@v1.36.3 pkg/scheduler/framework/plugins.
 */
export function worthOf(rule: ScoringRule, question: ScoreQuestion): readonly Worth[] {
  const feasible = question.feasible.flatMap((name) =>
    question.simulation.nodes.filter(({ metadata }) => metadata.name === name),
  );
  return rules[rule](question, feasible);
}

/** Reports whether a scoring rule has this name. */
export function isScoringRule(name: string): name is ScoringRule {
  return Object.hasOwn(rules, name);
}

type Rule = (question: ScoreQuestion, feasible: readonly Node[]) => readonly Worth[];

const BEST = 100;
const MIB = 1024 * 1024;

const rules: Readonly<Record<ScoringRule, Rule>> = {
  NodeResourcesFit: (question, feasible) =>
    feasible.map((node) => {
      const used = usage(question, node, question.fit ?? CPU_AND_MEMORY, someAssumed).map((each) => ({
        ...each,
        score: each.asked > each.has ? 0 : Math.floor(((each.has - each.asked) * BEST) / each.has),
      }));
      const sum = used.reduce((total, { score, weight }) => total + score * weight, 0);
      const weights = used.reduce((total, { weight }) => total + weight, 0);
      const why = (): readonly string[] => [
        ...used.map((each) => `${inUse(each)}, so ${each.score} at weight ${each.weight}`),
        used.length === 0 ? 'no resource counts' : 'the average is rounded down',
        'a container without a request counts 100m of cpu and 200Mi of memory',
      ];
      return worth(node, weights === 0 ? 0 : sum / weights, why);
    }),

  NodeResourcesBalancedAllocation: (question, feasible) => {
    const { pod, balanced = CPU_AND_MEMORY } = question;
    const wanted = mostAtOnce(pod);
    if (balanced.every(({ name }) => !wanted.get(name))) {
      return feasible.map((node) => worth(node, 0, () => ['the pod requests none of the resources']));
    }
    return feasible.map((node) => {
      const used = usage(question, node, balanced, nothingAssumed);
      const without = evenness(used.map(({ taken, has }) => taken / has));
      const withPod = evenness(used.map(({ asked, has }) => asked / has));
      // 50 plus the change is between 0 and 100; half of it is added to 50.
      const scores = withPod.scores.flatMap((after) =>
        without.scores.map((before) => BEST / 2 + Math.floor((BEST / 2 + after - before) / 2)),
      );
      const why = (): readonly string[] => [
        ...(used.length === 0 ? ['the node has none of the resources'] : used.map(inUse)),
        'a container without a request counts 0',
        `evenness is 100 × (1 - standard deviation of the used shares), rounded down: without the pod ${without.why()}, with the pod ${withPod.why()}`,
        'the score is 50 + (50 + with - without) / 2, rounded down',
      ];
      return { node: node.metadata.name, scores: [...new Set(scores)], why };
    });
  },

  NodeAffinity: ({ pod }, feasible) => {
    const terms = pod.spec.affinity?.nodeAffinity?.preferredDuringSchedulingIgnoredDuringExecution ?? [];
    const sums = feasible.map((node) =>
      terms.reduce((sum, { weight, preference }) => sum + (nodeTermHolds(preference, node) ? weight : 0), 0),
    );
    const most = Math.max(...sums);
    return feasible.map((node, i) => {
      const raw = sums[i] ?? 0;
      const why = (): readonly string[] =>
        terms.map(({ weight, preference }, term) => {
          const fails = whyTermFails(preference, node);
          return `preferred term ${term + 1} (weight ${weight}) ${fails === undefined ? 'matches' : `does not match: it ${fails}`}`;
        });
      const whyNormalised = () => `100 × ${raw} / ${most}, the highest, rounded down; 0 if all are 0`;
      return { ...worth(node, most === 0 ? 0 : (BEST * raw) / most, why), raw, whyNormalised };
    });
  },

  TaintToleration: ({ pod }, feasible) => {
    const intolerable = feasible.map(({ spec }) =>
      (spec.taints ?? []).filter(
        (taint) =>
          taint.effect === 'PreferNoSchedule' &&
          !(pod.spec.tolerations ?? []).some((toleration) => tolerates(toleration, taint)),
      ),
    );
    const most = Math.max(...intolerable.map(({ length }) => length));
    return feasible.map((node, i) => {
      const taints = intolerable[i] ?? [];
      const raw = taints.length;
      const score = most === 0 ? BEST : BEST - Math.floor((BEST * raw) / most);
      const why = (): readonly string[] => [
        `the pod does not tolerate ${raw} of its PreferNoSchedule taints${taints.map(({ key, value }) => ` ${key}=${value ?? ''}`).join(',')}`,
        'taints of other effects do not count',
      ];
      const whyNormalised = () =>
        most === 0
          ? '100, because no node has such a taint'
          : `100 - 100 × ${raw} / ${most}, the highest; the quotient is rounded down before the subtraction`;
      return { ...worth(node, score, why), raw, whyNormalised };
    });
  },

  ImageLocality: ({ pod, simulation }, feasible) => {
    const { containers, initContainers = [] } = pod.spec;
    const images = [...initContainers, ...containers].map(({ image = '' }) => tagged(image));
    const most = 1000 * MIB * images.length;
    return feasible.map((node) => {
      let bytes = 0;
      const parts = images.map((image) => {
        const nodes = simulation.nodes.filter((each) => sizeOf(image, each) !== undefined).length;
        const size = sizeOf(image, node);
        bytes += ((size ?? 0) * nodes) / simulation.nodes.length;
        return { image, size, nodes };
      });
      // Each image is rounded to bytes, which matters only at a boundary.
      const score = (sum: number): number =>
        (BEST * (Math.min(most, Math.max(23 * MIB, sum)) - 23 * MIB)) / (most - 23 * MIB);
      const scores = [Math.floor(score(bytes - images.length)), Math.floor(score(bytes))];
      const why = (): readonly string[] => [
        ...parts.map(({ image, size, nodes }) =>
          size === undefined
            ? `${image}: not on the node`
            : `${image}: ${(size / MIB).toFixed(1)} MiB × ${nodes} / ${simulation.nodes.length}, the share of all nodes of the cluster that have it`,
        ),
        `together ${(bytes / MIB).toFixed(1)} MiB`,
        `23 MiB or less give 0, 1000 MiB a container (here ${most / MIB}) or more give 100, in proportion between, rounded down`,
      ];
      return { node: node.metadata.name, scores: [...new Set(scores)], why };
    });
  },

  PodTopologySpread: ({ pod, simulation }, feasible) => {
    const constraints = pod.spec.topologySpreadConstraints ?? [];
    const wishes = constraints.filter(({ whenUnsatisfiable }) => whenUnsatisfiable === 'ScheduleAnyway');
    if (wishes.length === 0) {
      return feasible.map((node) => worth(node, 0, () => ['no constraint is ScheduleAnyway']));
    }
    const hasAllKeys = (node: Node): boolean =>
      wishes.every(({ topologyKey }) => placeOf(topologyKey, node) !== undefined);
    const considered = feasible.filter(hasAllKeys);
    const crowds = new Map(
      considered.map((node) => {
        const parts = wishes.map((wish) => {
          const isHost = wish.topologyKey === 'kubernetes.io/hostname';
          const places = isHost
            ? considered.length
            : new Set(considered.map((each) => placeOf(wish.topologyKey, each))).size;
          const here = isHost
            ? [node]
            : simulation.nodes.filter(
                (each) =>
                  samePlace(wish.topologyKey, each, node) && hasAllKeys(each) && isEligible(wish, pod, each),
              );
          const alike = here.flatMap((each) =>
            othersIn(simulation, pod, each).filter((other) => isAlike(wish, pod, other)),
          );
          const weight = Math.log(places + 2);
          return {
            wish,
            considered,
            places,
            here,
            alike,
            weight,
            crowd: alike.length * weight + wish.maxSkew - 1,
          };
        });
        const crowd = parts.reduce((sum, part) => sum + part.crowd, 0);
        // No sum of logarithms of such small numbers is close enough to a half to make rounding uncertain.
        const raw = Math.round(crowd);
        const why = (): readonly string[] => [
          ...(wishes.length < constraints.length ? ['only ScheduleAnyway constraints count'] : []),
          ...parts.flatMap((part) => reasonsOf(part, wishes, pod, node, simulation)),
          parts.length > 1 ? `the sum ${crowd.toFixed(2)} is rounded once, to ${raw}` : `rounded to ${raw}`,
        ];
        return [node, { raw, why }];
      }),
    );
    const counts = [...crowds.values()].map(({ raw }) => raw);
    const most = Math.max(0, ...counts);
    const least = Math.min(...counts);
    return feasible.map((node) => {
      const crowd = crowds.get(node);
      if (crowd === undefined) {
        const why = (): readonly string[] => [
          'it lacks the label of a ScheduleAnyway constraint, so it gets 0 and counts for no other node',
        ];
        return worth(node, 0, why);
      }
      const { raw, why } = crowd;
      const whyNormalised = () =>
        most === 0
          ? `100, because all are 0; an empty label (${wishes.map(({ topologyKey }) => `${topologyKey} ${quoted(placeOf(topologyKey, node))}`).join(', ')}) is a label, too`
          : `100 × (${most} + ${least} - ${raw}) / ${most}, rounded down: ${most} is the highest and ${least} the lowest of the nodes that have all labels`;
      const exact = most === 0 ? BEST : (BEST * (most + least - raw)) / most;
      return { ...worth(node, exact, why), raw, whyNormalised };
    });
  },

  InterPodAffinity: ({ pod, simulation }, feasible) => {
    const sums = feasible.map((node) => {
      const counted = simulation.nodes.flatMap((there) =>
        othersIn(simulation, pod, there).flatMap((other) =>
          termsBetween(pod, other)
            .filter(
              ({ owner, about, term }) =>
                speaksOf(term, owner, about, simulation) && samePlace(term.topologyKey, there, node),
            )
            .map((thought) => ({ ...thought, other, there })),
        ),
      );
      const raw = counted.reduce((sum, { weight }) => sum + weight, 0);
      const why = (): readonly string[] => [
        ...counted.map(({ weight, owner, other, there, term, isRequired }) => {
          const kind = `${isRequired ? 'required' : 'preferred'} ${weight < 0 ? 'anti-affinity' : 'affinity'}`;
          const whose = owner === pod ? `the pod's ${kind} term about` : `a ${kind} term of`;
          const rule = isRequired ? ', which counts 1' : '';
          return `${weight} by ${whose} ${other.metadata.name} on ${there.metadata.name} (same ${term.topologyKey} ${quoted(placeOf(term.topologyKey, there))}${rule})`;
        }),
        ...(counted.length === 0 ? ['no term counts there'] : []),
      ];
      return { raw, why };
    });
    const most = Math.max(...sums.map(({ raw }) => raw));
    const least = Math.min(...sums.map(({ raw }) => raw));
    return sums.map(({ raw, why }, i) => {
      const node = feasible[i] as Node;
      const whyNormalised = () =>
        most === least
          ? `0, because all have ${raw}`
          : `100 × (${raw} - ${least}) / (${most} - ${least}), rounded down: ${most} is the highest and ${least} the lowest`;
      const normalised =
        raw === least || raw === most
          ? worth(node, raw === least ? 0 : BEST, why)
          : nearlyWorth(node, (BEST * (raw - least)) / (most - least), why);
      return { ...normalised, raw, whyNormalised };
    });
  },
};

const CPU_AND_MEMORY: readonly WeighedResource[] = [
  { name: 'cpu', weight: 1 },
  { name: 'memory', weight: 1 },
];

const nothingAssumed: Amounts = new Map();
const someAssumed: Amounts = new Map([
  ['cpu', 100],
  ['memory', 200 * MIB],
]);

/** Returns each resource that counts on this node: the requests without and with this pod, and the allocatable amount. */
function usage<R extends { readonly name: string }>(
  { simulation, pod }: ScoreQuestion,
  node: Node,
  resources: readonly R[],
  assumed: Amounts,
): (R & { readonly taken: number; readonly asked: number; readonly has: number })[] {
  const wanted = mostAtOnce(pod, assumed);
  const askedByOthers = togetherAskedBy(othersIn(simulation, pod, node), assumed);
  return resources.flatMap((resource) => {
    const { name } = resource;
    const has = allocatableOf(node).get(name) ?? 0;
    const always = name === 'cpu' || name === 'memory' || name === 'ephemeral-storage';
    if (has === 0 || (!always && !wanted.get(name))) return [];
    const taken = askedByOthers.get(name) ?? 0;
    return [{ ...resource, has, taken, asked: taken + (wanted.get(name) ?? 0) }];
  });
}

/** Formats the use of one resource of a node. */
function inUse({
  name,
  taken,
  asked,
  has,
}: {
  name: string;
  taken: number;
  asked: number;
  has: number;
}): string {
  const amount = (value: number): string =>
    name === 'cpu' ? `${value}m` : value % MIB === 0 ? `${value / MIB}Mi` : `${value}`;
  return `${name}: its pods request ${amount(taken)} and this pod requests ${amount(asked - taken)} of ${amount(has)}`;
}

/** Returns the balance of shares: 100 minus their standard deviation in percent, each share at most 1. */
function evenness(shares: readonly number[]): { readonly scores: readonly number[]; why(): string } {
  const used = shares.map((share) => Math.min(1, share));
  const mean = used.reduce((sum, share) => sum + share, 0) / Math.max(1, used.length);
  const variance = used.reduce((sum, share) => sum + (share - mean) ** 2, 0) / Math.max(1, used.length);
  const deviation = Math.sqrt(variance);
  const scores = deviation === 0 ? [BEST] : nearly((1 - deviation) * BEST);
  const why = (): string => `${scores.join(' or ')} (deviation ${deviation.toFixed(4)})`;
  return { scores, why };
}

function sizeOf(image: string, { status }: Node): number | undefined {
  return status.images?.find(({ names = [] }) => names.includes(image))?.sizeBytes;
}

/** Normalizes an image name as nodes report it: without a tag or a digest, it gets `:latest`. */
function tagged(image: string): string {
  const last = image.split('/').at(-1) ?? '';
  return last.includes(':') ? image : `${image}:latest`;
}

/** Returns a worth whose score is rounded down. */
function worth({ metadata }: Node, exact: number, why: Worth['why']): Worth {
  return { node: metadata.name, scores: [Math.floor(exact)], why };
}

/** Returns a worth whose score is rounded down, or to either side near a whole number, because of floating point. */
function nearlyWorth({ metadata }: Node, exact: number, why: Worth['why']): Worth {
  return { node: metadata.name, scores: nearly(exact), why };
}

function nearly(exact: number): readonly number[] {
  const scores = [Math.floor(exact - EPSILON), Math.floor(exact + EPSILON)];
  return [...new Set(scores.filter((score) => score >= 0 && score <= BEST))];
}

const EPSILON = 1e-9;
