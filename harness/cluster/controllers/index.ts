import type { Cluster } from '../cluster.ts';
import type { Process } from '../process.ts';
import { namespaceController } from './namespace-controller.ts';
import { rootCACertPublisher, serviceAccountsController } from './namespace-defaults.ts';

/**
 * Runs the controllers that see to namespaces: what every namespace has, and what becomes of one that is deleted. No kata is about them.
 *
 * @param ca the certificate by which the apiserver is trusted, in PEM. Absent: none is published
 */
export function runNamespaceControllers(cluster: Cluster, ca: string | undefined): readonly Process[] {
  return [
    cluster.run('namespace-controller', namespaceController),
    cluster.run('serviceaccount-controller', serviceAccountsController),
    ...(ca === undefined
      ? []
      : [cluster.run('root-ca-certificate-publisher-controller', rootCACertPublisher(ca))]),
  ];
}
