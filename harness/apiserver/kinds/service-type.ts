import type * as core from '#api/core/v1';
import { semanticEqual } from '../../api/semantic-equality.ts';
import { mapItems, without } from '../copy-on-write.ts';

/** Does the Service have a cluster IP, including `None`? */
export function needsClusterIP(spec: core.ServiceSpec): boolean {
  return spec.type !== 'ExternalName';
}

/** Does the Service have a port on every node? */
export function needsNodePort(spec: core.ServiceSpec): boolean {
  return spec.type === 'NodePort' || spec.type === 'LoadBalancer';
}

/**
 * Can clients outside the cluster reach the Service? Only then does it have a policy for external traffic.
 *
 * Upstream: kubernetes/kubernetes@v1.36.3 pkg/api/service/util.go ExternallyAccessible
 */
export function isExternallyAccessible(spec: core.ServiceSpec): boolean {
  return needsNodePort(spec) || (spec.type === 'ClusterIP' && (spec.externalIPs?.length ?? 0) > 0);
}

/** Does a load balancer have to ask each node whether it has local endpoints? */
export function needsHealthCheckNodePort(spec: core.ServiceSpec): boolean {
  return spec.type === 'LoadBalancer' && spec.externalTrafficPolicy === 'Local';
}

/** Does the Service have no address of its own? DNS then answers with the addresses of the pods. */
export function isHeadless(spec: core.ServiceSpec): boolean {
  return spec.clusterIPs?.length === 1 && spec.clusterIPs[0] === 'None';
}

/**
 * Removes the fields that the new type does not use if the client did not change them: it most likely changed only
 * the type, and the server had set them. A changed field stays, so that validation rejects it.
 *
 * The type decides which fields of a Service have a meaning: an ExternalName has no address, and only NodePort and
 * LoadBalancer have ports on the nodes.
 *
 * Upstream: dropTypeDependentFields
 *
 * Upstream: kubernetes/kubernetes@v1.36.3 pkg/registry/core/service/strategy.go
 */
export function dropTypeDependentFields(spec: core.ServiceSpec, old: core.ServiceSpec): core.ServiceSpec {
  const dropped: (keyof core.ServiceSpec)[] = [];
  const same = (...fields: (keyof core.ServiceSpec)[]) =>
    fields.every((field) => semanticEqual(spec[field], old[field]));

  if (needsClusterIP(old) && !needsClusterIP(spec)) {
    if (same('clusterIP', 'clusterIPs')) dropped.push('clusterIP', 'clusterIPs');
    if (same('ipFamilies')) dropped.push('ipFamilies');
    if (same('ipFamilyPolicy')) dropped.push('ipFamilyPolicy');
  }
  if (needsHealthCheckNodePort(old) && !needsHealthCheckNodePort(spec) && same('healthCheckNodePort')) {
    dropped.push('healthCheckNodePort');
  }
  if (old.type === 'LoadBalancer' && spec.type !== 'LoadBalancer') {
    if (same('allocateLoadBalancerNodePorts')) dropped.push('allocateLoadBalancerNodePorts');
    if (same('loadBalancerClass')) dropped.push('loadBalancerClass');
  }
  if (isExternallyAccessible(old) && !isExternallyAccessible(spec) && same('externalTrafficPolicy')) {
    dropped.push('externalTrafficPolicy');
  }
  return without(withoutNodePorts(spec, old), ...dropped);
}

/** Removes the node ports. Other changes of the ports are allowed, as long as no node port is new. */
function withoutNodePorts(spec: core.ServiceSpec, old: core.ServiceSpec): core.ServiceSpec {
  if (!spec.ports || !needsNodePort(old) || needsNodePort(spec)) return spec;
  const known = nodePorts(old);
  if (![...nodePorts(spec)].every((port) => known.has(port))) return spec;
  const ports = mapItems(spec.ports, (port) => without(port, 'nodePort'));
  return ports === spec.ports ? spec : { ...spec, ports };
}

/** Returns the node ports that a Service has or requests. */
export function nodePorts(spec: core.ServiceSpec): ReadonlySet<number> {
  return new Set(spec.ports?.flatMap(({ nodePort }) => nodePort || []));
}
