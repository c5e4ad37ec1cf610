/** Level 4 · Ports of the node. */
import { framework } from '#harness';

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
  eventsToRegister: () => framework.eventsToRegister.nodePorts(portsConflict),
};
