import type { CustomResourceDefinitionCondition } from '#api/apiextensions/v1';
import type { CustomResourceDefinition } from '../../api/objects.ts';
import { withCondition } from '../kinds/with-condition.ts';

/** A condition of a definition without its transition time. */
export type DefinitionCondition = Omit<CustomResourceDefinitionCondition, 'lastTransitionTime'>;

/**
 * Returns the definition with the condition set; it replaces the condition of the same type.
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
