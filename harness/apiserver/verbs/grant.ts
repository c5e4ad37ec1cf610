import type { KubeObject, RbacObject } from '../../api/objects.ts';
import { clusterRoleBindings, clusterRoles, roleBindings, roles } from '../../api/plain-resources.ts';
import { groupResource, type Resource } from '../../api/resource.ts';
import { forbidden } from '../../contracts/access/index.ts';
import { userNamed } from '../users.ts';
import type { Registry } from './registry.ts';

/** The resources whose objects grant rights. */
const GRANTS: ReadonlySet<string> = new Set(
  [roles, clusterRoles, roleBindings, clusterRoleBindings].map((each) => groupResource(each as Resource)),
);

/**
 * Checks that a role or a binding grants nothing that its writer lacks. Other objects pass.
 *
 * Upstream: kubernetes/kubernetes@v1.36.3 pkg/registry/rbac/clusterrole/policybased/storage.go and its siblings
 *
 * Differs: upstream checks an update before it compares the resourceVersion.
 *
 * @throws StatusError Forbidden
 */
export function mustBeGrantable(
  { access, user = userNamed('') }: Registry,
  resource: Resource,
  object: KubeObject,
  old?: KubeObject,
): void {
  if (!access || !GRANTS.has(groupResource(resource))) return;
  access.checkGrant({
    user,
    resource: resource as Resource<RbacObject>,
    object: object as RbacObject,
    ...(old && { old: old as RbacObject }),
  });
}

/** Like {@link mustBeGrantable}, for a new object: upstream checks it before its name is generated. */
export function mustBeGrantableAs(
  registry: Registry,
  resource: Resource,
  object: KubeObject,
  sentName: string | undefined,
): void {
  if (!registry.access || !GRANTS.has(groupResource(resource))) return;
  const unnamed = sentName ? object : { ...object, metadata: { ...object.metadata, name: '' } };
  mustBeGrantable(registry, resource, unnamed);
}

/**
 * Checks that the user may create this object, for a request that was authorized as an update.
 *
 * Upstream: kubernetes/apiserver@v0.36.3 pkg/endpoints/handlers/create.go withAuthorization
 *
 * @throws StatusError Forbidden
 */
export function mustMayCreate(
  { access, user = userNamed('') }: Registry,
  resource: Resource,
  { metadata: { namespace = '', name } }: KubeObject,
): void {
  if (!access) return;
  const { group: apiGroup, version: apiVersion, plural } = resource;
  const attributes = {
    ...{ user, verb: 'create', isResourceRequest: true, path: '' },
    ...{ apiGroup, apiVersion, namespace, resource: plural, subresource: '', name },
  };
  const { verdict, reason } = access.authorize(attributes);
  if (verdict !== 'allow') throw forbidden(attributes, reason);
}
