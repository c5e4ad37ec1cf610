import type * as core from '#api/core/v1';
import { deepEqual } from '../../api/freeze.ts';
import type { Lease, Node } from '../../api/objects.ts';
import { leases, nodes } from '../../api/resource.ts';
import { isNotFound } from '../../api/status.ts';
import type { NodeComponent, NodeComponentContext } from '../../contracts/component.ts';
import { describeNode, nodeDescription, observeNode } from '../../kubelet/node/index.ts';
import { formatMicroTime, formatTime } from '../../sim/index.ts';

/** The time that a kubelet has to register its node. The reference needs about 200 ms. */
const GRACE_MS = 3_000;
/** Upstream: kubernetes/kubernetes@v1.36.3 pkg/kubelet/apis/config/v1beta1/defaults.go NodeStatusUpdateFrequency, NodeLeaseDurationSeconds */
const PERIOD_MS = 10_000;
const LEASE_DURATION_SECONDS = 40;
const LEASE_NAMESPACE = 'kube-node-lease';

/**
 * Adds a stand-in for the node to a kubelet without node registration. It registers the Node, keeps its `Ready`
 * condition up to date, and renews its Lease. Without a Node the scheduler binds no pod. It refuses no pod and evicts
 * none.
 *
 * A kubelet that renews the Lease itself is left alone: the stand-in then ends. It dies with the kubelet's process.
 *
 * @param onStandIn called whenever it reports the node
 */
export function withNodeStandIn(kubelet: NodeComponent, onStandIn: () => void): NodeComponent {
  return async (context) => {
    await Promise.all([kubelet(context), new NodeStandIn(context, onStandIn).run()]);
  };
}

class NodeStandIn {
  readonly #context: NodeComponentContext;
  readonly #onStandIn: () => void;
  /** `renewTime` of the Lease when it was last read or written. */
  #renewTime: string | undefined;

  constructor(context: NodeComponentContext, onStandIn: () => void) {
    this.#context = context;
    this.#onStandIn = onStandIn;
  }

  /** Returns when the process stops or the kubelet renews the Lease itself. Never rejects. */
  async run(): Promise<void> {
    const { signal, clock, log } = this.#context;
    const pause = (ms: number): Promise<void> => clock.sleep(ms, signal).catch(() => {});
    await pause(GRACE_MS);
    for (let hasLooked = false; !signal.aborted; ) {
      let waitMs = PERIOD_MS;
      try {
        const [node, lease] = await Promise.all([this.#node(), this.#lease()]);
        const renewTime = lease?.spec?.renewTime;
        if (hasLooked && renewTime !== this.#renewTime) return;
        this.#renewTime = renewTime;
        // The kubelet of a registered node may renew its Lease one period later.
        if (node && !hasLooked) waitMs = 1.5 * PERIOD_MS;
        else await this.#report(node, lease);
        hasLooked = true;
      } catch (error) {
        log(String(error));
      }
      await pause(waitMs);
    }
  }

  async #report(old: Node | undefined, lease: Lease | undefined): Promise<void> {
    const { client, node, signal } = this.#context;
    this.#onStandIn();
    const status = await this.#status(old?.status);
    const { name, ...rest } = nodeDescription(node);
    let registered = old;
    if (!old)
      registered = await client.create(nodes, { metadata: { name, ...rest }, spec: {}, status }, { signal });
    else if (!deepEqual(old.status, status)) await client.updateStatus(nodes, { ...old, status }, { signal });
    if (registered) await this.#renew(registered, lease);
  }

  async #renew(owner: Node, old: Lease | undefined): Promise<void> {
    const { client, clock, node, signal } = this.#context;
    const renewTime = formatMicroTime(clock.now());
    const spec = { holderIdentity: node, leaseDurationSeconds: LEASE_DURATION_SECONDS, renewTime };
    const ownerReferences = [{ apiVersion: 'v1', kind: 'Node', name: node, uid: owner.metadata.uid }];
    const metadata = { namespace: LEASE_NAMESPACE, name: node, ownerReferences };
    if (old) await client.update(leases, { ...old, spec: { ...old.spec, ...spec } }, { signal });
    else await client.create(leases, { metadata, spec }, { signal });
    this.#renewTime = renewTime;
  }

  /** @returns a status equal to `old` if only its heartbeat would differ */
  async #status(old: core.NodeStatus | undefined): Promise<core.NodeStatus> {
    const { host, node, clock } = this.#context;
    const errors = await this.#runtimeErrors();
    const observation = await observeNode(
      { node, host, nowMs: () => clock.now() },
      { runtimeErrors: () => errors, networkErrors: () => [], pressure: () => undefined },
    );
    const before = old?.conditions?.find(({ type }) => type === 'Ready');
    const judged =
      errors.length === 0
        ? { status: 'True', reason: 'KubeletReady', message: 'kubelet is posting ready status' }
        : { status: 'False', reason: 'KubeletNotReady', message: errors.join(', ') };
    const isSame = before?.status === judged.status && before.message === judged.message;
    const now = formatTime(clock.now());
    const ready = { type: 'Ready', ...judged, lastHeartbeatTime: now, lastTransitionTime: now };
    const others = old?.conditions?.filter(({ type }) => type !== 'Ready') ?? [];
    return { ...describeNode(old, observation), conditions: [...others, isSame ? before : ready] };
  }

  /** Returns the reasons why the node cannot run pods; empty if it can. */
  async #runtimeErrors(): Promise<readonly string[]> {
    try {
      const conditions = await this.#context.host.runtime.status();
      return conditions
        .filter(({ status }) => !status)
        .map(({ type, reason, message }) => `${type}=false reason:${reason} message:${message}`);
    } catch {
      return ['container runtime is down'];
    }
  }

  #node(): Promise<Node | undefined> {
    const { client, node, signal } = this.#context;
    return unlessGone(client.get(nodes, { name: node }, { signal }));
  }

  #lease(): Promise<Lease | undefined> {
    const { client, node, signal } = this.#context;
    return unlessGone(client.get(leases, { namespace: LEASE_NAMESPACE, name: node }, { signal }));
  }
}

/** @returns undefined when the object does not exist */
async function unlessGone<T>(getting: Promise<T>): Promise<T | undefined> {
  try {
    return await getting;
  } catch (error) {
    if (isNotFound(error)) return undefined;
    throw error;
  }
}
