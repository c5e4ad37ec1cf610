/** Level 1 · Silence: signs of life, and the verdict about a node that gives none. */
import { conditionOf, GRACES, type Graces, type Health, type NodeLifecycle } from '#given/61-node-lifecycle';
import { type core, formatTime, type Lease, type Node, nodes } from '#harness';

/** The conditions that only the kubelet can know. */
const KUBELET_CONDITIONS = ['Ready', 'MemoryPressure', 'DiskPressure', 'PIDPressure'];

export function observeHealth(
  saved: Health | undefined,
  node: Node,
  lease: Lease | undefined,
  nowMs: number,
): Health {
  const ready = conditionOf(node, 'Ready');
  const heartbeatTime = ready && (ready.lastHeartbeatTime ?? '');
  const renewTime = lease?.spec?.renewTime ?? saved?.renewTime;
  if (saved && heartbeatTime === saved.heartbeatTime && renewTime === saved.renewTime) return saved;
  const isUnheard = !saved && heartbeatTime === undefined && renewTime === undefined;
  // The clocks of nodes do not count. The creation time comes from the apiserver.
  const probeMs = isUnheard ? Date.parse(node.metadata.creationTimestamp) : nowMs;
  return { heartbeatTime, renewTime, probeMs };
}

export function isSilent({ heartbeatTime, probeMs }: Health, nowMs: number, graces: Graces): boolean {
  const graceMs = heartbeatTime === undefined ? graces.startupMs : graces.monitorMs;
  return nowMs > probeMs + graceMs;
}

export function unknownConditions({ metadata, status }: Node, nowMs: number): core.NodeCondition[] {
  const lastTransitionTime = formatTime(nowMs);
  const existing = status.conditions ?? [];
  const missing = KUBELET_CONDITIONS.filter((type) => !existing.some((condition) => condition.type === type));
  return [
    ...existing.map((condition) => {
      if (!KUBELET_CONDITIONS.includes(condition.type) || condition.status === 'Unknown') return condition;
      const message = 'Kubelet stopped posting node status.';
      return { ...condition, status: 'Unknown', reason: 'NodeStatusUnknown', message, lastTransitionTime };
    }),
    ...missing.map((type) => ({
      type,
      status: 'Unknown',
      lastHeartbeatTime: metadata.creationTimestamp,
      lastTransitionTime,
      reason: 'NodeStatusNeverUpdated',
      message: 'Kubelet never posted node status.',
    })),
  ];
}

export async function checkNode(lifecycle: NodeLifecycle, node: Node): Promise<Node> {
  const { context, healths } = lifecycle;
  return lifecycle.withRetries(node, async (current) => {
    const nowMs = context.clock.now();
    const { uid } = current.metadata;
    const health = observeHealth(healths.get(uid), current, lifecycle.leaseOf(current), nowMs);
    healths.set(uid, health);
    const ready = conditionOf(current, 'Ready')?.status;
    if (!isSilent(health, nowMs, GRACES) || ready === 'Unknown') return current;
    const status = { ...current.status, conditions: unknownConditions(current, nowMs) };
    const written = await context.client.updateStatus(nodes, { ...current, status });
    if (ready === 'True') lifecycle.emitStatus(written, 'NodeNotReady');
    return written;
  });
}
