import type * as core from '#api/core/v1';
import type { Pod } from '../../api/objects.ts';
import type { ProbeManagerOptions, ProbeType } from '../../contracts/node/probe-manager.ts';

/** What came of one probe. A warning is a success that people are told of. */
export interface ProbeAnswer {
  readonly result: 'success' | 'warning' | 'failure';
  /** Why, for people. */
  readonly output: string;
}

/** One probe of one container. What it says of them is what its pod said when it was added. */
export interface Probed {
  readonly pod: Pod;
  readonly container: core.Container;
  readonly type: ProbeType;
  readonly probe: core.Probe;
}

/** A probe, and where its container is at the moment. */
export interface ProbeTarget extends Probed {
  readonly podIP: string;
  /** As in the status: `containerd://…`. */
  readonly containerID: string;
}

/** What a probe needs of the node. */
export type ProbeTools = Pick<ProbeManagerOptions, 'runtime' | 'network' | 'recorder' | 'clock'>;

/** How long a probe may take, in ms. */
export function timeoutMsOf({ timeoutSeconds = 1 }: core.Probe): number {
  return timeoutSeconds * 1_000;
}

/**
 * The port that a probe names: a number, the name of one of the container's ports, or a number that is written as a string.
 *
 * @throws Error `strconv.Atoi: parsing "web": invalid syntax` for a name that no port has; `invalid port number: 0` for a number
 * outside 1 … 65,535
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
 * The headers of an HTTP probe: its own, with names in lower case; a name that comes twice has both values, joined by `, `. Unless
 * the probe has them, there are also `user-agent: kube-probe/1.36` and `accept: *\/*`. The probe can leave out `user-agent`,
 * `accept` and `host` by an empty value.
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
  // A header that is set to nothing is a wish to send none.
  for (const name of ['user-agent', 'accept', 'host']) if (headers.get(name) === '') headers.delete(name);
  return Object.fromEntries(headers);
}
