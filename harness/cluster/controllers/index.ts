import type { Cluster } from '../cluster.ts';
import type { Process } from '../process.ts';
import { apiServiceAvailabilityController } from './api-service-availability.ts';
import { apiServiceRegistrationController } from './api-service-registration.ts';
import { controllerAccountsCreator } from './controller-accounts.ts';
import { endpointSliceMirroringController } from './endpoint-slice-mirroring.ts';
import { ipAddressController } from './ip-addresses.ts';
import { namespaceController } from './namespace-controller.ts';
import { rootCACertPublisher, serviceAccountsController } from './namespace-defaults.ts';
import { resourceQuotaController } from './resource-quota.ts';

/**
 * Runs the controllers that no kata covers: they give namespaces their default objects, delete their content, mirror
 * Endpoints, count the usage of quotas, and maintain IPAddress objects and APIServices.
 *
 * @param ca the CA certificate of the apiserver, in PEM. Absent: none is published
 */
export function runOtherControllers(cluster: Cluster, ca: string | undefined): readonly Process[] {
  return [
    cluster.run('apiservice-registration-controller', apiServiceRegistrationController),
    cluster.run('apiservice-availability-controller', apiServiceAvailabilityController),
    cluster.run('endpointslicemirroring-controller', endpointSliceMirroringController),
    cluster.run('ipallocator-repair-controller', ipAddressController),
    cluster.run('kube-controller-manager', controllerAccountsCreator),
    cluster.run('namespace-controller', namespaceController),
    cluster.run('resourcequota-controller', resourceQuotaController),
    cluster.run('serviceaccount-controller', serviceAccountsController),
    ...(ca === undefined
      ? []
      : [cluster.run('root-ca-certificate-publisher-controller', rootCACertPublisher(ca))]),
  ];
}
