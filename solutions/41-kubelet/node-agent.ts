import { type KubeletParts, type NodeAgent, newNodeAgent, type PodSyncer } from '#harness';
import { admitPod } from './admission.ts';
import { EvictionManager } from './eviction-manager.ts';
import { runNode } from './node.ts';

export function nodeAgent(parts: KubeletParts, syncer: PodSyncer): NodeAgent {
  return newNodeAgent(parts, syncer, {
    runNode,
    admitPod,
    newEvictionManager: (options) => new EvictionManager(options),
  });
}
