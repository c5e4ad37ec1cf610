/** Level 4 · Ports of the node. */
import { framework, type KubeObject, type Pod } from '#harness';
import { queueIf } from './queueing-hints.ts';

const EVERY_ADDRESS = '0.0.0.0';

export function portsConflict(a: framework.HostPort, b: framework.HostPort): boolean {
  return (
    a.hostPort === b.hostPort &&
    a.protocol === b.protocol &&
    (a.hostIP === b.hostIP || a.hostIP === EVERY_ADDRESS || b.hostIP === EVERY_ADDRESS)
  );
}

const portTaken = framework.unschedulable("node(s) didn't have free ports for the requested pod ports");

export const nodePorts: framework.FilterPlugin = {
  name: 'NodePorts',
  preFilter(_state, pod) {
    return framework.podInfoOf(pod).hostPorts.length === 0 ? framework.skip : framework.success;
  },
  filter(_state, pod, { usedPorts }) {
    const wanted = framework.podInfoOf(pod).hostPorts;
    const isTaken = wanted.some((port) => usedPorts.some((used) => portsConflict(port, used)));
    return isTaken ? portTaken : framework.success;
  },
  eventsToRegister: () => nodePortsEvents,
};

/**
 * Differs: upstream also hears of pods without a node, for those that were promised one (`nominatedNodeName`). Here nobody
 * is: that is preemption.
 *
 * Upstream: kubernetes/kubernetes@v1.36.3 pkg/scheduler/framework/plugins/nodeports/node_ports.go EventsToRegister
 */
const nodePortsEvents: readonly framework.ClusterEventWithHint[] = [
  { event: { resource: 'AssignedPod', actionType: 'Delete' }, queueingHintFn: afterPortsOfPod },
  { event: { resource: 'Node', actionType: 'Add' } },
];

/** A pod that had a port that the pod wants. */
function afterPortsOfPod(pod: Pod, oldObject: KubeObject | undefined): framework.QueueingHint {
  const freed = framework.podInfoOf(oldObject as Pod).hostPorts;
  const wanted = framework.podInfoOf(pod).hostPorts;
  return queueIf(wanted.some((port) => freed.some((other) => portsConflict(port, other))));
}
