import { nodes as nodesResource } from '../../../api/resource.ts';
import type { Cluster } from '../../../cluster/cluster.ts';
import { shell } from '../../../contracts/node/network-tools.ts';
import { layLeftovers } from '../environment/others.ts';
import { aloneConflist } from '../history.ts';
import type { Findings } from '../oracle/findings.ts';
import { restOf } from '../oracle/state.ts';
import type { NodePlan, PodNetworkScenario } from '../scenario/index.ts';
import type { Agents } from './agents.ts';
import type { Fabric } from './fabric.ts';
import { CONFLIST, SimNode } from './node.ts';

/** Upper bound of the time between two syncs of an agent, in ms. */
export const RESYNC_MS = 10_000;
export const GRACE_MS = 1_500;

/** Dependencies of the nodes. */
interface FleetOptions {
  readonly scenario: PodNetworkScenario;
  readonly cluster: Cluster;
  readonly fabric: Fabric;
  readonly agents: Agents;
  readonly findings: Findings;
  /** Registers work that takes time. */
  readonly begin: (incarnation: Promise<void>) => void;
}

/** The nodes of a run: in the API, as machines, and with their agents. */
export class Fleet {
  /** By index of their plan; undefined while a node is absent. */
  readonly nodes: (SimNode | undefined)[] = [];
  readonly #scenario: PodNetworkScenario;
  readonly #cluster: Cluster;
  readonly #fabric: Fabric;
  readonly #agents: Agents;
  readonly #findings: Findings;
  readonly #begin: (incarnation: Promise<void>) => void;
  readonly #generations = new Map<number, number>();
  /** Time of the last removal of a route or the rules of a node. */
  readonly #lostMs = new Map<SimNode, number>();

  constructor({ scenario, cluster, fabric, agents, findings, begin }: FleetOptions) {
    this.#scenario = scenario;
    this.#cluster = cluster;
    this.#fabric = fabric;
    this.#agents = agents;
    this.#findings = findings;
    this.#begin = begin;
  }

  get there(): readonly SimNode[] {
    return this.nodes.filter((node) => node !== undefined);
  }

  /** Adds a node with its machine, its bridge and its agent. */
  async join(
    index: number,
    { keeps, reachable }: { readonly keeps: 'podCIDR' | 'address' | 'nothing'; readonly reachable: boolean },
  ): Promise<void> {
    const { network, nodes, others = [], alone } = this.#scenario;
    const bridgeName = network === 'alone' ? alone.bridge : 'cni0';
    const generation = this.#generations.get(index) ?? 0;
    this.#generations.set(index, generation + 1);
    const next = index + 1 + 10 * generation;
    const last = generation === 0 ? next : index + 1 + 10 * (generation - 1);
    const name = `node-${index + 1}`;
    const address = `192.168.0.${keeps === 'address' ? last : next}`;
    const podCIDR = `10.244.${keeps === 'podCIDR' ? last : next}.0/24`;
    const plan = nodes[index];
    this.#record(name, `joins: ${reachable ? address : '172.16.0.9'}, pods ${podCIDR}`);
    if (!reachable) {
      await this.#register(name, { address: '172.16.0.9', podCIDR, afterMs: 0 });
      return;
    }
    const machine = await this.#fabric.machine(name, address);
    const node = new SimNode({ name, address, podCIDR, machine, bridgeName });
    this.nodes[index] = node;
    await prepareBridge(node, plan?.bridge ?? 'none');
    if (others.length > 0) await layLeftovers(node);
    node.baseline = restOf(node);
    if (network === 'alone') {
      await node.files.mkdirAll('/etc/cni/net.d');
      await node.files.writeFile(CONFLIST, JSON.stringify(aloneConflist(podCIDR, alone)));
      return;
    }
    await this.#register(name, { address, podCIDR, afterMs: plan?.podCIDRAfterMs ?? 0 });
    this.#agents.start(node);
  }

