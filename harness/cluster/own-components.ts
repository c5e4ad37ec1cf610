import type { Components } from '../contracts/component.ts';
import { componentTable } from './component-table.ts';
import { type OptionalLevelsOptions, withOptionalLevels } from './optional/optional-levels.ts';

/**
 * The environment variable that lists the learner's files whose components the tests of a later kata use. It is JSON, and names the
 * functions of each file that still call `todo`: `{ "katas/51-ipam/ipam.ts": ["status"] }`.
 */
export const OWN_FILES = 'KATA_MINE';

/** `Your components: kubelet, scheduler. Everything else is the reference implementation.` */
export function sayOwners(yours: readonly string[]): string {
  return yours.length === 0
    ? 'No component is yours yet: all of them are the reference implementation.'
    : `Your components: ${yours.join(', ')}. Everything else is the reference implementation.`;
}

/** The exports of a learner's file, by name. */
export type Exports = Readonly<Record<string, unknown>>;

/**
 * Returns the components that a learner's file exports. Stand-ins replace the missing optional levels (★) that a whole cluster
 * cannot do without.
 *
 * @param kata `52-pod-network`
 */
export function componentsIn(
  kata: string,
  exports: Exports,
  options: OptionalLevelsOptions,
): Partial<Components> {
  const own = Object.entries(componentTable).flatMap(([part, row]) => {
    const component = row.kata === kata ? exports[row.subject] : undefined;
    return component === undefined ? [] : [[part, component] as const];
  });
  return withOptionalLevels(Object.fromEntries(own), options);
}
