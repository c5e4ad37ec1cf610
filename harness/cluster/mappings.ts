import { groupVersion, type Resource } from '../api/resource.ts';
import { schemaOf } from '../apiserver/patch/index.ts';
import type { ApplyContext, Mapping } from '../contracts/apply/index.ts';

/**
 * Returns the mapping of kinds that an apply needs, from the resources that a server serves.
 *
 * @param served returns them. It runs for each kind, because an apply can define kinds
 */
export function mappingsOf(
  served: () => readonly Resource[] | Promise<readonly Resource[]>,
): ApplyContext['mappingOf'] {
  return async (apiVersion, kind) => {
    const resource = (await served()).find((each) => each.kind === kind && groupVersion(each) === apiVersion);
    return resource && mappingOf(resource);
  };
}

function mappingOf(resource: Resource): Mapping {
  const mergeSchema = schemaOf(resource);
  return { resource, ...(mergeSchema && { mergeSchema }) };
}
