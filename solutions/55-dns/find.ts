import type { KubernetesDnsOptions, Service } from '#harness';
import { addressIn, endpointHostname, podAddress, type RecordRequest } from './names.ts';
import { clusterIPsOf, type DnsView, isHeadless, readyAddresses, serviceOf } from './view.ts';

/**
 * One target of a name.
 *
 * Upstream: coredns/coredns@v1.14.2 plugin/etcd/msg/service.go Service
 */
export interface Found {
  /** An address, or the target of an alias. */
  readonly host: string;
  /** Undefined if no port is declared. */
  readonly port?: number;
  /** The name of this address alone, without the zone: `10-244-1-2.web.default.svc`. */
  readonly path: string;
}

/**
 * Returns the targets of a name. An empty list means that the name exists without targets.
 *
 * @returns undefined if the name does not exist
 *
 * Upstream: coredns/coredns@v1.14.2 plugin/kubernetes/kubernetes.go Records
 */
export function find(
  request: RecordRequest,
  view: DnsView,
  pods: NonNullable<KubernetesDnsOptions['pods']>,
): readonly Found[] | undefined {
  const { kind, namespace, service } = request;
  // `svc.cluster.local` exists, because there are names below it.
  if (namespace === '') return [];
  if (!view.hasNamespace(namespace)) return undefined;
  if (kind === 'pod') return findPods(request, view, pods);
  return service === '' ? [] : found(findServices(request, view));
}

function found(all: readonly Found[]): readonly Found[] | undefined {
  return all.length > 0 ? all : undefined;
}

/** Upstream: coredns/coredns@v1.14.2 plugin/kubernetes/kubernetes.go findPods */
function findPods(
  { namespace, service: label }: RecordRequest,
  view: DnsView,
  mode: NonNullable<KubernetesDnsOptions['pods']>,
): readonly Found[] | undefined {
  if (mode === 'disabled') return undefined;
  if (label === '') return [];
  const host = podAddress(label);
  if (host === undefined) return undefined;
  const isThere =
    mode === 'insecure' || view.podsAt(host).some(({ metadata }) => metadata.namespace === namespace);
  return isThere ? [{ host, path: `${label}.${namespace}.pod` }] : undefined;
}

/** Upstream: coredns/coredns@v1.14.2 plugin/kubernetes/kubernetes.go findServices */
function findServices(request: RecordRequest, view: DnsView): readonly Found[] {
  const { namespace, service: name, endpoint } = request;
  const service = view.service(namespace, name);
  if (!service) return [];
  if (service.spec.type === 'ExternalName') return findAlias(request, service);
  const path = `${name}.${namespace}.svc`;
  // An endpoint has its own name below every service, headless or not.
  if (isHeadless(service) || endpoint !== '') return findEndpoints(request, view, path);
  return portsOf(service.spec.ports, request).flatMap(({ port }) =>
    clusterIPsOf(service).map((host) => ({ host, path, ...(port !== undefined && { port }) })),
  );
}

/**
 * Returns the target of an ExternalName service. No names exist below it, and an address as its target does not count.
 */
function findAlias(
  { namespace, service, endpoint, port, protocol }: RecordRequest,
  { spec: { externalName = '' } }: Service,
): readonly Found[] {
  const isBelow = endpoint !== '' || port !== '' || protocol !== '';
  if (isBelow || addressIn(externalName) !== undefined) return [];
  return [{ host: externalName, path: `${service}.${namespace}.svc` }];
}

function findEndpoints(request: RecordRequest, view: DnsView, path: string): readonly Found[] {
  const { namespace, service, endpoint } = request;
  return view.slicesOf(namespace, service).flatMap((slice) =>
    readyAddresses(slice)
      .filter((each) => endpoint === '' || endpointHostname(each).toLowerCase() === endpoint)
      .flatMap((each) =>
        portsOf(slice.ports, request).map(({ port }) => ({
          host: each.address,
          path: `${endpointHostname(each)}.${path}`,
          ...(port !== undefined && { port }),
        })),
      ),
  );
}

/** A declared port. */
interface Port {
  readonly name?: string;
  readonly protocol?: string;
  readonly port?: number;
}

/**
 * Returns the ports with the wanted name and protocol. A service or slice without ports counts as one port without a
 * number.
 */
function portsOf(
  ports: readonly Port[] | null | undefined,
  wanted: Pick<RecordRequest, 'port' | 'protocol'>,
): readonly Port[] {
  return (ports?.length ? ports : [{}]).filter(
    ({ name = '', protocol = '' }) =>
      (wanted.port === '' || name.toLowerCase() === wanted.port) &&
      (wanted.protocol === '' || protocol.toLowerCase() === wanted.protocol),
  );
}

/**
 * Returns the names of an address, without the zone: the name of the service with this cluster IP; otherwise, the names
 * of the endpoints with this address.
 *
 * Upstream: coredns/coredns@v1.14.2 plugin/kubernetes/reverse.go serviceRecordForIP
 */
export function findNames(address: string, view: DnsView): readonly string[] {
  const [service] = view.servicesAt(address);
  if (service) return [`${service.metadata.name}.${service.metadata.namespace}.svc`];
  const names = view.slicesAt(address).flatMap((slice) =>
    readyAddresses(slice)
      .filter((each) => addressIn(each.address) === address)
      .map((each) => `${endpointHostname(each)}.${serviceOf(slice)}.${slice.metadata.namespace}.svc`),
  );
  return [...new Set(names)];
}
