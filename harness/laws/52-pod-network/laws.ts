import { type Law, lawAbout } from '../../testing/holds.ts';
import type { LawName } from './findings.ts';
import type { PodNetworkHistory } from './history.ts';

/** @param situation what the law speaks of: "There was never …" */
function law(name: LawName, situation: string): Law<PodNetworkHistory> {
  return lawAbout({ name: situation, isMet: ({ findings }) => findings.hasMet(name) }, ({ findings }) =>
    findings.violationsOf(name),
  );
}

/**
 * At rest, and on one node as soon as an ADD has succeeded. Every pod reaches every other, and is seen under its own address.
 *
 * The laws of a network of pods. Where they speak of connections, these are opened, and the way of a packet that gets lost is told.
 */
export const connects = law('connects', 'a pod and another one');

/** At rest. A pod reaches itself, at its address and by its service. */
export const reachesItself = law('reachesItself', 'a pod');

/** At rest, and on one node as soon as an ADD has succeeded. Nodes reach pods, and pods reach nodes. */
export const nodes = law('nodes', 'a pod on a node');

/** At rest. The world outside answers a pod, and sees the address of its node. */
export const outside = law('outside', 'a pod that asked the world outside');

/** At rest. What asks a port of the node that is a pod's reaches the pod. */
export const hostPort = law('hostPort', 'a pod with a port of its node');

/** Safety. The result of an ADD says what is there, in the order that upstream has. */
export const truthful = law('truthful', 'an ADD that succeeded');

/** Safety. What no fault strikes succeeds, also after something that one has struck. */
export const succeeds = law('succeeds', 'an ADD that failed');

/** Safety. After a DEL nothing of the pod is left. */
export const leavesNothing = law('leavesNothing', 'a DEL that succeeded');

/** Safety. What is done for one pod changes nothing of another. */
export const undisturbed = law('undisturbed', 'something done beside a pod');

/** Safety. After a GC there is what is valid, and nothing else. */
export const collects = law('collects', 'something that no runtime knew of any more');

/** Safety. CHECK objects to what has been changed, and to nothing else. */
export const checks = law('checks', 'a CHECK');

/** Safety. The bridge keeps its address as long as it is there. */
export const constant = law('constant', 'a bridge with a pod');

/** Owed. At rest each node has a route to the pods of each other, and no route to others. */
export const routed = law('routed', 'a node beside another');

/** Owed. What a user removes is there again after ten seconds. */
export const heals = law('heals', 'a user who removed a route or a rule');

/** Safety. Routes that the agent has not made stay as they are. */
export const modest = law('modest', 'an agent that changed something');

/** Safety. A route that is right and has long been so is never taken away: not by a start, and not for a moment. */
export const calm = law('calm', 'an agent that started again');

/** Owed. The configuration of the network is there, and says the addresses of this node. */
export const configures = law('configures', 'a configuration');

/** Safety. Where nothing is owed, agents change nothing. */
export const quiet = law('quiet', 'a time of rest');
