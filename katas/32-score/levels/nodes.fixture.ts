import type { framework, labels, Node } from '#harness';
import { aSchedulingNode, type SchedulingNodeParts } from '#laws/scheduling';

/** Nodes by their names. */
export function nodesOf(parts: Readonly<Record<string, SchedulingNodeParts>>): Node[] {
  return Object.entries(parts).map(([name, each]) => aSchedulingNode(name, each));
}

/** Nodes of these sizes. */
export function sized(allocatable: Readonly<Record<string, framework.ResourceList>>): Node[] {
  return Object.entries(allocatable).map(([name, each]) => aSchedulingNode(name, { allocatable: each }));
}

/** Nodes with these labels. */
export function labelled(byName: Readonly<Record<string, labels.Labels>>): Node[] {
  return Object.entries(byName).map(([name, each]) => aSchedulingNode(name, { labels: each }));
}

/** The nodes of these names. */
export function only(snapshot: framework.Snapshot, ...names: readonly string[]): framework.NodeInfo[] {
  return snapshot.nodeInfos.filter(({ name }) => names.includes(name));
}
