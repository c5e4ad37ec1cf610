import type { KataInCluster } from './kata.ts';

/**
 * Returns a kata whose laws judge no whole cluster, all for the same reason.
 *
 * @param sets further laws of the kata, by the name of their set
 */
export function leftOut(
  kata: string,
  laws: object,
  reason: string,
  sets: Readonly<Record<string, object>> = {},
): KataInCluster {
  const others = Object.entries(sets).flatMap(([set, own]) =>
    Object.keys(own).map((name) => `${set} ${name}`),
  );
  const names = [...Object.keys(laws), ...others];
  return { kata, laws: {}, leftOut: Object.fromEntries(names.map((name) => [name, reason])) };
}
