import { type Component, type ConfigMap, todo } from '#harness';

const KATA = '65-job';

// Level 1

/** Returns the number of keys in `data`, as a string. AUTHOR: the contract, each case, and upstream's symbol at a tag. */
export function jobAnnotation(configMap: ConfigMap): string {
  return todo(KATA, 'jobAnnotation', 'Level 1');
}

/** Keeps the annotation `katas.example.com/keys` of every ConfigMap. AUTHOR: what holds in the end, and what must never happen. */
export const jobController: Component = async (context) => {
  todo(KATA, 'jobController', 'Level 1');
};
