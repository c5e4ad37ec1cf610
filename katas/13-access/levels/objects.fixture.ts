import {
  type Attributes,
  type ClusterRole,
  type ClusterRoleBinding,
  type Role,
  type RoleBinding,
  type rbac,
  resourceAttributes,
  type User,
} from '#given/13-access';
import type { KubeObject, ObjectCache, Resource } from '#harness';

/** `user('jane', 'dev')` is jane in the group dev. */
export const user = (name: string, ...groups: readonly string[]): User => ({ name, groups });

/** A question about a resource. */
export const about = (
  who: User,
  asked: { readonly verb: string; readonly resource: string } & Partial<Attributes>,
): Attributes => resourceAttributes(who, asked);

/** A question about a path, such as `/healthz`. */
export const aboutPath = (who: User, verb: string, path: string): Attributes => ({
  ...resourceAttributes(who, { verb, resource: '' }),
  apiVersion: '',
  isResourceRequest: false,
  path,
});

const GROUP = 'rbac.authorization.k8s.io';

/** A stored object. The default uid follows from its name. */
export const stored = <T extends KubeObject>(
  kind: string,
  {
    namespace,
    name,
    uid = `uid-of-${name}`,
    ...metadata
  }: Partial<KubeObject['metadata']> & { name: string },
  fields: object = {},
): T =>
  ({
    apiVersion: 'v1',
    kind,
    metadata: {
      ...(namespace ? { namespace } : {}),
      name,
      uid,
      resourceVersion: '1',
      creationTimestamp: '2026-01-01T00:00:00Z',
      ...metadata,
    },
    ...fields,
  }) as unknown as T;

export const role = (namespace: string, name: string, ...rules: readonly rbac.PolicyRule[]): Role =>
  stored('Role', { namespace, name }, { rules });

export const clusterRole = (name: string, ...rules: readonly rbac.PolicyRule[]): ClusterRole =>
  stored('ClusterRole', { name }, { rules });

/** `ref('Role reader')` */
function ref(text: string): rbac.RoleRef {
  const [kind = '', name = ''] = text.split(' ');
  return { apiGroup: GROUP, kind, name };
}

/** A binding in a namespace: `roleBinding('default', 'readers', 'Role reader', subject('User jane'))` */
export const roleBinding = (
  namespace: string,
  name: string,
  roleRef: string,
  ...subjects: readonly rbac.Subject[]
): RoleBinding => stored('RoleBinding', { namespace, name }, { roleRef: ref(roleRef), subjects });

export const clusterRoleBinding = (
  name: string,
  roleRef: string,
  ...subjects: readonly rbac.Subject[]
): ClusterRoleBinding => stored('ClusterRoleBinding', { name }, { roleRef: ref(roleRef), subjects });

/** `subject('User jane')`, `subject('Group dev')`, `subject('ServiceAccount default/builder')` */
export function subject(text: string): rbac.Subject {
  const [kind = '', name = ''] = text.split(' ');
  if (kind !== 'ServiceAccount') return { apiGroup: GROUP, kind, name };
  const [namespace = '', account] = name.split('/');
  return account === undefined ? { kind, name: namespace } : { kind, namespace, name: account };
}

/** A cache with these objects. */
export function cacheOf(...objects: readonly KubeObject[]): ObjectCache {
  const placeOf = ({ metadata }: KubeObject): string => `${metadata.namespace ?? ''}/${metadata.name}`;
  const ordered = [...objects].sort((a, b) => (placeOf(a) < placeOf(b) ? -1 : 1));
  const all = (resource: Resource): KubeObject[] => ordered.filter(({ kind }) => kind === resource.kind);
  return {
    get: (resource, { namespace = '', name }) =>
      all(resource).find((object) => placeOf(object) === `${namespace}/${name}`),
    list: (resource, namespace) =>
      all(resource).filter(({ metadata }) => !namespace || metadata.namespace === namespace),
  } as ObjectCache;
}
