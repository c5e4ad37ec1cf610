import { type ApplyOptions, failures, isList, isObject, type Json, type Manifest } from '#given/11-apply';

/** Differs: upstream cannot open a list inside a list, and refuses the document. */
export function objectsOf(document: Json): readonly Json[] {
  const objects: Json[] = [];
  // The items of a list join the end of the queue: kubectl opens a list inside a list after everything beside it.
  const queue: Json[] = document === null ? [] : [document];
  for (const value of queue) {
    if (isObject(value) && isList(value.items))
      queue.push(...value.items.map((item) => withKindOf(value, item)));
    else objects.push(value);
  }
  return objects;
}

/** The items of a `PodList` need not name their kind. */
function withKindOf(list: Json, item: Json): Json {
  if (!isObject(list) || !isObject(item) || item.kind || item.apiVersion) return item;
  const kind = typeof list.kind === 'string' ? list.kind.replace(/List$/, '') : '';
  return { ...item, kind, apiVersion: list.apiVersion ?? '' };
}

export function placeIn(
  manifest: Manifest,
  resource: { readonly namespaced: boolean },
  namespace: ApplyOptions['namespace'],
): Manifest {
  if (!resource.namespaced) return manifest;
  const own = manifest.metadata.namespace;
  if (typeof own !== 'string' || own === '')
    return { ...manifest, metadata: { ...manifest.metadata, namespace: namespace.name } };
  if (namespace.required && own !== namespace.name) throw failures.otherNamespace(own, namespace.name);
  return manifest;
}
