import type { Cluster } from '../cluster.ts';
import type { Process } from '../process.ts';
import { clusterRoleAggregationController } from './cluster-role-aggregation.ts';
import { ipAddressController } from './ip-addresses.ts';
import { namespaceController } from './namespace-controller.ts';
import { rootCACertPublisher, serviceAccountsController } from './namespace-defaults.ts';

/**
 * Runs the controllers that no kata is about: they see to namespaces, what each has and what becomes of one that is deleted, to the
 * rules of roles that are gathered from others, and to the objects of addresses.
 *
 * @param ca the certificate by which the apiserver is trusted, in PEM. Absent: none is published
 */
export function runOtherControllers(cluster: Cluster, ca: string | undefined): readonly Process[] {
  return [
    cluster.run('clusterrole-aggregation-controller', clusterRoleAggregationController),
    cluster.run('ipallocator-repair-controller', ipAddressController),
    cluster.run('namespace-controller', namespaceController),
    cluster.run('serviceaccount-controller', serviceAccountsController),
    ...(ca === undefined
      ? []
      : [cluster.run('root-ca-certificate-publisher-controller', rootCACertPublisher(ca))]),
  ];
}
