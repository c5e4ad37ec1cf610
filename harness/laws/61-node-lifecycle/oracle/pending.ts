import type { Node, Pod } from '../../../api/objects.ts';
import { keyOf, keyToString } from '../../../api/objects.ts';
import { nodes, pods } from '../../../api/resource.ts';
import type { Cluster } from '../../../cluster/cluster.ts';
import { EVICTION, GARBAGE, LIFECYCLE } from '../operations.ts';
import { obligationsOf } from './obligations.ts';
import { statusOf } from './taints.ts';

/** The controllers that run, and the machines that are silent. */
interface Running {
  readonly isSilent: (node: string) => boolean;
  readonly hasLifecycle: boolean;
  readonly hasEviction: boolean;
  readonly hasGarbage: boolean;
}

/** Returns whether a controller has something to do, now or later. */
export function isPending({ storage }: Cluster, running: Running): boolean {
  const processes = [
    ...(running.hasLifecycle ? [LIFECYCLE] : []),
    ...(running.hasEviction ? [EVICTION] : []),
    ...(running.hasGarbage ? [GARBAGE] : []),
  ];
  const allNodes = storage.list(nodes) as Node[];
  const allPods = storage.list(pods) as Pod[];
  const isAwaited = (node: Node): boolean =>
    running.isSilent(node.metadata.name) && statusOf(node, 'Ready') !== 'Unknown';
  if (running.hasLifecycle && allNodes.some(isAwaited)) return true;
  const snapshot = {
    nodes: new Map(allNodes.map((node) => [node.metadata.name, node])),
    pods: new Map(allPods.map((pod) => [keyToString(keyOf(pod)), pod])),
  };
  return obligationsOf(snapshot).some(({ process }) => processes.includes(process));
}
