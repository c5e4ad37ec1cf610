import { isDeepStrictEqual } from 'node:util';
import type { Node } from '../../api/objects.ts';
import { nodes as nodesResource } from '../../api/resource.ts';
import type { Cluster } from '../../cluster/cluster.ts';
import type { Process } from '../../cluster/process.ts';
import type { NodeComponent, NodeComponentContext } from '../../contracts/component.ts';
import type { FileSystem } from '../../contracts/node/host.ts';
import { NotImplemented } from '../../contracts/todo.ts';
import { formatDestination, type Route } from '../../node/network/stack/routes.ts';
import { throughLine } from '../../sim/index.ts';
import type { Findings } from './findings.ts';
import { CONFLIST, type SimNode } from './node.ts';
import { toolsOver } from './plugin-runs.ts';
import type { CallFault } from './scenario.ts';
import { natRules } from './state.ts';

/** What is settled for longer than this, an agent has heard of, in ms. */
const HEARD_MS = 1_000;
/** An agent that has called no tool for so long, in ms, has done what it had to do. */
const STILL_MS = 60;
/** What has changed is done by then, in ms: no resync helps to be so quick. */
const PROMPT_MS = 4_000;

/** What the agents need of the life around them. */
export interface AgentOptions {
  readonly cluster: Cluster;
  readonly routeController: NodeComponent;
  readonly findings: Findings;
  readonly strike: (node: SimNode) => CallFault | undefined;
  readonly onFailure: (error: unknown) => void;
}

/** A route that nothing of the cluster has made. */
interface Foreign {
  readonly dst: string;
  readonly metric: number;
  readonly text: string;
}

/** The agents of all nodes, and what is looked at while they work. */
export class Agents {
  readonly #options: AgentOptions;
  readonly #processes = new Map<SimNode, Process>();
  /** How many machines of this name have had one. */
  readonly #started = new Map<string, number>();
  readonly #foreign = new Map<SimNode, readonly Foreign[]>();
  /** Since when each route is owed, by node and destination: what `owedTo` said last. */
  readonly #owed = new Map<SimNode, Map<string, { gateway: string; sinceMs: number }>>();
  /** What routes it had after the last change. */
  readonly #last = new Map<SimNode, ReadonlyMap<string, string>>();
  /** When something last happened to an agent that may hold it up. */
  readonly #disturbedMs = new Map<SimNode, number>();
  /** What waits until an agent has looked. */
  readonly #awaited = new Map<SimNode, () => void>();
  /** How often each agent has called a tool. */
  readonly #calls = new Map<SimNode, number>();
  /** Of routes that a user deletes just before the agent does it. */
  readonly #overtaken = new Map<SimNode, string>();
  /** How often an agent has tried to change something. */
  attempts = 0;
  /** The last of these commands, and its node. */
  lastAttempt = '';

  constructor(options: AgentOptions) {
    this.#options = options;
  }

  /** Starts the agent of a node; each process has a name that was never used before. */
  start(node: SimNode): void {
    const { cluster, routeController } = this.#options;
    this.#foreign.set(node, foreignOf(node));
    const started = this.#started.get(node.name) ?? 0;
    this.#started.set(node.name, started + 1);
    const name = `kube-flannel-${node.name}${started === 0 ? '' : `-${started + 1}`}`;
    const process = cluster.run(name, async (context) => {
      const { line } = context;
      const tools = toolsOver(line, node, {
        strike: () => {
          this.#noteCall(node);
          const fault = this.#options.strike(node);
          if (fault) this.disturb(node);
          return fault;
        },
        die: () => this.crash(node, 1_500),
        attempted: (argv) => this.#attempted(node, argv),
        changed: (argv) => this.#changed(node, argv),
      });
      const files = throughLine<FileSystem>(node.files, line, {
        port: 'fs',
        reads: ['readFile', 'readBytes', 'readdir', 'stat', 'lstat'],
        objectOf: (_, args) => args.filter((arg) => `${arg}`.startsWith('/')).join(' '),
      });
      const host = { ip: node.address, tools, files } as unknown as NodeComponentContext['host'];
      try {
        await routeController({ ...context, node: node.name, host } as unknown as NodeComponentContext);
      } catch (error) {
        if (error instanceof NotImplemented) this.#options.onFailure(error);
        throw error;
      }
    });
    this.#processes.set(node, process);
  }

  process(node: SimNode): Process | undefined {
    return this.#processes.get(node);
  }