  async #register(
    name: string,
    {
      address,
      podCIDR,
      afterMs,
    }: { readonly address: string; readonly podCIDR: string; readonly afterMs: number },
  ): Promise<void> {
    const { admin, sim } = this.#cluster;
    const spec = { podCIDR, podCIDRs: [podCIDR] };
    const created = await admin.create(nodesResource, {
      metadata: { name },
      ...(afterMs === 0 && { spec }),
    } as never);
    await admin.updateStatus(nodesResource, {
      ...created,
      status: {
        ...created.status,
        addresses: [
          { type: 'Hostname', address: name },
          { type: 'ExternalIP', address: address.replace(/^.*\./, '203.0.113.') },
          { type: 'InternalIP', address },
        ],
      },
    });
    const owe = (change: string): void => this.#agents.noteOwed(this.there, `${name} ${change}`);
    owe('joined (ADDED, and MODIFIED with its address)');
    if (afterMs === 0) return;
    sim.schedule(afterMs, 'node-ipam-controller', `gives ${name} its podCIDR`, () => {
      this.#begin(
        (async () => {
          const current = await admin.get(nodesResource, { name }).catch(() => undefined);
          if (!current || current.metadata.uid !== created.metadata.uid) return;
          await admin.update(nodesResource, { ...current, spec: { ...current.spec, ...spec } });
          owe('got its podCIDR (MODIFIED)');
        })(),
      );
    });
  }

  /** Removes a node for good. */
  async leave(node: SimNode): Promise<void> {
    this.#record(node.name, 'leaves');
    this.nodes[this.nodes.indexOf(node)] = undefined;
    this.#turnOff(node);
    node.isOff = true;
    this.#agents.retire(node);
    await this.#cluster.admin.delete(nodesResource, { name: node.name });
    this.#agents.noteOwed(this.there, `${node.name} was deleted (DELETED)`);
  }

  #turnOff(node: SimNode): void {
    this.#fabric.remove(node.machine, node.address);
    node.boots++;
    for (const one of node.attachments) if (one.state !== 'gone') one.state = 'given up';
    for (const line of [...node.lines]) line.sever();
    node.isCollecting = false;
  }

  /** Cuts the power of a node's machine, and boots it. */
  async reboot(node: SimNode): Promise<void> {
    this.#record(node.name, 'loses its power, and boots');
    const { network } = this.#scenario;
    this.#turnOff(node);
    node.bridgeMac = undefined;
    node.foreignPort = undefined;
    node.machine = await this.#fabric.machine(node.name, node.address);
    if (network === 'flannel') {
      const process = this.#agents.process(node);
      this.#agents.disturb(node);
      process?.crash();
      const boot = node.boots;
      this.#cluster.sim.schedule(500, node.name, 'agent starts', () => {
        if (node.boots === boot && !node.isOff) process?.start();
      });
      this.#agents.takeNote(node);
    }
  }

  /** Removes a route or the rules of the agent, and checks later that they are restored. */
  async lose(node: SimNode, what: 'lose route' | 'lose rules'): Promise<void> {
    const { sim } = this.#cluster;
    const $ = shell(node.machine.tools);
    const process = this.#agents.process(node);
    const [starts, boot] = [process?.starts, node.boots];
    const [lost] = this.#agents.owedTo(node);
    if (what === 'lose route') {
      if (!lost || this.#agents.routesOf(node).get(lost[0]) !== lost[1]) return;
      this.#agents.disturb(node);
      await $`ip route del ${lost[0]}`;
      this.#agents.takeNote(node);
      this.#record(node.name, `a user deletes the route to ${lost[0]}`);
    } else {
      if (!this.#agents.masquerades(node)) return;
      await $`iptables -t nat -F FLANNEL-POSTRTG`;
      this.#record(node.name, 'a user flushes the rules of the network');
    }
    const lostMs = sim.elapsedMs;
    this.#lostMs.set(node, lostMs);
    sim.schedule(RESYNC_MS + GRACE_MS, node.name, 'is looked at', () => {
      if (this.#lostMs.get(node) !== lostMs) return;
      if (node.boots !== boot || process?.starts !== starts || !process?.running) return;
      this.#findings.meet('heals');
      if (what === 'lose rules') {
        if (!this.#agents.masquerades(node))
          this.#findings.break(
            'heals',
            `${node.name} still has no masquerade rules ${RESYNC_MS} ms after a user flushed them; the agent must restore them at each resync`,
          );
        return;
      }
      const [dst, gateway] = lost as [string, string];
      if (this.#agents.owedTo(node).get(dst) !== gateway || this.#agents.routesOf(node).has(dst)) return;
      this.#findings.break(
        'heals',
        `${node.name} still has no route to ${dst} ${RESYNC_MS} ms after a user deleted it; the agent must restore it at its resync, every 10 s`,
      );
    });
  }

  #record(actor: string, verb: string): void {
    this.#cluster.sim.trace.record({ actor, verb });
  }
}

async function prepareBridge(node: SimNode, bridge: NodePlan['bridge']): Promise<void> {
  if (bridge === 'none') return;
  const $ = shell(node.machine.tools);
  const { bridgeName, podCIDR } = node;
  await $`ip link add ${bridgeName} type bridge`;
  if (bridge === 'bare') return;
  if (bridge === 'with its address') {
    await $`ip addr add ${podCIDR.replace('.0/', '.1/')} dev ${bridgeName}`;
    await $`ip link set ${bridgeName} up`;
    return;
  }
  await $`ip link add vm0 type veth peer name vm1`;
  await $`ip link set vm0 master ${bridgeName} up`;
  await $`ip link set vm1 up`;
  node.foreignPort = node.machine.host.links.get('vm0');
}
