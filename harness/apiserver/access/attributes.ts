import type { Attributes, User } from '../../contracts/access/index.ts';

/**
 * Returns the attributes of a request for a resource. Fields that are not given are empty.
 *
 * @example
 * resourceAttributes(jane, { verb: 'bind', apiGroup: 'rbac.authorization.k8s.io', resource: 'roles', name: 'reader' })
 */
export function resourceAttributes(
  user: User,
  asked: { readonly verb: string; readonly resource: string } & Partial<Attributes>,
): Attributes {
  return {
    isResourceRequest: true,
    path: '',
    apiGroup: '',
    apiVersion: '*',
    namespace: '',
    subresource: '',
    name: '',
    ...asked,
    user,
  };
}
