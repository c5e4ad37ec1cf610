import type { Resource } from '../api/resource.ts';

/**
 * The error of an incomplete discovery: the server did not describe some of its groups. A component can go on with the
 * found resources, but the absence of a resource proves nothing.
 *
 * Upstream: kubernetes/client-go@v0.36.3 discovery/discovery_client.go ErrGroupDiscoveryFailed
 */
export class GroupDiscoveryFailed extends Error {
  override readonly name = 'GroupDiscoveryFailed';
  /** The resources of all other groups. */
  readonly found: readonly Resource[];
  /** The errors by group and version: `metrics.k8s.io/v1beta1`. */
  readonly groups: ReadonlyMap<string, string>;

  constructor(found: readonly Resource[], groups: ReadonlyMap<string, string>) {
    const failures = [...groups].map(([group, why]) => `${group}: ${why}`).toSorted();
    super(`unable to retrieve the complete list of server APIs: ${failures.join(', ')}`);
    this.found = found;
    this.groups = groups;
  }
}
