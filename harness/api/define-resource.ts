import type { KubeObject } from './objects.ts';
import type { Resource } from './resource.ts';

/**
 * Creates the descriptor of a resource. By default it is namespaced and has no subresources; `rest` overrides the
 * defaults.
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
