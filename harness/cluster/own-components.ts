import type { Components } from '../contracts/component.ts';
import { componentTable } from './component-table.ts';
import { type OptionalLevelsOptions, withOptionalLevels } from './optional/optional-levels.ts';

/**
 * The environment variable with the learner's files from which the tests of a later kata take components, and the functions of each
 * that still call `todo`, as JSON: `{ "katas/51-ipam/ipam.ts": ["status"] }`.
 */
export const OWN_FILES = 'KATA_MINE';

/** The exports of a learner's file, by name. */
export type Exports = Readonly<Record<string, unknown>>;

/**
 * Returns the components that a learner's file exports. Stand-ins play the optional levels (★) that are missing and that a whole
 * cluster cannot do without.
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
