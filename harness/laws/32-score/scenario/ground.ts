import { scenariosOf } from './index.ts';
import type { Kind } from './parts.ts';

/** The plugins and the clusters of a group of laws. */
export interface Ground {
  /** The weights of the plugins, by name. */
  readonly weights: Readonly<Record<string, number>>;
  readonly scenarios: ReturnType<typeof scenariosOf>;
}

const coreWeights = {
  TaintToleration: 3,
  NodeAffinity: 2,
  NodeResourcesFit: 1,
  NodeResourcesBalancedAllocation: 1,
};

const optionalWeights: Readonly<Record<Kind, Readonly<Record<string, number>>>> = {
  images: { ImageLocality: 1 },
  spread: { PodTopologySpread: 2 },
  company: { InterPodAffinity: 2 },
};

/** The plugins of Levels 1 to 4, for which other pods matter only through their requests. */
export const core: Ground = { weights: coreWeights, scenarios: scenariosOf() };

/** The plugin of one ★ level alone. */
export function alone(kind: Kind): Ground {
  return { weights: optionalWeights[kind], scenarios: scenariosOf(kind) };
}

/** The plugins of the core, and of these ★ levels. */
export function withOptional(...kinds: readonly Kind[]): Ground {
  return {
    weights: Object.assign({ ...coreWeights }, ...kinds.map((kind) => optionalWeights[kind])),
    scenarios: scenariosOf(...kinds),
  };
}
