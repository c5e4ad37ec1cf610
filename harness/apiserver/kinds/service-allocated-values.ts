import type * as core from '#api/core/v1';
import { semanticEqual } from '../../api/semantic-equality.ts';
import { mapItems, withDefaults, without } from '../copy-on-write.ts';
import { needsClusterIP, needsHealthCheckNodePort, needsNodePort, nodePorts } from './service-type.ts';
import { withField } from './with-field.ts';

/**
 * Restores allocated values that the client omitted, so that the YAML that created a Service can also replace it.
 *
 * Upstream: patchAllocatedValues
 *
 * Upstream: kubernetes/kubernetes@v1.36.3 pkg/registry/core/service/storage/storage.go
 */
export function patchAllocatedValues(spec: core.ServiceSpec, old: core.ServiceSpec): core.ServiceSpec {
  let patched = spec;
  if (needsClusterIP(old) && needsClusterIP(spec)) {
    const { clusterIP, clusterIPs } = old;
    if (clusterIP) patched = withDefaults(patched, { clusterIP });
    if (clusterIPs?.length && !patched.clusterIPs?.length) patched = { ...patched, clusterIPs };
  }
  if (needsNodePort(old) && needsNodePort(spec)) patched = patchNodePorts(patched, old);
  if (needsHealthCheckNodePort(old) && needsHealthCheckNodePort(spec) && old.healthCheckNodePort) {
    patched = withDefaults(patched, { healthCheckNodePort: old.healthCheckNodePort });
  }
  return patched;
}

/** Restores node ports. The name identifies a port, whatever else changed. */
function patchNodePorts(spec: core.ServiceSpec, old: core.ServiceSpec): core.ServiceSpec {
  if (!spec.ports) return spec;
  const asked = nodePorts(spec);
  const byName = new Map(old.ports?.map((port) => [port.name ?? '', port.nodePort]));
  const ports = mapItems(spec.ports, (port) => {
    const nodePort = byName.get(port.name ?? '');
    return nodePort && !asked.has(nodePort) ? withDefaults(port, { nodePort }) : port;
  });
  return withField(spec, 'ports', ports);
}

/**
 * Makes `clusterIPs` follow `clusterIP` for clients that know only the latter.
 *
 * Upstream: normalizeClusterIPs
 */
export function normalizeClusterIPs(
  spec: core.ServiceSpec,
  old: core.ServiceSpec | undefined,
): core.ServiceSpec {
  const { clusterIP = '', clusterIPs = [] } = spec;
  if (!old) return clusterIP && clusterIPs.length === 0 ? { ...spec, clusterIPs: [clusterIP] } : spec;

  if (clusterIP === (old.clusterIP ?? '')) {
    return clusterIPs.length === 0 && old.clusterIPs?.length ? { ...spec, clusterIPs: old.clusterIPs } : spec;
  }
  if (!semanticEqual(clusterIPs, old.clusterIPs)) return spec;
  return clusterIP ? { ...spec, clusterIPs: [clusterIP] } : without(spec, 'clusterIPs');
}
