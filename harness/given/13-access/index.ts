/** `#given/13-access`: the parts of the harness that only this kata uses. */

export type * as rbac from '#api/rbac/v1';
export type {
  ClusterRole,
  ClusterRoleBinding,
  RbacObject,
  Role,
  RoleBinding,
} from '../../api/objects.ts';
export {
  clusterRoleBindings,
  clusterRoles,
  roleBindings,
  roles,
  volumeAttachments,
} from '../../api/plain-resources.ts';
// From level 8 on: the attributes of a question to the authorizers, and the words of a refusal.
export { resourceAttributes } from '../../apiserver/access/attributes.ts';
export {
  aggregated,
  allowedBy,
  changesOnlyCollectorFields,
  isAggregate,
  notHeld,
  singleRights,
} from '../../apiserver/access/grants.ts';
export { withoutUserName } from '../../apiserver/access/impersonation.ts';
export { nodeOf } from '../../apiserver/access/node-identity.ts';
export { decideByRequest } from '../../apiserver/access/node-requests.ts';
// Level 10: the objects that a pod or a volume uses.
export {
  type PodReferences,
  referencesOf,
  secretsOfPersistentVolume,
} from '../../apiserver/access/references.ts';
// Level 3: the user of valid claims; levels 6 and 9: the names of service accounts.
export {
  audienceMismatch,
  serviceAccountGroups,
  serviceAccountName,
  serviceAccountOf,
  userOfClaims,
} from '../../apiserver/access/service-account-users.ts';
export { AUTHENTICATED, MASTERS, UNAUTHENTICATED } from '../../apiserver/access/system-groups.ts';
export { ANONYMOUS } from '../../apiserver/users.ts';
export { nodeRules } from '../../cluster/bootstrap-policy/node-rules.ts';
export * from '../../contracts/access/index.ts';
