import type { KataInCluster } from './kata.ts';

/** Returns a kata whose laws judge no whole cluster, all for the same reason. */
export function leftOut(kata: string, laws: object, reason: string): KataInCluster {
  return {
    kata,
    laws: {},
    leftOut: Object.fromEntries(Object.keys(laws).map((name) => [name, reason])),
  };
}
