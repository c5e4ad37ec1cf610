import { groupVersion, type Resource, resources } from '../../api/resource.ts';
import { schemaOf } from '../../apiserver/patch/index.ts';
import type { ApplyContext } from '../../contracts/apply/index.ts';

/**
 * Returns the mappings of some resources, without a request to a server. A resource that is not built in has no merge
 * rules.
 *
 * @param known the resources that the server has. @defaultValue the built-in ones
 */
export function mappingsOf(known: readonly Resource[] = resources): ApplyContext['mappingOf'] {
  return async (apiVersion, kind) => {
    const resource = known.find((each) => each.kind === kind && groupVersion(each) === apiVersion);
    if (!resource) return undefined;
    const mergeSchema = schemaOf(resource);
    return { resource, ...(mergeSchema && { mergeSchema }) };
  };
}
