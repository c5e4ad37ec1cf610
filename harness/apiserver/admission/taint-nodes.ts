import type { Node } from '../../api/objects.ts';
import { nodes } from '../../api/resource.ts';
import { isAbout, type Plugin } from './plugin.ts';

/** The name of the plugin, as in `--disable-admission-plugins`. */
export const TAINT_NODES_BY_CONDITION = 'TaintNodesByCondition';

const NOT_READY = { key: 'node.kubernetes.io/not-ready', effect: 'NoSchedule' };

/**
 * The plugin TaintNodesByCondition: a new node is tainted until the node lifecycle controller has seen that it is ready.
 * Otherwise the scheduler could bind pods to it before the controller notices the node.
 *
 * Upstream: kubernetes/kubernetes@v1.36.3 plugin/pkg/admission/nodetaint/admission.go Plugin
 */
export const taintNodesByCondition: Plugin = {
  name: TAINT_NODES_BY_CONDITION,
  operations: ['CREATE'],
  async admit(attributes) {
    if (!isAbout(attributes, nodes)) return attributes.object;
    const node = attributes.object as Node;
    const { taints = [] } = node.spec ?? {};
    if (taints.some(({ key, effect }) => key === NOT_READY.key && effect === NOT_READY.effect)) return node;
    return { ...node, spec: { ...node.spec, taints: [...taints, NOT_READY] } };
  },
};
