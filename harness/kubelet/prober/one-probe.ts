import type * as core from '#api/core/v1';
import type { Pod } from '../../api/objects.ts';
import type { ProbeManagerOptions, ProbeType } from '../../contracts/node/probe-manager.ts';

/** The outcome of one probe. A warning is a success that is reported in an event. */
export interface ProbeAnswer {
  readonly result: 'success' | 'warning' | 'failure';
  /** The reason, human-readable. */
  readonly output: string;
}

/** A probe of a container. All fields are as in the pod when it was added. */
export interface Probed {
  readonly pod: Pod;
  readonly container: core.Container;
  readonly type: ProbeType;
  readonly probe: core.Probe;
}

/** A probe, and the current address of its container. */
export interface ProbeTarget extends Probed {
  readonly podIP: string;
  /** The ID as in the status: `containerd://…`. */
  readonly containerID: string;
}

/** The node services that a probe needs. */
export type ProbeTools = Pick<ProbeManagerOptions, 'runtime' | 'network' | 'recorder' | 'clock'>;

/** Returns the timeout of a probe in ms. */
export function timeoutMsOf({ timeoutSeconds = 1 }: core.Probe): number {
  return timeoutSeconds * 1_000;
}

/**
 * Returns the port of a probe, which is a number, the name of a container port, or a number as a string.
 *
 * @throws Error `strconv.Atoi: parsing "web": invalid syntax` for a name without a port; `invalid port number: 0` for a
 * number outside 1 … 65,535
 * @see Upstream: kubernetes/kubernetes@v1.36.3 pkg/probe/util.go ResolveContainerPort
 */
export function portOf(port: number | string, { ports = [] }: Pick<core.Container, 'ports'>): number {
  const named = ports.find(({ name }) => name === port)?.containerPort;
  const found = named ?? (/^[+-]?\d+$/.test(`${port}`) ? Number(port) : undefined);
  if (found === undefined) throw new Error(`strconv.Atoi: parsing "${port}": invalid syntax`);
  if (found > 0 && found < 65_536) return found;
  throw new Error(`invalid port number: ${found}`);
}

/**
 * Returns the headers of an HTTP probe. Names are in lower case, and the values of a repeated name are joined by `, `.
 * The defaults are `user-agent: kube-probe/1.36` and `accept: *\/*`. An empty value in the probe omits `user-agent`,
 * `accept` or `host`.
 *
 * @see Upstream: kubernetes/kubernetes@v1.36.3 pkg/probe/http/request.go v1HeaderToHTTPHeader, NewProbeRequest
 */
export function probeHeaders(httpHeaders: readonly core.HTTPHeader[] = []): Readonly<Record<string, string>> {
  const given = new Map<string, string>();
  for (const { name, value } of httpHeaders) {
    const before = given.get(name.toLowerCase());
    given.set(name.toLowerCase(), before === undefined ? value : `${before}, ${value}`);
  }
  const headers = new Map([['user-agent', 'kube-probe/1.36'], ['accept', '*/*'], ...given]);
  // An empty value means that the header is not sent.
  for (const name of ['user-agent', 'accept', 'host']) if (headers.get(name) === '') headers.delete(name);
  return Object.fromEntries(headers);
}
