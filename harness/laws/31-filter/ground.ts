import { type Clusters, clustersOf } from '../scheduling/clusters.ts';

/** What a group of laws is about: these plugins, in clusters of this kind. */
export interface Ground extends Clusters {
  /** The plugins that are asked, by name, in upstream's order. */
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

/** The plugins of Levels 1 to 5: where other pods are matters only for room and ports. */
export const core: Ground = { plugins: corePlugins, ...clustersOf() };

/** And pods that are to be spread. */
export const withSpread: Ground = { plugins: [...corePlugins, 'PodTopologySpread'], ...clustersOf('spread') };

/** And pods that are to be beside some pods and apart from others. */
export const withCompany: Ground = {
  plugins: [...corePlugins, 'InterPodAffinity'],
  ...clustersOf('company'),
};

/** All plugins, in clusters of every kind. */
export const withBoth: Ground = {
  plugins: [...corePlugins, 'PodTopologySpread', 'InterPodAffinity'],
  ...clustersOf('spread', 'company'),
};
