import { type Law, lawAbout } from '../../testing/holds.ts';
import type { PodNetworkHistory } from './history.ts';
import type { LawName } from './oracle/findings.ts';

/** @param situation - the situation of the law, for the message "No scenario led to the situation that this law checks: …" */
function law(name: LawName, situation: string): Law<Pick<PodNetworkHistory, 'findings'>> {
  return lawAbout(
    {
      name: situation,
      isMet: ({ findings }) => findings.hasMet(name),
      // A failed command explains a situation that never comes: without a network, a pod connects to nothing.
      inVain: ({ findings }) => findings.violationsOf('succeeds')[0],
    },
    ({ findings }) => findings.violationsOf(name),
  );
}

/**
 * At quiescence, and on one node after each successful ADD. Every pod reaches every other pod, with its own source
 * address.
 *
 * The laws of packets open connections, and report the path of a packet that is lost.
 */
export const connects = law('connects', 'a pod and another one');

/** At quiescence. A pod reaches itself, by its address and by its Service. */
export const reachesItself = law('reachesItself', 'a pod');

/** At quiescence, and on one node after each successful ADD. Nodes reach pods, and pods reach nodes. */
export const nodes = law('nodes', 'a pod on a node');

/** At quiescence. External hosts answer a pod, and see the address of its node. */
export const outside = law('outside', 'a pod that connects to an external host');

/** At quiescence. A connection to the hostPort of a pod reaches that pod. */
export const hostPort = law('hostPort', 'a pod with a port of its node');

/** Safety. An ADD follows its configuration, and its result lists what it has created, in upstream's order. */
export const truthful = law('truthful', 'an ADD that succeeded');

/** Safety. Every command without a fault succeeds, even after a command that failed or crashed. */
export const succeeds = law('succeeds', 'an ADD that failed');

/** Safety. After a DEL nothing of the pod is left. */
export const leavesNothing = law('leavesNothing', 'a DEL that succeeded');

/** Safety. A command for one pod changes nothing of another pod. */
export const undisturbed = law('undisturbed', 'something done beside a pod');

/** Safety. After a GC only valid attachments are left. */
export const collects = law('collects', 'something that no runtime knew of any more');

/** Safety. A CHECK fails if and only if something was changed. */
export const checks = law('checks', 'a CHECK');

/** Safety. The bridge keeps its MAC address as long as it exists. */
export const constant = law('constant', 'a bridge with a pod');

/** Liveness. At quiescence each node has a route to the podCIDR of each other node, and no stale routes. */
export const routed = law('routed', 'a node beside another');

/** Liveness. The agent restores a removed route, rule or configuration within ten seconds. */
export const heals = law('heals', 'a user who removed a route or a rule');

/** Safety. The agent keeps routes of other programs. */
export const modest = law('modest', 'an agent that changed something');

/** Safety. The agent never removes a route that has been correct for a while, not even at its start. */
export const calm = law('calm', 'an agent that started again');

/**
 * Liveness. The network configuration exists, and has the podCIDR of this node. The agent writes it after it has tried
 * to add routes and rules.
 */
export const configures = law('configures', 'a configuration');

/** Safety. The agent changes nothing if nothing needs a change. */
export const quiet = law('quiet', 'a time of rest');
