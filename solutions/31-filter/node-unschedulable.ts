/** Level 1 · Whether the node is schedulable. */
import { framework, type Pod } from '#harness';
import { toleratesTaint } from './toleration.ts';

/** The taint that is equivalent to a cordon. */
const cordoned: framework.Taint = { key: 'node.kubernetes.io/unschedulable', effect: 'NoSchedule' };
const isCordoned = framework.unresolvable('node(s) were unschedulable');

export const nodeUnschedulable: framework.FilterPlugin = {
  name: 'NodeUnschedulable',
  filter(_state, pod, { node }) {
    return node.spec.unschedulable && !toleratesCordon(pod) ? isCordoned : framework.success;
  },
  eventsToRegister: () => framework.eventsToRegister.nodeUnschedulable(toleratesTaint),
};

function toleratesCordon({ spec: { tolerations = [] } }: Pod): boolean {
  return tolerations.some((toleration) => toleratesTaint(toleration, cordoned));
}
