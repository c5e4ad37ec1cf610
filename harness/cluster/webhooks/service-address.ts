import { quote } from '../../api/names.ts';
import type { Service } from '../../api/objects.ts';
import type { HttpRequest } from '../../contracts/node/index.ts';

/** A host and a port. The host is an address or a name. */
type Location = Pick<HttpRequest, 'host' | 'port'>;

/**
 * Returns the address at which an apiserver reaches a port of a Service: the cluster IP, from which kube-proxy takes the
 * connection to an endpoint.
 *
 * Upstream: kubernetes/apiserver@v0.36.3 pkg/util/proxy/proxy.go ResolveCluster, which kube-apiserver uses without
 * --enable-aggregator-routing
 *
 * @throws Error when the Service has no such port, or no cluster IP
 */
export function serviceAddress({ metadata, spec }: Service, port: number): Location {
  const { type = 'ClusterIP', clusterIP = '', externalName = '', ports = [] } = spec;
  if (type === 'ExternalName') return { host: externalName, port };
  if (type === 'ClusterIP' && clusterIP === 'None') {
    throw new Error('cannot route to service with ClusterIP "None"');
  }
  if (!ports.some((each) => each.port === port)) {
    throw new Error(`no service port ${port} found for service ${quote(metadata.name)}`);
  }
  return { host: clusterIP, port };
}