  /** It dies, and starts again after a while, unless its node is off. */
  crash(node: SimNode, forMs: number): void {
    const process = this.#processes.get(node);
    if (!process?.running) return;
    this.disturb(node);
    this.#options.findings.meet('calm');
    process.crash();
    const boot = node.boots;
    this.#options.cluster.sim.schedule(forMs, process.name, 'starts', () => {
      if (!node.isOff && node.boots === boot) process.start();
    });
  }

  /** Calls this once, when the agent has next looked at something, and has been still for a moment. */
  onceIdle(node: SimNode, then: () => void): void {
    this.#awaited.set(node, then);
  }

  #noteCall(node: SimNode): void {
    const call = (this.#calls.get(node) ?? 0) + 1;
    this.#calls.set(node, call);
    if (!this.#awaited.has(node)) return;
    this.#options.cluster.sim.schedule(STILL_MS, node.name, 'has looked', () => {
      if (this.#calls.get(node) !== call) return;
      this.#awaited.get(node)?.();
      this.#awaited.delete(node);
    });
  }

  /** Before the agent deletes its route to a network for the next time, a user has done so. */
  overtake(node: SimNode, dst: string): void {
    this.#overtaken.set(node, dst);
  }

  #attempted(node: SimNode, argv: readonly string[]): void {
    this.attempts++;
    this.lastAttempt = `${argv.join(' ')} on ${node.name}`;
    const { cluster, findings } = this.#options;
    const own = cluster.storage.get(nodesResource, { name: node.name }) as unknown as Node | undefined;
    if (own && !own.spec.podCIDR)
      findings.break(
        'quiet',
        `${argv.join(' ')} ran on ${node.name}, which has no podCIDR yet: the agent must wait for it`,
      );
    const dst = this.#overtaken.get(node);
    if (dst === undefined || !argv.includes('del') || !argv.includes(dst)) return;
    this.#overtaken.delete(node);
    node.machine.host.routes.removeWhere((route) => formatDestination(route.dst) === dst && isAgents(route));
    this.takeNote(node);
  }

  /** The node is off: its agent never runs again. */
  retire(node: SimNode): void {
    this.#processes.get(node)?.retire();
  }

  /** Something happens to the agent of a node that may hold it up. */
  disturb(node: SimNode): void {
    this.#disturbedMs.set(node, this.#options.cluster.sim.elapsedMs);
  }

  /** Whether all nodes of the API can be reached: an agent tries the others for ever. */
  get allReachable(): boolean {
    const all = this.#options.cluster.storage.list(nodesResource) as unknown as readonly Node[];
    return all.every(({ status }) =>
      status.addresses?.some(({ address }) => address.startsWith('192.168.0.')),
    );
  }

  /** Routes that a user made count as foreign from now on. */
  takeNote(node: SimNode): void {
    this.#last.set(node, this.routesOf(node));
    this.#foreign.set(node, foreignOf(node));
  }

  /** Where packets for the pods of the others go from a node, as the API has it now: by destination. */
  owedTo(node: SimNode): ReadonlyMap<string, string> {
    const all = this.#options.cluster.storage.list(nodesResource) as unknown as readonly Node[];
    const own = all.find(({ metadata }) => metadata.name === node.name);
    const owed = new Map<string, string>();
    if (!own?.spec.podCIDR) return owed;
    for (const { metadata, spec, status } of all) {
      const address = status?.addresses?.find(({ type }) => type === 'InternalIP')?.address;
      if (metadata.name === node.name || !spec.podCIDR || !address?.startsWith('192.168.0.')) continue;
      // The pods of a node are behind its bridge, whatever others claim.
      if (spec.podCIDR === own.spec.podCIDR) continue;
      owed.set(spec.podCIDR, address);
    }
    return owed;
  }

  /** Notes since when what is owed is owed. Call it after each change of the API. */
  noteOwed(all: readonly SimNode[]): void {
    const nowMs = this.#options.cluster.sim.elapsedMs;
    for (const node of all) {
      const before = this.#owed.get(node);
      const owed = [...this.owedTo(node)].map(([dst, gateway]) => {
        const known = before?.get(dst);
        return [dst, known?.gateway === gateway ? known : { gateway, sinceMs: nowMs }] as const;
      });
      this.#owed.set(node, new Map(owed));
      this.#lookSoon(node);
    }
  }

  /** A change of the API is heard of, and not found out at the next resync. */
  #lookSoon(node: SimNode): void {
    const { cluster, findings } = this.#options;
    const { sim } = cluster;
    const sinceMs = sim.elapsedMs;
    const owed = this.#owed.get(node);
    sim.schedule(PROMPT_MS, node.name, 'is looked at', () => {
      const isDisturbed = (this.#disturbedMs.get(node) ?? -PROMPT_MS) > sinceMs - PROMPT_MS;
      if (isDisturbed || node.isOff || this.#owed.get(node) !== owed) return;
      for (const objection of this.objectionsTo(node))
        findings.break('routed', `${PROMPT_MS} ms after the last change, ${objection}`);
    });
  }

  /** What is wrong with the routes of a node when all is quiet. */
  objectionsTo(node: SimNode): readonly string[] {
    const { podCIDR } = node;
    const owed = this.owedTo(node);
    const list = ownRoutes(node);
    const own = new Map(list);
    const twice = list.map(([dst]) => dst).filter((dst, i, all) => all.indexOf(dst) !== i);
    return [
      ...twice.map(
        (dst) =>
          `${node.name} has two routes to ${dst} (via ${list.flatMap(([to, via]) => (to === dst ? [via] : [])).join(' and via ')}); expected one, via ${owed.get(dst) ?? 'nothing'}`,
      ),
      ...[...owed].flatMap(([dst, gateway]) => {
        const is = own.get(dst);
        if (is === gateway) return [];
        return [
          `${node.name} has ${is === undefined ? 'no route' : `a route via ${is}`} to ${dst}; expected a route via ${gateway}, the InternalIP of ${this.#ownerOf(dst)}`,
        ];
      }),
      ...[...own].flatMap(([dst, gateway]) =>
        owed.has(dst)
          ? []
          : [
              dst === podCIDR
                ? `${node.name} has a route to ${dst} via ${gateway}, but that is its own podCIDR, and its own pods are behind its bridge`
                : `${node.name} still has a route to ${dst} via ${gateway}, but no node has this podCIDR any more`,
            ],
      ),
    ];
  }

  /** The node with a podCIDR, and what an agent might mistake for a reason to skip it. */
  #ownerOf(podCIDR: string): string {
    const all = this.#options.cluster.storage.list(nodesResource) as unknown as readonly Node[];
    const owner = all.find(({ spec }) => spec.podCIDR === podCIDR);
    if (!owner) return 'no node';
    const { name, deletionTimestamp } = owner.metadata;
    const state = deletionTimestamp ? 'is being deleted' : owner.spec.unschedulable ? 'is cordoned' : '';
    return state === '' ? name : `${name}, which ${state} and still has its pods`;
  }

  /** Each change is looked at right after it was made. */
  #changed(node: SimNode, argv: readonly string[]): void {
    const { findings, cluster } = this.#options;
    const command = argv.join(' ');
    const now = foreignOf(node);
    findings.meet('modest');
    for (const { dst, metric, text } of this.#foreign.get(node) ?? []) {
      if (now.some((route) => route.text === text)) continue;
      // A node's pods have a better right to their own network than whatever was there.
      if (metric === 0 && this.owedTo(node).has(dst)) continue;
      findings.break(
        'modest',
        `${command} removed the route "${text}" of ${node.name}, which another program owns`,
      );
      this.#foreign.set(node, now);
    }
    const before = this.#last.get(node);
    const routes = this.routesOf(node);
    this.#last.set(node, routes);
    for (const [dst, { gateway, sinceMs }] of this.#owed.get(node) ?? []) {
      if (cluster.sim.elapsedMs - sinceMs < HEARD_MS) continue;
      if (before?.get(dst) !== gateway || routes.get(dst) === gateway) continue;
      const message = `${command} removed the route of ${node.name} to ${dst}, although the node at ${gateway} has had this podCIDR since ${sinceMs} ms`;
      findings.break('calm', message);
    }
  }

  /** The routes that it has made: by their destinations, what they go to. */
  routesOf(node: SimNode): ReadonlyMap<string, string> {
    return new Map(ownRoutes(node));
  }

  /** Whether the agent's own rules are there. */
  masquerades({ machine }: SimNode): boolean {
    return natRules(machine.host).some((rule) => /^-A FLANNEL-POSTRTG .*MASQUERADE/.test(rule));
  }

  /** What a runtime would read now. */
  async readConflist(node: SimNode): Promise<void> {
    const { findings } = this.#options;
    const text = await node.files.readFile(CONFLIST).catch(() => undefined);
    if (text === undefined) return;
    findings.meet('configures');
    const subnet = /"subnet":\s*"([^"]+)"/.exec(text)?.[1];
    const isWhole = isJson(text);
    if (!isWhole) findings.break('configures', `${CONFLIST} of ${node.name} has half a configuration`);
    else if (subnet !== node.podCIDR)
      findings.break('configures', `${CONFLIST} of ${node.name} says ${subnet}, and not ${node.podCIDR}`);
  }
}

function isJson(text: string): boolean {
  try {
    return !isDeepStrictEqual(JSON.parse(text), {});
  } catch {
    return false;
  }
}

/** Whether it is one of those that agents make, whatever agent has made it: none has a metric. */
function isAgents({ protocol, metric }: Route): boolean {
  return protocol === '17' && metric === 0;
}

/** The routes to networks of pods on other nodes: by their destination, what they go to. */
function ownRoutes({ machine }: SimNode): readonly (readonly [string, string])[] {
  return machine.host.routes.routes
    .filter(isAgents)
    .map(({ dst, gateway, dev }) => [formatDestination(dst), gateway?.text ?? `${dev?.name}`] as const);
}

function foreignOf({ machine }: SimNode): readonly Foreign[] {
  return machine.host.routes.routes.flatMap((route) => {
    const { dst, type, gateway, dev, metric, protocol } = route;
    // What is bridged comes and goes with the bridge.
    if (isAgents(route) || dev?.bridge) return [];
    const named = formatDestination(dst);
    const way = `${gateway ? ` via ${gateway.text}` : ''} proto ${protocol}`;
    return [{ dst: named, metric, text: `${type} ${named}${way}${metric === 0 ? '' : ` metric ${metric}`}` }];
  });
}
