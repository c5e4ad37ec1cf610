import {
  equalJson,
  type Json,
  type JsonList,
  type JsonObject,
  type ListPatch,
  type Versions,
} from '#given/11-apply';

export function elementOrder(
  { modified, current = [] }: Versions<JsonList>,
  { list, deletions }: ListPatch,
  mergeKey: string | undefined,
): JsonList {
  const identities = (items: JsonList): JsonList =>
    items.map((item) =>
      mergeKey === undefined ? item : { [mergeKey]: (item as JsonObject)[mergeKey] as Json },
    );
  const order = identities(modified);
  if (deletions.length > 0) return order;
  // A list that is new to the server arrives in the right order, unless the patch also deletes.
  if (current.length === 0) return equalJson(list, modified) ? [] : order;
  return list.length > 0 || !equalJson(identities(current), order) ? order : [];
}

export function retainedKeys(
  { modified, current }: Versions<JsonObject>,
  patch: JsonObject,
): readonly string[] {
  const foreign = Object.entries(current ?? {}).some(
    ([name, value]) => value !== null && !Object.hasOwn(modified, name),
  );
  const changes = current ? Object.keys(patch).length > 0 || foreign : !equalJson(patch, modified);
  const retained = Object.keys(modified).filter((name) => modified[name] !== null);
  return changes ? retained.toSorted() : [];
}
