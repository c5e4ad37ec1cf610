import type * as core from '#api/core/v1';
import type { Node, Pod } from '../../api/objects.ts';
import { isAlike, isEligible, placeOf, samePlace, speaksOf } from '../scheduling/oracle/places.ts';
import { nodeTermHolds } from '../scheduling/oracle/selecting.ts';
import { type Amounts, allocatableOf, mostAtOnce, togetherAskedBy } from '../scheduling/oracle/taking.ts';
import { tolerates } from '../scheduling/oracle/tolerating.ts';
import { othersIn, type SchedulingWorld } from '../scheduling/oracle/world.ts';

/** How good are these nodes for this pod? */
export interface ScoreQuestion {
  readonly world: SchedulingWorld;
  readonly pod: Pod;
  /** The names of the nodes that are left after filtering. */
  readonly feasible: readonly string[];
  /** The resources that NodeResourcesFit looks at. @defaultValue cpu and memory, weight 1 each */
  readonly fit?: readonly WeighedResource[];
  /** Those that NodeResourcesBalancedAllocation looks at. @defaultValue cpu and memory */
  readonly balanced?: readonly { readonly name: string }[];
}

/** A resource, and how much it counts beside others. */
export interface WeighedResource {
  readonly name: string;
  readonly weight: number;
}

