import {
  describeNode,
  type NodeObservation,
  type NodeSources,
  nodeDescription,
  observeNode,
} from '#given/41-kubelet';
import { type core, isAlreadyExists, type Node, type NodeComponentContext, nodes } from '#harness';
import { computeNodeConditions, nodeStatusHasChanged } from './node-conditions.ts';
import { NodeLease, unlessGone } from './node-lease.ts';

/** Upstream: kubernetes/kubernetes@v1.36.3 pkg/kubelet/kubelet.go nodeStatusUpdateRetry, maxWaitForContainerRuntime */
const UPDATE_TRIES = 5;
const RUNTIME_WAIT_MS = 30_000;
const POLL_MS = 100;
/** Upstream: kubernetes/kubernetes@v1.36.3 pkg/kubelet/apis/config/v1beta1/defaults.go NodeStatusUpdateFrequency */
const PERIOD_MS = 10_000;
const JITTER = 0.04;
/** Upstream: kubernetes/kubernetes@v1.36.3 pkg/kubelet/apis/config/v1beta1/defaults.go NodeStatusReportFrequency */
const REPORT_MS = 300_000;
/** Upstream: kubernetes/kubernetes@v1.36.3 pkg/kubelet/kubelet_node_status.go registerWithAPIServer */
const REGISTER_MS = { first: 100, max: 7_000 };

export async function runNode(context: NodeComponentContext, sources: NodeSources): Promise<void> {
  const { signal, log, clock, random, client, node } = context;
  const reporter = new NodeReporter(context, sources);
  await reporter.register();
  const lease = new NodeLease({ node, client, clock, signal });
  const every = async (what: () => Promise<void>): Promise<void> => {
    while (!signal.aborted) {
      await what().catch((error: unknown) => log(String(error)));
      // Jitter, so that the kubelets of a cluster do not write at the same time.
      await clock.sleep(PERIOD_MS * (1 + JITTER * random.float()), signal).catch(() => {});
    }
  };
  await Promise.all([every(() => lease.renew()), every(() => reporter.sync())]);
}

/**
 * Reports the node to the API.
 *
 * Differs: it reads its Node before each renewal of the lease, and writes the whole status with a resource version.
 * Upstream patches. A node whose network becomes ready reports it with its next status. Upstream looks every 100 ms after
 * its start (pkg/kubelet/kubelet.go fastStatusUpdateOnce). The next status contains a volume in use, and no mount waits for it.
 */
class NodeReporter {
  readonly #context: NodeComponentContext;
  readonly #sources: NodeSources;
  #reportedMs = Number.NEGATIVE_INFINITY;
  /** The random shift of the next report without a change. */
  #delayMs = 0;
  #hasReportedReboot = false;
  /** The last observed `spec.unschedulable`. */
  #unschedulable = false;

  constructor(context: NodeComponentContext, sources: NodeSources) {
    this.#context = context;
    this.#sources = sources;
  }

  /** Resolves when the API has the Node, or when the kubelet stops. */
  async register(): Promise<void> {
    const { clock, signal, log } = this.#context;
    await this.#runtimeWasAsked();
    for (let delayMs = REGISTER_MS.first; !signal.aborted; delayMs = Math.min(2 * delayMs, REGISTER_MS.max)) {
      await clock.sleep(delayMs, signal).catch(() => {});
      try {
        if (!signal.aborted) await this.#tryRegister();
        return;
      } catch (error) {
        log(String(error));
      }
    }
  }

  /** Writes the node's status if it has changed, or if the last report is too old. */
  async sync(): Promise<void> {
    for (let tries = 1; ; tries++) {
      try {
        return await this.#trySync();
      } catch (error) {
        if (this.#context.signal.aborted || tries === UPDATE_TRIES) throw error;
      }
    }
  }

  /** Waits for the first answer of the runtime, because it cannot report any state before that. */
  async #runtimeWasAsked(): Promise<void> {
    const { clock, signal } = this.#context;
    const untilMs = clock.monotonicMs() + RUNTIME_WAIT_MS;
    while (this.#sources.runtimeErrors() === undefined && clock.monotonicMs() < untilMs && !signal.aborted) {
      await clock.sleep(POLL_MS, signal).catch(() => {});
    }
  }

