import type { CustomResourceDefinitionCondition } from '#api/apiextensions/v1';
import type { CustomResourceDefinition } from '../../api/objects.ts';
import { withCondition } from '../kinds/with-condition.ts';

/** What a condition of a definition says, besides since when. */
export type DefinitionCondition = Omit<CustomResourceDefinitionCondition, 'lastTransitionTime'>;

/**
 * The definition with a condition in the place of the one of its type.
 *
 * @param now - RFC 3339
 */
export function withDefinitionCondition(
  definition: CustomResourceDefinition,
  condition: DefinitionCondition,
  now: string,
): CustomResourceDefinition {
  const { status } = definition;
  const conditions = withCondition<CustomResourceDefinitionCondition>(
    status?.conditions ?? [],
    condition,
    now,
  );
  return { ...definition, status: { ...status, conditions } };
}