/** What a plugin is to say of a node. */
interface Worth {
  readonly node: string;
  /** One score; two, where the exact result lies on a whole number, so that rounding may take it to either side. */
  readonly scores: readonly number[];
  /** How one gets there. */
  readonly why: string;
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
 * What each of the feasible nodes is worth, normalised and not yet weighed. Of a pod of which a plugin has nothing to say:
 * what makes no difference, all the same.
 *
 * What a node is worth, from first principles: each plugin's formula, worked out for each node from the objects of the API
 * alone. Slow, and as plain as can be, because others are judged by it. It shares nothing with the framework and with no
 * solution.
 *
 * The formulas are those of kubernetes/kubernetes@v1.36.3 pkg/scheduler/framework/plugins.
 */
export function worthOf(rule: ScoringRule, question: ScoreQuestion): readonly Worth[] {
  const feasible = question.feasible.flatMap((name) =>
    question.world.nodes.filter(({ metadata }) => metadata.name === name),
  );
  return rules[rule](question, feasible);
}

/** Is there a rule of this name? */
export function isScoringRule(name: string): name is ScoringRule {
  return Object.hasOwn(rules, name);
}

type Rule = (question: ScoreQuestion, feasible: readonly Node[]) => readonly Worth[];

const BEST = 100;
const MIB = 1024 * 1024;

const rules: Readonly<Record<ScoringRule, Rule>> = {
  NodeResourcesFit: (question, feasible) =>
    feasible.map((node) => {
      let [sum, weights] = [0, 0];
      const said: string[] = [];
      for (const { name, weight, taken, asked, has } of usage(
        question,
        node,
        question.fit ?? CPU_AND_MEMORY,
        someAssumed,
      )) {
        const score = asked > has ? 0 : Math.floor(((has - asked) * BEST) / has);
        sum += score * weight;
        weights += weight;
        const requests = `its pods request ${taken} and this pod requests ${asked - taken} of ${has}`;
        said.push(`${name}: ${requests}, so ${score} at weight ${weight}`);
      }
      const why = said.join('; ') || 'no resource counts';
      return worth(
        node,
        weights === 0 ? 0 : Math.floor(sum / weights),
        `${why}; the average is rounded down`,
      );
    }),

  NodeResourcesBalancedAllocation: (question, feasible) => {
    const { pod, balanced = CPU_AND_MEMORY } = question;
    const wanted = mostAtOnce(pod);
    if (balanced.every(({ name }) => !wanted.get(name))) {
      return feasible.map((node) => worth(node, 0, 'the pod requests none of the resources'));
    }
    return feasible.map((node) => {
      const used = usage(question, node, balanced, nothingAssumed);
      const without = evenness(used.map(({ taken, has }) => taken / has));
      const withPod = evenness(used.map(({ asked, has }) => asked / has));
      // From 0 for a node that becomes as uneven as can be to 100 for the opposite; half of that on top of 50.
      const scores = withPod.scores.flatMap((after) =>
        without.scores.map((before) => BEST / 2 + Math.floor((BEST / 2 + after - before) / 2)),
      );
      const why = `without the pod, ${without.why}; with the pod, ${withPod.why}; the score is 50 + (50 + with - without) / 2, rounded down`;
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
      const sum = sums[i] ?? 0;
      const why = `the terms that match the node weigh ${sum}, those of the best node ${most}`;
      return worth(
        node,
        most === 0 ? 0 : (BEST * sum) / most,
        `${why}; 100 × ${sum} / ${most} is rounded down`,
      );
    });
  },

  TaintToleration: ({ pod }, feasible) => {
    const counts = feasible.map(
      ({ spec }) =>
        (spec.taints ?? []).filter(
          (taint) =>
            taint.effect === 'PreferNoSchedule' &&
            !(pod.spec.tolerations ?? []).some((toleration) => tolerates(toleration, taint)),
        ).length,
    );
    const most = Math.max(...counts);
    return feasible.map((node, i) => {
      const count = counts[i] ?? 0;
      const score = most === 0 ? BEST : BEST - Math.floor((BEST * count) / most);
      const why = `the pod does not tolerate ${count} of its PreferNoSchedule taints, and ${most} of the worst node; the score is 100 - 100 × ${count} / ${most}, where the quotient is rounded down, and 100 if no node has one`;
      return worth(node, score, why);
    });
  },

  ImageLocality: ({ pod, world }, feasible) => {
    const { containers, initContainers = [] } = pod.spec;
    const images = [...initContainers, ...containers].map(({ image = '' }) => tagged(image));
    const most = 1000 * MIB * images.length;
    return feasible.map((node) => {
      let bytes = 0;
      for (const image of images) {
        const nodes = world.nodes.filter((each) => sizeOf(image, each) !== undefined).length;
        bytes += ((sizeOf(image, node) ?? 0) * nodes) / world.nodes.length;
      }
      // What each image is worth is rounded to bytes, which matters only on the edge.
      const score = (sum: number): number =>
        (BEST * (Math.min(most, Math.max(23 * MIB, sum)) - 23 * MIB)) / (most - 23 * MIB);
      const scores = [Math.floor(score(bytes - images.length)), Math.floor(score(bytes))];
      return {
        node: node.metadata.name,
        scores: [...new Set(scores)],
        why: `it has ${(bytes / MIB).toFixed(1)} MiB of the images, each size scaled by the share of nodes that have the image; 23 MiB or less give 0, ${most / MIB} MiB or more give 100`,
      };
    });
  },

  PodTopologySpread: ({ pod, world }, feasible) => {
    const wishes = (pod.spec.topologySpreadConstraints ?? []).filter(
      ({ whenUnsatisfiable }) => whenUnsatisfiable === 'ScheduleAnyway',
    );
    if (wishes.length === 0) return feasible.map((node) => worth(node, 0, 'no constraint is ScheduleAnyway'));
    const hasAllKeys = (node: Node): boolean =>
      wishes.every(({ topologyKey }) => placeOf(topologyKey, node) !== undefined);
    const considered = feasible.filter(hasAllKeys);
    const crowds = new Map(
      considered.map((node) => {
        let crowd = 0;
        const said: string[] = [];
        for (const wish of wishes) {
          const isHost = wish.topologyKey === 'kubernetes.io/hostname';
          const places = isHost
            ? considered.length
            : new Set(considered.map((each) => placeOf(wish.topologyKey, each))).size;
          const here = isHost
            ? [node]
            : world.nodes.filter(
                (each) =>
                  samePlace(wish.topologyKey, each, node) && hasAllKeys(each) && isEligible(wish, pod, each),
              );
          const alike = here.flatMap((each) =>
            othersIn(world, pod, each).filter((other) => isAlike(wish, pod, other)),
          );
          const weight = Math.log(places + 2);
          crowd += alike.length * weight + wish.maxSkew - 1;
          const skew = wish.maxSkew === 1 ? '' : ` + maxSkew ${wish.maxSkew} - 1`;
          const on = here.map(({ metadata }) => metadata.name).join(', ') || 'no node';
          said.push(
            `${wish.topologyKey}: ${alike.length} matching pods on ${on} × weight ln(${places} domains + 2) = ${weight.toFixed(2)}${skew}`,
          );
        }
        // No sum of logarithms of so small numbers is so near a half that rounding could be in doubt.
        const count = Math.round(crowd);
        return [
          node,
          { count, why: `${said.join('; ')}; the sum ${crowd.toFixed(2)} is rounded to ${count}` },
        ];
      }),
    );
    const counts = [...crowds.values()].map(({ count }) => count);
    const most = Math.max(0, ...counts);
    const least = Math.min(...counts);
    return feasible.map((node) => {
      const crowd = crowds.get(node);
      if (crowd === undefined) return worth(node, 0, 'it lacks the label of a constraint');
      const { count } = crowd;
      const why = `${crowd.why}; over all nodes from ${least} to ${most}`;
      return worth(node, most === 0 ? BEST : Math.floor((BEST * (most + least - count)) / most), why);
    });
  },

  InterPodAffinity: ({ pod, world }, feasible) => {
    const sums = feasible.map((node) => {
      let sum = 0;
      const said: string[] = [];
      for (const there of world.nodes) {
        for (const other of othersIn(world, pod, there)) {
          for (const { owner, about, term, weight } of [...wishesOf(pod, other), ...thoughtsOf(other, pod)]) {
            if (!speaksOf(term, owner, about, world) || !samePlace(term.topologyKey, there, node)) continue;
            sum += weight;
            const whose = owner === pod ? `this pod's term about` : 'a term of';
            said.push(
              `${weight} by ${whose} ${other.metadata.name} on ${there.metadata.name} (${term.topologyKey})`,
            );
          }
        }
      }
      return { sum, why: `${said.join(', ') || 'no term counts'}; together ${sum}` };
    });
    const most = Math.max(...sums.map(({ sum }) => sum));
    const least = Math.min(...sums.map(({ sum }) => sum));
    return sums.map(({ sum, why: terms }, i) => {
      const node = feasible[i] as Node;
      const why = `${terms}; over all nodes from ${least} to ${most}`;
      if (sum === least || sum === most) return worth(node, sum === least ? 0 : BEST, why);
      return nearlyWorth(node, (BEST * (sum - least)) / (most - least), why);
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

/** Of each resource that counts on this node: what is asked for without this pod, what would be with it, and what there is. */
function usage<R extends { readonly name: string }>(
  { world, pod }: ScoreQuestion,
  node: Node,
  resources: readonly R[],
  assumed: Amounts,
): (R & { readonly taken: number; readonly asked: number; readonly has: number })[] {
  const wanted = mostAtOnce(pod, assumed);
  const askedByOthers = togetherAskedBy(othersIn(world, pod, node), assumed);
  return resources.flatMap((resource) => {
    const { name } = resource;
    const has = allocatableOf(node).get(name) ?? 0;
    const always = name === 'cpu' || name === 'memory' || name === 'ephemeral-storage';
    if (has === 0 || (!always && !wanted.get(name))) return [];
    const taken = askedByOthers.get(name) ?? 0;
    return [{ ...resource, has, taken, asked: taken + (wanted.get(name) ?? 0) }];
  });
}

/** How even shares are: 100 less their standard deviation in percent, each share 1 at most. */
function evenness(shares: readonly number[]): Pick<Worth, 'scores' | 'why'> {
  const used = shares.map((share) => Math.min(1, share));
  const mean = used.reduce((sum, share) => sum + share, 0) / Math.max(1, used.length);
  const variance = used.reduce((sum, share) => sum + (share - mean) ** 2, 0) / Math.max(1, used.length);
  const deviation = Math.sqrt(variance);
  const scores = deviation === 0 ? [BEST] : nearly((1 - deviation) * BEST);
  const shown = used.map((share) => share.toFixed(4)).join(', ') || 'the node has none of the resources';
  const why = `used shares ${shown}: standard deviation ${deviation.toFixed(4)}, so ${scores.join(' or ')}`;
  return { scores, why };
}

interface Thought {
  readonly owner: Pod;
  readonly about: Pod;
  readonly term: core.PodAffinityTerm;
  readonly weight: number;
}

/** What a pod would like to be near, or far from. */
function wishesOf(owner: Pod, about: Pod): readonly Thought[] {
  const { podAffinity, podAntiAffinity } = owner.spec.affinity ?? {};
  const wishes = (terms: readonly core.WeightedPodAffinityTerm[] = [], sign: 1 | -1): Thought[] =>
    terms.map(({ weight, podAffinityTerm }) => ({
      owner,
      about,
      term: podAffinityTerm,
      weight: sign * weight,
    }));
  return [
    ...wishes(podAffinity?.preferredDuringSchedulingIgnoredDuringExecution, 1),
    ...wishes(podAntiAffinity?.preferredDuringSchedulingIgnoredDuringExecution, -1),
  ];
}

/** What a pod that is there already thinks: its wishes, and the pods that it needs, each of which counts 1. */
function thoughtsOf(owner: Pod, about: Pod): readonly Thought[] {
  const needs = owner.spec.affinity?.podAffinity?.requiredDuringSchedulingIgnoredDuringExecution ?? [];
  return [...wishesOf(owner, about), ...needs.map((term) => ({ owner, about, term, weight: 1 }))];
}

function sizeOf(image: string, { status }: Node): number | undefined {
  return status.images?.find(({ names = [] }) => names.includes(image))?.sizeBytes;
}

/** As nodes name images: a tag or a digest is there, or it is the latest. */
function tagged(image: string): string {
  const last = image.split('/').at(-1) ?? '';
  return last.includes(':') ? image : `${image}:latest`;
}

/** Rounded down. */
function worth({ metadata }: Node, exact: number, why: string): Worth {
  return { node: metadata.name, scores: [Math.floor(exact)], why };
}

/** Rounded down; to either side where floating point may have gone to either side of a whole number. */
function nearlyWorth({ metadata }: Node, exact: number, why: string): Worth {
  return { node: metadata.name, scores: nearly(exact), why };
}

function nearly(exact: number): readonly number[] {
  const scores = [Math.floor(exact - EPSILON), Math.floor(exact + EPSILON)];
  return [...new Set(scores.filter((score) => score >= 0 && score <= BEST))];
}

const EPSILON = 1e-9;
