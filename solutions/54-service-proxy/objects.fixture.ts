import type { core, discovery, EndpointSlice, Service } from '#harness';
import { defaultConfiguration } from './configuration.ts';
import { SERVICE_NAME } from './endpoint.ts';
import { type Circumstances, RuleBook } from './rule-book.ts';

const stored = { uid: 'u', resourceVersion: '1', creationTimestamp: '2026-01-01T00:00:00Z' };

/** Returns a service with this key: `ns1/svc1`. */
export function serviceOf(key: string, spec: core.ServiceSpec, status: core.ServiceStatus = {}): Service {
  const [namespace = '', name = ''] = key.split('/');
  return {
    apiVersion: 'v1',
    kind: 'Service',
    metadata: { ...stored, namespace, name },
    spec: { type: 'ClusterIP', ...spec },
    status,
  };
}

/** Returns the slice of a service with these endpoints. */
export function sliceOf(
  key: string,
  endpoints: readonly discovery.Endpoint[],
  ports: readonly discovery.EndpointPort[],
): EndpointSlice {
  const [namespace = '', name = ''] = key.split('/');
  return {
    apiVersion: 'discovery.k8s.io/v1',
    kind: 'EndpointSlice',
    metadata: { ...stored, namespace, name: `${name}-1`, labels: { [SERVICE_NAME]: name } },
    addressType: 'IPv4',
    endpoints: [...endpoints],
    ports: [...ports],
  };
}

/** Returns a full write of these services. */
export function written(
  services: readonly Service[],
  slices: readonly EndpointSlice[],
  { configuration = defaultConfiguration, ...circumstances }: Partial<Circumstances> = {},
): string {
  const keyOf = ({ metadata }: Service): string => `${metadata.namespace}/${metadata.name}`;
  const book = new RuleBook({
    service: (key) => services.find((each) => keyOf(each) === key),
    slices: (key) =>
      slices.filter(({ metadata }) => `${metadata.namespace}/${metadata.labels?.[SERVICE_NAME]}` === key),
  });
  for (const service of services) {
    book.update(keyOf(service), {
      ...{ node: 'node-1', zone: '', nodeIP: '192.168.0.1', hasComments: true },
      ...circumstances,
      configuration,
    });
  }
  return book.write(configuration, { isFull: true, stale: [] });
}
