import type * as core from '#api/core/v1';
import { quote } from '../../api/names.ts';
import type { Service } from '../../api/objects.ts';
import { services } from '../../api/resource.ts';
import { errors, type StatusError } from '../../api/status.ts';
import { mapItems } from '../copy-on-write.ts';
import { invalid } from '../validation/field-error.ts';
import { AllocationMap } from './allocation-map.ts';
import { normalizeClusterIPs, patchAllocatedValues } from './service-allocated-values.ts';
import { ipFamilyOf } from './service-cluster-ips.ts';
import { withIPFamilies } from './service-ip-families.ts';
import {
  isHeadless,
  needsClusterIP,
  needsHealthCheckNodePort,
  needsNodePort,
  nodePorts,
} from './service-type.ts';
import { withField } from './with-field.ts';

/** The range of cluster IPs: the default of kubeadm. */
export const SERVICE_CLUSTER_IP_RANGE = '10.96.0.0/12';

interface ServiceAllocatorsOptions {
  /** In CIDR notation, IPv4. @defaultValue {@link SERVICE_CLUSTER_IP_RANGE} */
  readonly serviceClusterIPRange?: string;
  /** Both ends are included. @defaultValue 30000 to 32767 */
  readonly serviceNodePortRange?: { readonly first: number; readonly last: number };
}

/**
 * Allocates cluster IPs and node ports of Services.
 *
 * An allocation has two steps, because a request can fail in between. {@link ServiceAllocators.allocate} chooses
 * values without allocating them. {@link ServiceAllocators.record} runs after each write, and allocates and releases
 * the values of the written objects. So a rejected request and a dry run leave no trace, and the allocators of two
 * apiservers that see the same writes agree.
 *
 * Upstream: kubernetes/kubernetes@v1.36.3 pkg/registry/core/service/storage/alloc.go Allocators, where both
 * halves are one and failures are rolled back
 */
export class ServiceAllocators {
  readonly #ips: IPRange;
  readonly #ports: PortRange;

  constructor(options: ServiceAllocatorsOptions = {}) {
    const { serviceClusterIPRange = SERVICE_CLUSTER_IP_RANGE, serviceNodePortRange: ports } = options;
    this.#ips = new IPRange(serviceClusterIPRange);
    this.#ports = new PortRange(ports?.first ?? 30000, ports?.last ?? 32767);
  }