  async #tryRegister(): Promise<void> {
    const { client, node, signal } = this.#context;
    const observation = await this.#observe();
    const metadata = nodeDescription(node);
    const { status, transitions } = statusOf(undefined, observation);
    try {
      const created = await client.create(nodes, { metadata, spec: {}, status }, { signal });
      this.#emitEvents(created, observation, transitions);
    } catch (error) {
      if (!isAlreadyExists(error)) throw error;
      const { labels } = (await client.get(nodes, { name: node }, { signal })).metadata;
      const missing = Object.entries(metadata.labels).filter(([name, value]) => labels?.[name] !== value);
      if (missing.length === 0) return;
      const body = { metadata: { labels: Object.fromEntries(missing) } };
      await client.patch(nodes, { name: node }, { type: 'strategic', body }, { signal });
    }
  }

  async #trySync(): Promise<void> {
    const { client, clock, random, node, signal } = this.#context;
    const found = await unlessGone(client.get(nodes, { name: node }, { signal }));
    if (!found) return;
    this.#recordSchedulable(found);
    const observation = await this.#observe();
    const { status, transitions } = statusOf(found.status, observation);
    const changed = nodeStatusHasChanged(found.status, status);
    const due = clock.monotonicMs() - this.#reportedMs >= REPORT_MS + this.#delayMs;
    if (!changed && !due) return;
    // Spreads the next reports of nodes that changed at the same time.
    this.#delayMs = changed || this.#reportedMs < 0 ? REPORT_MS * (random.float() - 0.5) : 0;
    await client.updateStatus(nodes, { ...found, status }, { signal });
    this.#reportedMs = clock.monotonicMs();
    this.#emitEvents(found, observation, transitions);
  }

  #emitEvents({ status }: Node, { machine }: NodeObservation, transitions: readonly string[]): void {
    const { node } = this.#context;
    const bootID = status.nodeInfo?.bootID;
    if (machine && bootID && bootID !== machine.bootID && !this.#hasReportedReboot) {
      this.#hasReportedReboot = true;
      const message = `Node ${node} has been rebooted, boot id: ${machine.bootID}`;
      this.#event('Warning', 'Rebooted', message);
    }
    for (const reason of transitions) this.#statusIsNow(reason);
  }

  /** Upstream: kubernetes/kubernetes@v1.36.3 pkg/kubelet/kubelet_node_status.go recordNodeSchedulableEvent */
  #recordSchedulable({ spec: { unschedulable = false } }: Node): void {
    if (unschedulable === this.#unschedulable) return;
    this.#unschedulable = unschedulable;
    this.#statusIsNow(unschedulable ? 'NodeNotSchedulable' : 'NodeSchedulable');
  }

  #statusIsNow(reason: string): void {
    this.#event('Normal', reason, `Node ${this.#context.node} status is now: ${reason}`);
  }

  #event(type: 'Normal' | 'Warning', reason: string, message: string): void {
    const { recorder, node } = this.#context;
    // The reference contains the name as the uid, because users search events by name, and the real uid may change.
    recorder.event({ kind: 'Node', name: node, uid: node }, type, reason, message);
  }

  #observe(): Promise<NodeObservation> {
    const { node, host, clock } = this.#context;
    return observeNode({ node, host, nowMs: () => clock.now() }, this.#sources);
  }
}

function statusOf(old: core.NodeStatus | undefined, observation: NodeObservation) {
  const { conditions, transitions } = computeNodeConditions(old, observation);
  const status: core.NodeStatus = { ...describeNode(old, observation), conditions: [...conditions] };
  return { status, transitions };
}
