/**
 * Another design: each plugin computes the normalized scores of all nodes in preScore, and score looks them up. No
 * plugin has a normalizeScore.
 */
import { filters } from '#given/32-score';
import { framework, type Node, type Pod } from '#harness';

const BEST = framework.MAX_NODE_SCORE;
const MIB = 1024 * 1024;

/** The input of a column. */
interface Question {
  readonly pod: Pod;
  readonly info: framework.PodInfo;
  readonly feasible: readonly framework.NodeInfo[];
  readonly snapshot: framework.Snapshot;
}

/** Returns the scores of the feasible nodes, in their order; undefined if the plugin skips. */
type Column = (question: Question) => readonly number[] | undefined;

function plugin(name: string, column: Column): framework.ScorePlugin {
  const key = framework.stateKey<ReadonlyMap<string, number>>(name);
  return {
    name,
    preScore(state, pod, feasible, snapshot) {
      const scores = column({ pod, info: framework.podInfoOf(pod), feasible, snapshot });
      if (!scores) return framework.skip;
      state.write(key, new Map(feasible.map((node, i) => [node.name, scores[i] ?? 0])));
      return framework.success;
    },
    score: (state, _pod, { name: node }) => state.read(key).get(node) ?? 0,
  };
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, each) => total + each, 0);
}

function share(part: number, whole: number): number {
  return whole === 0 ? 0 : Math.floor((part * BEST) / whole);
}

const cpuAndMemory = ['milliCPU', 'memory'] as const;

const fit: Column = ({ info, feasible }) =>
  feasible.map(({ allocatable, nonZeroRequested }) => {
    const free = cpuAndMemory
      .filter((resource) => allocatable[resource] > 0)
      .map((resource) => {
        const left = allocatable[resource] - nonZeroRequested[resource] - info.nonZeroRequests[resource];
        return share(Math.max(0, left), allocatable[resource]);
      });
    return free.length === 0 ? 0 : Math.floor(sum(free) / free.length);
  });

const balanced: Column = ({ info, feasible }) => {
  if (cpuAndMemory.every((resource) => info.requests[resource] === 0)) return undefined;
  return feasible.map(({ allocatable, requested }) => {
    const there = cpuAndMemory.filter((resource) => allocatable[resource] > 0);
    const evenness = (more: Pick<framework.Resources, 'milliCPU' | 'memory'>): number => {
      const [a = 0, b = a] = there.map((resource) =>
        Math.min(1, (requested[resource] + more[resource]) / allocatable[resource]),
      );
      return Math.floor((1 - Math.abs(a - b) / 2) * BEST);
    };
    const gain = evenness(info.requests) - evenness({ milliCPU: 0, memory: 0 });
    return Math.floor((3 * BEST + 2 * gain) / 4);
  });
};

const affinity: Column = ({ pod, feasible }) => {
  const terms = pod.spec.affinity?.nodeAffinity?.preferredDuringSchedulingIgnoredDuringExecution ?? [];
  if (terms.length === 0) return undefined;
  const weights = feasible.map(({ node }) =>
    sum(
      terms.map(({ weight, preference }) => (filters.nodeSelectorTermMatcher(preference)(node) ? weight : 0)),
    ),
  );
  const most = Math.max(...weights);
  return weights.map((weight) => share(weight, most));
};

const taints: Column = ({ pod, feasible }) => {
  const { tolerations = [] } = pod.spec;
  const counts = feasible.map(
    ({ node }) =>
      (node.spec.taints ?? [])
        .filter(({ effect }) => effect === 'PreferNoSchedule')
        .filter((taint) => tolerations.every((each) => !filters.toleratesTaint(each, taint))).length,
  );
  const most = Math.max(...counts);
  return counts.map((count) => BEST - share(count, most));
};

const images: Column = ({ pod, feasible, snapshot }) => {
  const wanted = [...pod.spec.containers, ...(pod.spec.initContainers ?? [])].map(({ image = '' }) =>
    /:[^/]*$/.test(image) ? image : `${image}:latest`,
  );
  const [least, most] = [23 * MIB, 1000 * MIB * wanted.length];
  return feasible.map((node) => {
    const bytes = sum(
      wanted.map((image) => {
        const nodes = (snapshot.imageNodes.get(image) ?? 0) / snapshot.nodeInfos.length;
        return Math.floor((node.images.get(image) ?? 0) * nodes);
      }),
    );
    return share(Math.min(Math.max(bytes, least), most) - least, most - least);
  });
};

const HOST = 'kubernetes.io/hostname';

