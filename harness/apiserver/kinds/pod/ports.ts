import type * as core from '#api/core/v1';
import type { IntOrString } from '../../../api/intstr.ts';
import { isValidPortName, isValidPortNum } from '../../../api/names.ts';
import type { Cause } from '../../../api/status.ts';
import { duplicate, invalidEach, notSupported, required } from '../../validation/field-error.ts';

/**
 * Validates the ports of one container: their names are unique within the container.
 *
 * Upstream: kubernetes/kubernetes@v1.36.3 pkg/apis/core/validation/validation.go validateContainerPorts
 */
export function validateContainerPorts(ports: readonly core.ContainerPort[], path: string): Cause[] {
  const causes: Cause[] = [];
  const names = new Set<string>();
  ports.forEach((port, i) => {
    const at = `${path}[${i}]`;
    const { name = '', containerPort, hostPort, protocol } = port;
    const reasons = name ? isValidPortName(name) : [];
    causes.push(...invalidEach(`${at}.name`, name, reasons));
    if (name && reasons.length === 0 && names.has(name)) causes.push(duplicate(`${at}.name`, name));
    if (name && reasons.length === 0) names.add(name);

    if (!containerPort) causes.push(required(`${at}.containerPort`));
    else causes.push(...invalidEach(`${at}.containerPort`, containerPort, isValidPortNum(containerPort)));
    if (hostPort) causes.push(...invalidEach(`${at}.hostPort`, hostPort, isValidPortNum(hostPort)));
    if (!protocol) causes.push(required(`${at}.protocol`));
    else if (!PROTOCOLS.includes(protocol)) causes.push(notSupported(`${at}.protocol`, protocol, PROTOCOLS));
  });
  return causes;
}

const PROTOCOLS = ['SCTP', 'TCP', 'UDP'];

/**
 * Rejects a host port that two containers claim.
 *
 * Upstream: kubernetes/kubernetes@v1.36.3 pkg/apis/core/validation/validation.go checkHostPortConflicts
 */
export function validateHostPortConflicts(containers: readonly core.Container[], path: string): Cause[] {
  const causes: Cause[] = [];
  const claimed = new Set<string>();
  containers.forEach((container, c) => {
    container.ports?.forEach(({ protocol = '', hostIP = '', hostPort }, p) => {
      if (!hostPort) return;
      const claim = `${protocol}/${hostIP}/${hostPort}`;
      if (claimed.has(claim)) causes.push(duplicate(`${path}[${c}].ports[${p}].hostPort`, claim));
      claimed.add(claim);
    });
  });
  return causes;
}

/** Validates the port of a probe or a hook: a number, or the name of a container's port. */
export function validatePortNumOrName(port: IntOrString | undefined, path: string): Cause[] {
  return typeof port === 'string'
    ? invalidEach(path, port, isValidPortName(port))
    : invalidEach(path, port ?? 0, isValidPortNum(port ?? 0));
}
