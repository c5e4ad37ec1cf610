import type * as core from '#api/core/v1';
import { isHTTPHeaderName } from '../../../api/names.ts';
import type { Cause } from '../../../api/status.ts';
import { forbidden, invalid, invalidEach, notSupported, required } from '../../validation/field-error.ts';
import { validateNonnegativeField } from '../../validation/object-meta.ts';
import { validatePortNumOrName } from './ports.ts';

/**
 * Validates the probes and lifecycle hooks of a container that keeps running.
 *
 * Upstream: kubernetes/kubernetes@v1.36.3 pkg/apis/core/validation/validation.go validateProbe,
 * validateLifecycle
 *
 * @param gracePeriodSeconds of the pod: the upper bound for a hook that sleeps
 */
export function validateProbesAndHooks(
  container: core.Container,
  gracePeriodSeconds: number,
  path: string,
): Cause[] {
  const { lifecycle, livenessProbe, readinessProbe, startupProbe } = container;
  const causes: Cause[] = [];
  for (const hook of ['postStart', 'preStop'] as const) {
    const handler = lifecycle?.[hook];
    if (handler) causes.push(...validateHandler(handler, gracePeriodSeconds, `${path}.lifecycle.${hook}`));
  }
  if (livenessProbe) causes.push(...validateOneSuccessProbe(livenessProbe, `${path}.livenessProbe`));
  if (readinessProbe) causes.push(...validateReadinessProbe(readinessProbe, `${path}.readinessProbe`));
  if (startupProbe) causes.push(...validateOneSuccessProbe(startupProbe, `${path}.startupProbe`));
  return causes;
}

/** Liveness and startup probes need one success: the kubelet would count no further one. */
function validateOneSuccessProbe(probe: core.Probe, path: string): Cause[] {
  const causes = validateProbe(probe, path);
  if (probe.successThreshold !== 1) {
    causes.push(invalid(`${path}.successThreshold`, probe.successThreshold ?? 0, 'must be 1'));
  }
  return causes;
}

/** A readiness probe kills no container, so it has no grace period. */
function validateReadinessProbe(probe: core.Probe, path: string): Cause[] {
  const causes = validateProbe(probe, path);
  const field = 'terminationGracePeriodSeconds';
  if (probe[field] !== undefined) {
    causes.push(invalid(`${path}.${field}`, probe[field], 'must not be set for readinessProbes'));
  }
  return causes;
}

function validateProbe(probe: core.Probe, path: string): Cause[] {
  const causes = validateHandler(probe, 0, path);
  for (const field of PROBE_NUMBERS) {
    causes.push(...validateNonnegativeField(probe[field] ?? 0, `${path}.${field}`));
  }
  const seconds = probe.terminationGracePeriodSeconds;
  if (seconds !== undefined && seconds <= 0) {
    causes.push(invalid(`${path}.terminationGracePeriodSeconds`, seconds, 'must be greater than 0'));
  }
  return causes;
}

const PROBE_NUMBERS = [
  'initialDelaySeconds',
  'timeoutSeconds',
  'periodSeconds',
  'successThreshold',
  'failureThreshold',
] as const;

type Handler = Pick<core.Probe, 'exec' | 'httpGet' | 'tcpSocket' | 'grpc'> &
  Pick<core.LifecycleHandler, 'sleep'>;

/**
 * Requires exactly one handler; only the first is validated.
 *
 * Upstream: kubernetes/kubernetes@v1.36.3 pkg/apis/core/validation/validation.go validateHandler
 */
function validateHandler(handler: Handler, gracePeriodSeconds: number, path: string): Cause[] {
  const { exec, httpGet, tcpSocket, grpc, sleep } = handler;
  const checks: (readonly [string, (() => Cause[]) | undefined])[] = [
    ['exec', exec && (() => (exec.command?.length ? [] : [required(`${path}.exec.command`)]))],
    ['httpGet', httpGet && (() => validateHTTPGet(httpGet, `${path}.httpGet`))],
    ['tcpSocket', tcpSocket && (() => validatePortNumOrName(tcpSocket.port, `${path}.tcpSocket.port`))],
    ['grpc', grpc && (() => validatePortNumOrName(grpc.port, `${path}.grpc.port`))],
    ['sleep', sleep && (() => validateSleep(sleep.seconds, gracePeriodSeconds, `${path}.sleep`))],
  ];
  const given = checks.filter(([, check]) => check !== undefined);
  if (given.length === 0) return [required(path, 'must specify a handler type')];
  return given.flatMap(([name, check], i) =>
    i === 0 && check ? check() : [forbidden(`${path}.${name}`, 'may not specify more than 1 handler type')],
  );
}

function validateHTTPGet(action: core.HTTPGetAction, path: string): Cause[] {
  const { path: urlPath, port, scheme = '', httpHeaders = [] } = action;
  const causes: Cause[] = urlPath ? [] : [required(`${path}.path`)];
  causes.push(...validatePortNumOrName(port, `${path}.port`));
  if (!SCHEMES.includes(scheme)) causes.push(notSupported(`${path}.scheme`, scheme, SCHEMES));
  for (const { name } of httpHeaders) {
    causes.push(...invalidEach(`${path}.httpHeaders`, name, isHTTPHeaderName(name)));
  }
  return causes;
}

const SCHEMES = ['HTTP', 'HTTPS'];

function validateSleep(seconds: number, gracePeriodSeconds: number, path: string): Cause[] {
  if (seconds >= 0 && seconds <= gracePeriodSeconds) return [];
  const detail = `must be non-negative and less than terminationGracePeriodSeconds (${gracePeriodSeconds})`;
  return [invalid(path, seconds, detail)];
}
