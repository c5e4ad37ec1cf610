import { type Clusters, clustersOf } from '../scheduling/scenario/clusters.ts';

/** The plugins and the clusters of a group of laws. */
export interface Ground extends Clusters {
  /** The names of the plugins in upstream's order. */
  readonly plugins: readonly string[];
}

const corePlugins: readonly string[] = [
  'NodeUnschedulable',
  'NodeName',
  'TaintToleration',
  'NodeAffinity',
  'NodePorts',
  'NodeResourcesFit',
];

/** The plugins of Levels 1 to 5, for which other pods matter only through resources and ports. */
export const core: Ground = { plugins: corePlugins, ...clustersOf() };

/** Adds pods with spread constraints. */
export const withSpread: Ground = { plugins: [...corePlugins, 'PodTopologySpread'], ...clustersOf('spread') };

/** Adds pods with affinity and anti-affinity. */
export const withCompany: Ground = {
  plugins: [...corePlugins, 'InterPodAffinity'],
  ...clustersOf('company'),
};

/** All plugins, in clusters of every kind. */
export const withBoth: Ground = {
  plugins: [...corePlugins, 'PodTopologySpread', 'InterPodAffinity'],
  ...clustersOf('spread', 'company'),
};
