import type { NodeLeaseOptions } from '#given/41-kubelet';
import { formatMicroTime, isNotFound, type Lease, leases, type Node, nodes } from '#harness';

const NAMESPACE = 'kube-node-lease';
/** Upstream: kubernetes/kubernetes@v1.36.3 pkg/kubelet/apis/config/v1beta1/defaults.go NodeLeaseDurationSeconds */
const LEASE_DURATION_SECONDS = 40;
/** Upstream: kubernetes/component-helpers@v0.36.3 apimachinery/lease/controller.go maxUpdateRetries */
const TRIES = 5;

export class NodeLease {
  readonly #options: NodeLeaseOptions;
  /** The lease as this kubelet last wrote it. */
  #latest: Lease | undefined;

  constructor(options: NodeLeaseOptions) {
    this.#options = options;
  }

  async renew(): Promise<void> {
    const { node, client, signal } = this.#options;
    for (let tries = 1; ; tries++) {
      try {
        // Read each time: a recreated Node is another owner, and a lease must not exist without a Node.
        const owner = await unlessGone(client.get(nodes, { name: node }, { signal }));
        if (owner) this.#latest = await this.#write(owner);
        return;
      } catch (error) {
        // Another client has changed or deleted the lease, or the response was lost.
        this.#latest = undefined;
        if (signal.aborted || tries === TRIES) throw error;
      }
    }
  }

  async #write(owner: Node): Promise<Lease> {
    const { node, client, clock, signal } = this.#options;
    const key = { namespace: NAMESPACE, name: node };
    const old = this.#latest ?? (await unlessGone(client.get(leases, key, { signal })));
    const spec = {
      ...old?.spec,
      holderIdentity: node,
      leaseDurationSeconds: LEASE_DURATION_SECONDS,
      renewTime: formatMicroTime(clock.now()),
    };
    const ownerReferences = [{ apiVersion: 'v1', kind: 'Node', name: node, uid: owner.metadata.uid }];
    return old
      ? client.update(leases, { ...old, metadata: { ...old.metadata, ownerReferences }, spec }, { signal })
      : client.create(leases, { metadata: { ...key, ownerReferences }, spec }, { signal });
  }
}

/** @returns undefined if the object does not exist */
export async function unlessGone<T>(getting: Promise<T>): Promise<T | undefined> {
  try {
    return await getting;
  } catch (error) {
    if (isNotFound(error)) return undefined;
    throw error;
  }
}
