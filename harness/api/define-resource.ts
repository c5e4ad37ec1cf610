import type { KubeObject } from './objects.ts';
import type { Resource } from './resource.ts';

/**
 * Makes the descriptor of a resource that is in a namespace and has nothing below it, unless `rest` says otherwise.
 *
 * @param gv the group and the version, as in `apiVersion`
 */
export function defineResource<T extends KubeObject>(
  gv: string,
  kind: T['kind'],
  plural: string,
  rest: Partial<
    Pick<
      Resource,
      'singular' | 'namespaced' | 'shortNames' | 'categories' | 'subresources' | 'verbs' | 'listKind'
    >
  > = {},
): Resource<T> {
  const [version = '', group = ''] = gv.split('/').reverse();
  return Object.freeze({
    group,
    version,
    plural,
    singular: kind.toLowerCase(),
    kind,
    namespaced: true,
    shortNames: [],
    categories: [],
    subresources: [],
    ...rest,
  });
}
