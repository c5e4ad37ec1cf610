import type { Cluster } from '../cluster.ts';
import { type ComponentName, componentTable } from '../component-table.ts';
import type { Process } from '../process.ts';
import { apiServiceAvailabilityController } from './api-service-availability.ts';
import { apiServiceRegistrationController } from './api-service-registration.ts';
import { controllerAccountsCreator } from './controller-accounts.ts';
import { ipAddressController } from './ip-addresses.ts';
import { resourceQuotaController } from './resource-quota.ts';
import { runController } from './run-controller.ts';

/**
 * Runs the controllers that only secured clusters have: the components of the table that say so, if the cluster has them,
 * and the controllers without a solution. The latter count the usage of quotas, and maintain IPAddress objects and
 * APIServices.
 */
export function runSecuredControllers(cluster: Cluster): readonly Process[] {
  const parts = (Object.keys(componentTable) as ComponentName[]).filter(
    (part) => componentTable[part].process?.only === 'secured' && cluster.has(part),
  );
  return [
    cluster.run('apiservice-registration-controller', apiServiceRegistrationController),
    cluster.run('apiservice-availability-controller', apiServiceAvailabilityController),
    cluster.run('ipallocator-repair-controller', ipAddressController),
    cluster.run('kube-controller-manager', controllerAccountsCreator),
    cluster.run('resourcequota-controller', resourceQuotaController),
    ...parts.map((part) => runController(cluster, part)),
  ];
}
