/** The functions of the short way, as a first draft: between preFilter and filter, a variable keeps what the pod requests. */
import { framework } from '#harness';
import { insufficientResources, podRequests } from './node-resources-fit.ts';

let wanted = framework.noResources;

export const nodeResourcesFit: framework.FilterPlugin = {
  name: 'NodeResourcesFit',
  preFilter(_state, pod) {
    wanted = podRequests(pod);
    return framework.success;
  },
  filter(_state, _pod, nodeInfo) {
    const insufficient = insufficientResources(wanted, nodeInfo);
    if (insufficient.length === 0) return framework.success;
    const reasons = insufficient.map(({ reason }) => reason);
    return insufficient.some(({ unresolvable }) => unresolvable)
      ? framework.unresolvable(...reasons)
      : framework.unschedulable(...reasons);
  },
  eventsToRegister: () => framework.eventsToRegister.nodeResourcesFit(podRequests, insufficientResources),
};