  /**
   * Returns the Service with all addresses and ports that it needs. The caller calls it after defaulting, and before
   * `prepareForCreate` or `prepareForUpdate`.
   *
   * @param old the stored Service, for an update
   * @throws StatusError Invalid, when a requested value is allocated or out of range; InternalError, when a range is
   * full
   */
  allocate(service: Service, old?: Service): Service {
    const { name } = service.metadata;
    const restored = old ? patchAllocatedValues(service.spec, old.spec) : service.spec;
    const { spec, causes } = withIPFamilies(normalizeClusterIPs(restored, old?.spec), old?.spec);
    if (causes.length > 0) throw errors.invalid(services, name, causes);
    const addressed = !old || !needsClusterIP(old.spec) ? this.#withClusterIPs(spec, name) : spec;
    return withField(service, 'spec', this.#withNodePorts(addressed, old?.spec, name));
  }

  /**
   * Allocates the values of `current`, and releases the values that only `previous` had. The caller calls it for
   * every write of a Service and, at the start, for every existing Service.
   *
   * @param current absent when the Service was deleted
   * @param previous absent when it was created
   */
  record(current: Service | undefined, previous: Service | undefined): void {
    replace(this.#ips.map, this.#ips.offsetsOf(current?.spec), this.#ips.offsetsOf(previous?.spec));
    replace(this.#ports.map, this.#ports.offsetsOf(current?.spec), this.#ports.offsetsOf(previous?.spec));
  }

  #withClusterIPs(spec: core.ServiceSpec, name: string): core.ServiceSpec {
    if (!needsClusterIP(spec) || isHeadless(spec)) return spec;
    const { clusterIPs = [] } = spec;
    const asked = clusterIPs[0];
    if (!asked) {
      const next = this.#ips.map.next();
      if (next === undefined) {
        throw errors.internal(`failed to allocate a serviceIP for Service ${quote(name)}: range is full`);
      }
      const clusterIP = this.#ips.at(next);
      return { ...spec, clusterIP, clusterIPs: [clusterIP] };
    }
    const why = this.#ips.whyNot(asked);
    if (!why) return spec;
    throw refused(name, 'spec.clusterIPs', clusterIPs, `failed to allocate IP ${asked}: ${why}`);
  }

  /**
   * Assigns node ports. A new Service gets one node port for ports of the same number (53 over TCP and UDP); an
   * update does not try that.
   *
   * Upstream: initNodePorts, updateNodePorts
   */
  #withNodePorts(spec: core.ServiceSpec, old: core.ServiceSpec | undefined, name: string): core.ServiceSpec {
    if (!needsNodePort(spec)) return spec;
    const request = new PortRequest(this.#ports, old && portsOf(old));
    const mayAllocate = spec.type === 'NodePort' || (spec.allocateLoadBalancerNodePorts ?? true);
    const shared = new Map<number, number>();
    const ports = mapItems(spec.ports ?? [], (port, i) => {
      if (!port.nodePort && !mayAllocate) return port;
      const twin = old ? undefined : shared.get(port.port);
      const asked = port.nodePort || twin || (old ? undefined : askedFor(spec, port.port));
      if (asked && asked !== twin) {
        const why = request.ask(asked);
        if (why) throw refused(name, `spec.ports[${i}].nodePort`, asked, why);
      }
      const nodePort = asked ?? request.next('failed to allocate a nodePort');
      if (!twin) shared.set(port.port, nodePort);
      return withField(port, 'nodePort', nodePort);
    });
    const allocated = spec.ports ? withField(spec, 'ports', ports) : spec;
    return withHealthCheckNodePort(allocated, old, request);
  }
}

/** Upstream: allocHealthCheckNodePort */
function withHealthCheckNodePort(
  spec: core.ServiceSpec,
  old: core.ServiceSpec | undefined,
  request: PortRequest,
): core.ServiceSpec {
  if (!needsHealthCheckNodePort(spec) || (old && needsHealthCheckNodePort(old))) return spec;
  const { healthCheckNodePort: asked } = spec;
  if (!asked) {
    return { ...spec, healthCheckNodePort: request.next('failed to allocate a HealthCheck NodePort 0') };
  }
  const why = request.ask(asked);
  if (why) throw errors.internal(`failed to allocate requested HealthCheck NodePort ${asked}: ${why}`);
  return spec;
}

/** The ports that one request has chosen, in addition to the allocated ports. */
class PortRequest {
  readonly #range: PortRange;
  readonly #own: ReadonlySet<number> | undefined;
  readonly #chosen = new Set<number>();

  /** @param own the ports that the Service already has; absent for a new one */
  constructor(range: PortRange, own: ReadonlySet<number> | undefined) {
    this.#range = range;
    this.#own = own;
  }

  /**
   * Chooses a port if it is available, else returns why not. An update can choose it twice, for two protocols;
   * validation makes sure that the protocols differ.
   */
  ask(port: number): string | undefined {
    if (this.#own?.has(port)) return undefined;
    if (this.#chosen.has(port)) return this.#own ? undefined : ALLOCATED('port');
    const why = this.#range.whyNot(port);
    if (!why) this.#chosen.add(port);
    return why;
  }

  next(failure: string): number {
    const besides = new Set([...this.#chosen].map((port) => port - this.#range.first));
    const offset = this.#range.map.next(besides);
    if (offset === undefined) throw errors.internal(`${failure}: range is full`);
    this.#chosen.add(this.#range.first + offset);
    return this.#range.first + offset;
  }
}

/** Range of addresses without the network address and the broadcast address. */
class IPRange {
  readonly map: AllocationMap;
  readonly #first: number;

  constructor(cidr: string) {
    const [network = '', bits = ''] = cidr.split('/');
    const addresses = 2 ** (32 - Number(bits));
    this.#first = toNumber(network) + 1;
    this.map = new AllocationMap(addresses - 2, reservedOf(addresses, { step: 16, max: 256 }));
  }

  at(offset: number): string {
    const ip = this.#first + offset;
    return [ip >>> 24, ip >>> 16, ip >>> 8, ip].map((octet) => octet & 0xff).join('.');
  }

  whyNot(ip: string): string | undefined {
    const offset = toNumber(ip) - this.#first;
    if (offset >= 0 && offset < this.map.size) return this.map.has(offset) ? ALLOCATED('IP') : undefined;
    return 'the provided network does not match the current range';
  }

  offsetsOf(spec: core.ServiceSpec | undefined): Set<number> {
    const ips = spec?.clusterIPs?.filter((ip) => ip !== 'None' && ipFamilyOf(ip) === 'IPv4') ?? [];
    return new Set(ips.map((ip) => toNumber(ip) - this.#first));
  }
}

class PortRange {
  readonly map: AllocationMap;
  readonly first: number;
  readonly #last: number;

  constructor(first: number, last: number) {
    const ports = last - first + 1;
    this.first = first;
    this.#last = last;
    this.map = new AllocationMap(ports, reservedOf(ports, { step: 32, max: 128 }));
  }

  whyNot(port: number): string | undefined {
    if (port >= this.first && port <= this.#last) {
      return this.map.has(port - this.first) ? ALLOCATED('port') : undefined;
    }
    return `provided port is not in the valid range. The range of valid ports is ${this.first}-${this.#last}`;
  }

  offsetsOf(spec: core.ServiceSpec | undefined): Set<number> {
    return new Set([...(spec ? portsOf(spec) : [])].map((port) => port - this.first));
  }
}

const ALLOCATED = (what: 'IP' | 'port') => `provided ${what} is already allocated`;

/** Returns how many of the lowest numbers are reserved for requests by number. Upstream: calculateRangeOffset */
function reservedOf(size: number, { step, max }: { step: number; max: number }): number {
  const min = 16;
  return size <= min ? 0 : Math.min(Math.max(min, Math.floor(size / step)), max);
}

/** Converts an IPv4 address; the callers pass no IPv6. */
function toNumber(ip: string): number {
  return ip.split('.').reduce((number, octet) => number * 256 + Number(octet), 0);
}

/** Returns every port of a Service that comes from the range. */
function portsOf(spec: core.ServiceSpec): Set<number> {
  const { healthCheckNodePort } = spec;
  return new Set([...nodePorts(spec), ...(healthCheckNodePort ? [healthCheckNodePort] : [])]);
}

/** Returns the node port that a port of this number requests. */
function askedFor(spec: core.ServiceSpec, number: number): number | undefined {
  return spec.ports?.find(({ port, nodePort }) => port === number && nodePort)?.nodePort;
}

function replace(map: AllocationMap, current: ReadonlySet<number>, previous: ReadonlySet<number>): void {
  for (const offset of previous) if (!current.has(offset)) map.release(offset);
  for (const offset of current) map.take(offset);
}

function refused(name: string, path: string, value: unknown, detail: string): StatusError {
  return errors.invalid(services, name, [invalid(path, value, detail)]);
}
