/** Level 6 · The sum: the plugins in their order, and the filter half of a scheduler. */
import type { framework } from '#harness';
import { findNodesThatFit } from './find-nodes-that-fit.ts';
import { fitErrorMessage } from './fit-error-message.ts';
import { interPodAffinity } from './inter-pod-affinity.ts';
import { nodeAffinity } from './node-affinity.ts';
import { nodeName } from './node-name.ts';
import { nodePorts } from './node-ports.ts';
import { nodeResourcesFit } from './node-resources-fit.ts';
import { nodeUnschedulable } from './node-unschedulable.ts';
import { podTopologySpread } from './pod-topology-spread.ts';
import { taintToleration } from './taint-toleration.ts';

export const filterPlugins: readonly framework.FilterPlugin[] = [
  nodeUnschedulable,
  nodeName,
  taintToleration,
  nodeAffinity,
  nodePorts,
  nodeResourcesFit,
  podTopologySpread,
  interPodAffinity,
];

/** The filter half of a scheduler, for kata 33. Differs: no filters about volumes or devices, no configuration, no extenders. */
export const filtering: framework.Filtering = {
  plugins: filterPlugins,
  findNodesThatFit,
  fitErrorMessage,
};
