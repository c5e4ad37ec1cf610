import { type Component, type ConfigMap, todo } from '#harness';

const KATA = '61-node-lifecycle';

// Level 1

/** Returns the number of keys in `data`, as a string. AUTHOR: the contract, each case, and upstream's symbol at a tag. */
export function nodeLifecycleAnnotation(configMap: ConfigMap): string {
  return todo(KATA, 'nodeLifecycleAnnotation', 'Level 1');
}

/** Keeps the annotation `katas.example.com/keys` of every ConfigMap. AUTHOR: what holds in the end, and what must never happen. */
export const nodeLifecycleController: Component = async (context) => {
  todo(KATA, 'nodeLifecycleController', 'Level 1');
};

export const taintEvictionController: Component = nodeLifecycleController;
export const podGarbageCollector: Component = nodeLifecycleController;
