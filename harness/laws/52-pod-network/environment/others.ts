import { nodes } from '../../../api/resource.ts';
import type { Cluster } from '../../../cluster/cluster.ts';
import { shell } from '../../../contracts/node/network-tools.ts';
import { ROUTER } from '../../../node/network/cluster-network.ts';
import type { Findings } from '../oracle/findings.ts';
import type { OtherNode } from '../scenario/index.ts';
import type { Agents } from '../simulation/agents.ts';
import { CONFLIST, type SimNode } from '../simulation/node.ts';

/** Time limit for the restoration of removed parts, in ms. */
const HEALED_MS = 10_000;
const LOOK_TAKES_MS = 500;

/** Returns the name of a node: `other-1` is the first. */
export function otherName(index: number): string {
  return `other-${index + 1}`;
}

/** Registers nodes without a machine. */
export async function registerOthers({ admin }: Cluster, others: readonly OtherNode[]): Promise<void> {
  for (const [i, other] of others.entries()) {
    const name = otherName(i);
    const podCIDR = podCIDROf(i, other);
    const created = await admin.create(nodes, {
      metadata: { name, ...(other === 'leaving' && { finalizers: ['example.com/drained'] }) },
      spec: { podCIDR, podCIDRs: [podCIDR], ...(other === 'cordoned' && { unschedulable: true }) },
    } as never);
    const address = other === 'out of reach' ? '172.16.0.9' : `192.168.0.${101 + i}`;
    await admin.updateStatus(nodes, {
      ...created,
      status: { ...created.status, addresses: [{ type: 'InternalIP', address }] },
    });
    if (other === 'leaving') await admin.delete(nodes, { name });
  }
}

function podCIDROf(index: number, other: OtherNode): string {
  if (other === 'claims the same') return '10.244.1.0/24';
  // Each machine has a foreign route to this network.
  if (other === 'where another route is') return '10.244.200.0/24';
  return `10.244.${101 + index}.0/24`;
}

/** Creates the remains of an earlier agent, and a route with a metric, which belongs to no agent. */
export async function layLeftovers({ machine }: SimNode): Promise<void> {
  const $ = shell(machine.tools);
  await $`ip route add 10.244.98.0/24 via 192.168.0.98 proto 17`;
  await $`ip route add 10.244.97.0/24 dev eth0 proto 17`;
  await $`ip route add 10.244.96.0/24 via ${ROUTER} proto 17 metric 100`;
}

/** Removes everything that the agent has created, and checks later that it is restored. */
export async function loseAll(
  node: SimNode,
  {
    agents,
    findings,
    sim,
  }: { readonly agents: Agents; readonly findings: Findings; readonly sim: Cluster['sim'] },
): Promise<void> {
  const $ = shell(node.machine.tools);
  agents.disturb(node);
  const owed = [...agents.owedTo(node)];
  const lost = owed.filter(([dst, gateway]) => agents.routesOf(node).get(dst) === gateway);
  for (const [dst] of lost) await $`ip route del ${dst} proto 17`;
  const hadRules = agents.masquerades(node);
  if (hadRules) await $`iptables -t nat -F FLANNEL-POSTRTG`;
  const conflist = await node.files.readFile(CONFLIST).catch(() => undefined);
  await node.files.removeAll(CONFLIST);
  agents.takeNote(node);
  sim.trace.record({ actor: node.name, verb: 'a user removes all that the agent has made' });
  sim.schedule(HEALED_MS + LOOK_TAKES_MS, node.name, 'is looked at', () => {
    findings.meet('heals');
    const missing = (what: string): void =>
      findings.break(
        'heals',
        `${node.name} still has no ${what} ${HEALED_MS} ms after a user removed it, right after a sync; the agent must restore it at its next resync, every 10 s`,
      );
    for (const [dst, gateway] of lost)
      if (agents.routesOf(node).get(dst) !== gateway) missing(`route to ${dst} via ${gateway}`);
    if (hadRules && !agents.masquerades(node)) missing('rules for the outside');
    if (conflist !== undefined) void node.files.readFile(CONFLIST).catch(() => missing(CONFLIST));
  });
}

/**
 * Deletes a node; its route disappears a moment before the agent deletes it, next to another program's route with a
 * metric.
 */
export async function overtake(
  node: SimNode,
  { agents, cluster, other }: { readonly agents: Agents; readonly cluster: Cluster; readonly other: number },
): Promise<void> {
  const dst = podCIDROf(other, 'plain');
  await shell(node.machine.tools)`ip route add ${dst} via ${ROUTER} proto static metric 50`;
  agents.takeNote(node);
  agents.overtake(node, dst);
  await cluster.admin.delete(nodes, { name: otherName(other) });
  agents.noteOwed([node], `${otherName(other)} was deleted (DELETED)`);
}