const spread: Column = ({ pod, feasible, snapshot }) => {
  const wishes = framework.softConstraints(pod);
  if (wishes.length === 0) return undefined;
  const place = ({ node }: { readonly node: Node }, key: string): string | undefined =>
    node.metadata.labels?.[key];
  const isSomewhere = (node: framework.NodeInfo): boolean =>
    wishes.every(({ topologyKey }) => place(node, topologyKey) !== undefined);
  const complete = feasible.filter(isSomewhere);
  const runsOn = filters.requiredNodeAffinityMatcher(pod);
  const isAllowed = ({ node }: framework.NodeInfo): boolean =>
    (node.spec.taints ?? []).every(
      (taint) =>
        taint.effect === 'PreferNoSchedule' ||
        (pod.spec.tolerations ?? []).some((toleration) => filters.toleratesTaint(toleration, taint)),
    );
  const crowds = new Map(
    complete.map((node) => {
      const crowd = wishes.map(({ topologyKey, maxSkew, selector, nodeAffinityPolicy, nodeTaintsPolicy }) => {
        const isHost = topologyKey === HOST;
        const here = isHost
          ? [node]
          : snapshot.nodeInfos.filter(
              (each) =>
                place(each, topologyKey) === place(node, topologyKey) &&
                isSomewhere(each) &&
                (nodeAffinityPolicy === 'Ignore' || runsOn(each.node)) &&
                (nodeTaintsPolicy === 'Ignore' || isAllowed(each)),
            );
        const alike = here.map(({ pods }) =>
          filters.countPodsMatchSelector(pods, selector, pod.metadata.namespace),
        );
        const places = isHost
          ? complete.length
          : new Set(complete.map((each) => place(each, topologyKey))).size;
        return sum(alike) * Math.log(places + 2) + maxSkew - 1;
      });
      return [node.name, Math.round(sum(crowd))] as const;
    }),
  );
  const [least, most] = [Math.min(...crowds.values()), Math.max(...crowds.values())];
  return feasible.map(({ name }) => {
    const crowd = crowds.get(name);
    if (crowd === undefined) return 0;
    return most === 0 ? BEST : share(most + least - crowd, most);
  });
};

const company: Column = ({ pod, info, feasible, snapshot }) => {
  /** One map, by topology key and value. */
  const gains = new Map<string, number>();
  const label = ({ node }: framework.NodeInfo, key: string): string | undefined => {
    const value = node.metadata.labels?.[key];
    return value === undefined ? undefined : `${key}=${value}`;
  };
  for (const there of snapshot.nodeInfos) {
    for (const other of there.pods) {
      const gain = (term: framework.AffinityTerm, about: Pod, weight: number): void => {
        const at = label(there, term.topologyKey);
        if (at === undefined || !filters.termMatches(term, about, snapshot.namespaces)) return;
        gains.set(at, (gains.get(at) ?? 0) + weight);
      };
      for (const term of info.preferredAffinityTerms) gain(term, other.pod, term.weight);
      for (const term of info.preferredAntiAffinityTerms) gain(term, other.pod, -term.weight);
      for (const term of other.requiredAffinityTerms) gain(term, pod, 1);
      for (const term of other.preferredAffinityTerms) gain(term, pod, term.weight);
      for (const term of other.preferredAntiAffinityTerms) gain(term, pod, -term.weight);
    }
  }
  if (gains.size === 0) return undefined;
  const totals = feasible.map((node) =>
    sum(Object.keys(node.node.metadata.labels ?? {}).map((key) => gains.get(label(node, key) ?? '') ?? 0)),
  );
  const [least, most] = [Math.min(...totals), Math.max(...totals)];
  return totals.map((total) => (most === least ? 0 : Math.floor(BEST * ((total - least) / (most - least)))));
};

export const scoring: framework.Scoring = {
  plugins: [
    { plugin: plugin('NodeResourcesFit', fit), weight: 1 },
    { plugin: plugin('NodeResourcesBalancedAllocation', balanced), weight: 1 },
    { plugin: plugin('ImageLocality', images), weight: 1 },
    { plugin: plugin('NodeAffinity', affinity), weight: 2 },
    { plugin: plugin('PodTopologySpread', spread), weight: 2 },
    { plugin: plugin('InterPodAffinity', company), weight: 2 },
    { plugin: plugin('TaintToleration', taints), weight: 3 },
  ],

  prioritizeNodes({ plugins, state, pod, feasible, snapshot }) {
    const speaking = plugins.filter(({ plugin: { name, preScore } }) => {
      const status = preScore?.(state, pod, feasible, snapshot) ?? framework.success;
      if (framework.isRejected(status)) throw new Error(`${name}.preScore: ${status.reasons.join(', ')}`);
      if (status.code === 'Skip') state.skipScorePlugins.add(name);
      return status.code !== 'Skip';
    });
    const rows = feasible.map(({ name }) => ({ name, scores: [] as framework.NodeScore[], totalScore: 0 }));
    for (const { plugin: asked, weight } of speaking) {
      const raw = feasible.map((node) => ({ name: node.name, score: asked.score(state, pod, node) }));
      const scores = asked.normalizeScore?.(state, pod, raw) ?? raw;
      for (const [i, row] of rows.entries()) {
        const score = scores[i]?.score ?? Number.NaN;
        if (!(score >= 0 && score <= BEST && Math.floor(score) === score)) {
          throw new Error(`${asked.name} says ${score} of ${row.name}.`);
        }
        row.scores.push({ name: asked.name, score: score * weight });
        row.totalScore += score * weight;
      }
    }
    return plugins.length > 0 ? rows : rows.map((row) => ({ ...row, totalScore: 1 }));
  },

  selectHost(scores) {
    const [best] = scores.toSorted((a, b) => b.totalScore - a.totalScore);
    if (!best) throw new Error('There is no node to select.');
    return best.name;
  },
};
