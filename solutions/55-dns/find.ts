import type { KubernetesDnsOptions, Service } from '#harness';
import { addressIn, endpointHostname, podAddress, type RecordRequest } from './names.ts';
import { clusterIPsOf, type DnsView, isHeadless, readyAddresses, serviceOf } from './view.ts';

/**
 * Something that a name stands for.
 *
 * Upstream: coredns/coredns@v1.14.2 plugin/etcd/msg/service.go Service
 */
export interface Found {
  /** An address, or the name that this name is an alias of. */
  readonly host: string;
  /** Undefined where no port is declared. */
  readonly port?: number;
  /** The labels below the zone of the name that has this address alone: `10-244-1-2.web.default.svc`. */
  readonly path: string;
}

/**
 * What a name stands for. Nothing at all, an empty list, is not the same as a name that does not exist.
 *
 * @returns undefined when there is no such name
 *
 * Upstream: coredns/coredns@v1.14.2 plugin/kubernetes/kubernetes.go Records
 */
export function find(
  request: RecordRequest,
  view: DnsView,
  pods: NonNullable<KubernetesDnsOptions['pods']>,
): readonly Found[] | undefined {
  const { kind, namespace, service } = request;
  // `svc.cluster.local` is a name: there are names below it.
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
  // An endpoint has a name of its own below every service, headless or not.
  if (isHeadless(service) || endpoint !== '') return findEndpoints(request, view, path);
  return portsOf(service.spec.ports, request).flatMap(({ port }) =>
    clusterIPsOf(service).map((host) => ({ host, path, ...(port !== undefined && { port }) })),
  );
}

/** Nothing is below an alias. An address in the place of a name is none. */
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

/** A port as it is asked for. */
interface Port {
  readonly name?: string;
  readonly protocol?: string;
  readonly port?: number;
}

/** The ports of this name and this protocol. What declares no port has one without a number. */
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
 * The names of an address, below the zone of services: that of the service that has it as its own, else those of the endpoints that
 * have it.
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
