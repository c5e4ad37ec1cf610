import type { New, PriorityClass } from '../api/objects.ts';
import {
  clusterRoleBindings,
  clusterRoles,
  roleBindings,
  roles,
  serviceCIDRs,
} from '../api/plain-resources.ts';
import { priorityClasses } from '../api/resource.ts';
import { SERVICE_CLUSTER_IP_RANGE } from '../apiserver/kinds/service-allocators.ts';
import type { Client } from '../contracts/client.ts';
import { bootstrapPolicy } from './bootstrap-policy/bootstrap-policy.ts';
import { ensure } from './ensure.ts';

/**
 * Writes the objects that an apiserver creates once it serves, unless they exist: the Service range, the system priority
 * classes, and the default roles.
 *
 * Upstream: kubernetes/kubernetes@v1.36.3 pkg/controlplane/controller/defaultservicecidr/default_servicecidr_controller.go
 * Controller, pkg/registry/scheduling/rest/storage_scheduling.go AddSystemPriorityClasses,
 * pkg/registry/rbac/rest/storage_rbac.go PolicyData.EnsureRBACPolicy
 *
 * Differs: upstream's hooks also restore what a role has lost.
 */
export async function runPostStartHooks(client: Client): Promise<void> {
  await createDefaultServiceCIDR(client);
  for (const priorityClass of SYSTEM_PRIORITY_CLASSES) await ensure(client, priorityClasses, priorityClass);
  const policy = bootstrapPolicy();
  for (const role of policy.clusterRoles) await ensure(client, clusterRoles, role);
  for (const binding of policy.clusterRoleBindings) await ensure(client, clusterRoleBindings, binding);
  for (const role of policy.roles) await ensure(client, roles, role);
  for (const binding of policy.roleBindings) await ensure(client, roleBindings, binding);
}

async function createDefaultServiceCIDR(client: Client): Promise<void> {
  const name = 'kubernetes';
  const spec = { cidrs: [SERVICE_CLUSTER_IP_RANGE] };
  await ensure(client, serviceCIDRs, { metadata: { name }, spec });
  const { apiVersion, kind, metadata } = await client.get(serviceCIDRs, { name });
  const ready = {
    type: 'Ready',
    status: 'True',
    message: 'Kubernetes default Service CIDR is ready',
    lastTransitionTime: metadata.creationTimestamp,
  };
  const body = { apiVersion, kind, metadata: { name }, status: { conditions: [ready] } };
  const fieldManager = 'kubernetes-service-cidr-controller';
  const options = { subresource: 'status', fieldManager, force: true } as const;
  await client.patch(serviceCIDRs, { name }, { type: 'apply', body }, options);
}

/** Upstream: kubernetes/kubernetes@v1.36.3 pkg/apis/scheduling/v1/helpers.go SystemPriorityClasses */
const SYSTEM_PRIORITY_CLASSES: readonly New<PriorityClass>[] = [
  {
    metadata: { name: 'system-node-critical' },
    value: 2_000_001_000,
    description: 'Used for system critical pods that must not be moved from their current node.',
  },
  {
    metadata: { name: 'system-cluster-critical' },
    value: 2_000_000_000,
    description:
      'Used for system critical pods that must run in the cluster, but can be moved to another node if necessary.',
  },
];
