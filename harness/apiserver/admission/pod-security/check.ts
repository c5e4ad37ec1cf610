import type * as core from '#api/core/v1';
import type { ObjectMeta } from '../../../api/objects.ts';

/** A pod or the template of one. */
export interface CheckedPod {
  readonly metadata: Partial<Pick<ObjectMeta, 'annotations'>>;
  readonly spec: core.PodSpec;
}

/** A violation: `privileged`, and its detail: `container "c" must not set securityContext.privileged=true`. */
export interface Violation {
  readonly reason: string;
  readonly detail: string;
}

/**
 * A rule of the Pod Security Standards.
 *
 * Upstream: kubernetes/pod-security-admission@v0.36.3 policy/checks.go Check
 */
export interface Check {
  readonly id: string;
  /** The first minor version of Kubernetes that has the check. */
  readonly since: number;
  /** The check of the level `baseline` that this check of `restricted` replaces. */
  readonly overrides?: string;
  /** @param minor the minor version of the policy: 36 for `v1.36` */
  violation(pod: CheckedPod, minor: number): Violation | undefined;
}

type Container = core.Container;

/** Returns all containers of a pod. Upstream: visitContainers */
export const containersOf = ({
  initContainers,
  containers,
  ephemeralContainers,
}: core.PodSpec): Container[] => [
  ...(initContainers ?? []),
  ...(containers ?? []),
  ...((ephemeralContainers ?? []) as Container[]),
];

/** Returns the names of the containers that a predicate selects. */
export const namesWhere = (spec: core.PodSpec, isBad: (container: Container) => boolean): string[] =>
  containersOf(spec)
    .filter(isBad)
    .map(({ name }) => name);

/** Returns `container "a"`, or `containers "a", "b"`. */
export const sayContainers = (names: readonly string[]): string =>
  `${plural('container', names)} ${quoted(names)}`;

export const plural = (word: string, items: readonly unknown[]): string =>
  items.length === 1 ? word : `${word}s`;

export const quoted = (items: readonly string[]): string => items.map((item) => `"${item}"`).join(', ');

export const sorted = (items: Iterable<string>): string[] => [...new Set(items)].sort();

/** Returns who violates a rule: the pod itself, containers, or both; empty without a violation. */
export function sayWho(isPodBad: boolean, names: readonly string[]): string {
  return [...(isPodBad ? ['pod'] : []), ...(names.length > 0 ? [sayContainers(names)] : [])].join(' and ');
}

/** Since 1.25, a pod for Windows need not set what only Linux has. */
export const isForWindows = ({ os }: core.PodSpec, minor: number): boolean =>
  minor >= 25 && os?.name === 'windows';

/** Since 1.35, a pod with its own user namespace may run as root in it. Upstream: relaxPolicyForUserNamespacePod */
export const hasOwnUsers = ({ hostUsers }: core.PodSpec, minor: number): boolean =>
  minor >= 35 && hostUsers === false;
