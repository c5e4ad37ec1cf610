import type { Node } from '../../../api/objects.ts';
import { nodes as nodesResource } from '../../../api/resource.ts';
import type { Cluster } from '../../../cluster/cluster.ts';
import type { Process } from '../../../cluster/process.ts';
import type { NodeComponent, NodeComponentContext } from '../../../contracts/component.ts';
import type { FileSystem } from '../../../contracts/node/host.ts';
import type { NetworkTools } from '../../../contracts/node/network-tools.ts';
import { NotImplemented } from '../../../contracts/todo.ts';
import { formatDestination } from '../../../node/network/stack/routes.ts';
import { throughLine } from '../../../sim/index.ts';
import type { Findings } from '../oracle/findings.ts';
import { checkConflist, isAgents, ownRoutes, routeObjections, routesOwedTo } from '../oracle/routes.ts';
import { natRules } from '../oracle/state.ts';
import type { CallFault } from '../scenario/index.ts';
import { ConfigurationOrder } from './configuration-order.ts';
import type { SimNode } from './node.ts';
import { toolsOver } from './plugin-runs.ts';

/** An agent has observed every change that is older, in ms. */
const HEARD_MS = 1_000;
/** An agent that has called no tool for this long, in ms, has finished its sync. */
const STILL_MS = 60;
/** Time limit for the reaction to a change, in ms; shorter than the resync. */
const PROMPT_MS = 4_000;

/** Dependencies of the agents. */
export interface AgentOptions {
  readonly cluster: Cluster;
  readonly routeController: NodeComponent;
  readonly findings: Findings;
  readonly strike: (node: SimNode) => CallFault | undefined;
  readonly onFailure: (error: unknown) => void;
}

/** A route of another program. */
interface Foreign {
  readonly dst: string;
  readonly metric: number;
  readonly text: string;
}

/** Runs the agents of all nodes, and checks their changes. */
export class Agents {
  readonly #options: AgentOptions;
  readonly #processes = new Map<SimNode, Process>();
  /** Number of machines with this name so far that had an agent. */
  readonly #started = new Map<string, number>();
  readonly #foreign = new Map<SimNode, readonly Foreign[]>();
  /** Desired routes by node and destination, with the start of their validity; from the last `owedTo`. */
  readonly #owed = new Map<SimNode, Map<string, { gateway: string; sinceMs: number }>>();
  /** Installed routes after the last change. */
  readonly #last = new Map<SimNode, ReadonlyMap<string, string>>();
  /** Time of the last event that may delay the agent. */
  readonly #disturbedMs = new Map<SimNode, number>();
  /** Callbacks for the end of the agent's next sync. */
  readonly #awaited = new Map<SimNode, () => void>();
  /** Number of tool calls of each agent. */
  readonly #calls = new Map<SimNode, number>();
  readonly #order = new ConfigurationOrder();
  /** Routes that a user deletes just before the agent does. */
  readonly #overtaken = new Map<SimNode, string>();
  /** Number of commands with which agents tried to change something. */
  attempts = 0;
  /** The last of these commands, and its node. */
  lastAttempt = '';

  constructor(options: AgentOptions) {
    this.#options = options;
  }

  /** Starts the agent of a node; each process has a new name. */
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
      const watched: NetworkTools = {
        run: (argv, stdin) => {
          this.#checkOrder(node, argv);
          return tools.run(argv, stdin);
        },
      };
      const files = throughLine<FileSystem>(node.files, line, {
        port: 'fs',
        reads: ['readFile', 'readBytes', 'readdir', 'stat', 'lstat'],
        objectOf: (_, args) => args.filter((arg) => `${arg}`.startsWith('/')).join(' '),
      });
      const host = { ip: node.address, tools: watched, files } as unknown as NodeComponentContext['host'];
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

  /** Crashes the agent, and restarts it after a while, unless its node is off. */
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

  /** Calls `then` once, after the agent's next sync. */
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

  #checkOrder(node: SimNode, argv: readonly string[]): void {
    const { cluster, findings } = this.#options;
    const late = this.#order.check(node, argv, {
      nowMs: cluster.sim.elapsedMs,
      owed: this.owedTo(node),
      installed: this.routesOf(node),
    });
    // A command that failed may be the reason.
    if (late !== undefined && !this.#isDisturbed(node)) findings.break('configures', late);
  }

  /** Deletes a route just before the agent's next deletion of it. */
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

  /** Records that the node is off: its agent never runs again. */
  retire(node: SimNode): void {
    this.#processes.get(node)?.retire();
  }

  /** Records an event that may delay the agent of a node. */
  disturb(node: SimNode): void {
    this.#disturbedMs.set(node, this.#options.cluster.sim.elapsedMs);
  }

  /** Returns whether an event soon before this time, or since then, may delay the agent. */
  #isDisturbed(node: SimNode, atMs = this.#options.cluster.sim.elapsedMs): boolean {
    return (this.#disturbedMs.get(node) ?? -PROMPT_MS) > atMs - PROMPT_MS;
  }

  /** Whether all nodes of the API are reachable; if not, agents retry without end. */
  get allReachable(): boolean {
    return this.#nodes.every(({ status }) =>
      status.addresses?.some(({ address }) => address.startsWith('192.168.0.')),
    );
  }

  /** Records that the present routes of users are foreign from now on. */
  takeNote(node: SimNode): void {
    this.#last.set(node, this.routesOf(node));
    this.#foreign.set(node, foreignOf(node));
  }

  /** Returns the gateway for each podCIDR of the other nodes, according to the API. */
  owedTo(node: SimNode): ReadonlyMap<string, string> {
    return routesOwedTo(node, this.#nodes);
  }

  /** Returns the routes of a node that are wrong at the end of the run. */
  objectionsTo(node: SimNode): readonly string[] {
    return routeObjections(node, this.#nodes);
  }

  get #nodes(): readonly Node[] {
    return this.#options.cluster.storage.list(nodesResource) as unknown as readonly Node[];
  }

  /**
   * Records the start of validity of desired routes. Call it after each change of the API.
   *
   * @param change - such as `node-2 was deleted (DELETED)`
   */
  noteOwed(all: readonly SimNode[], change: string): void {
    const nowMs = this.#options.cluster.sim.elapsedMs;
    this.#order.noteNodes(this.#nodes, nowMs);
    for (const node of all) {
      const before = this.#owed.get(node);
      const owed = [...this.owedTo(node)].map(([dst, gateway]) => {
        const known = before?.get(dst);
        return [dst, known?.gateway === gateway ? known : { gateway, sinceMs: nowMs }] as const;
      });
      this.#owed.set(node, new Map(owed));
      this.#lookSoon(node, change);
    }
  }

  /** Checks that the agent reacts to the change itself, not at the next resync. */
  #lookSoon(node: SimNode, change: string): void {
    const { cluster, findings } = this.#options;
    const { sim } = cluster;
    const sinceMs = sim.elapsedMs;
    const owed = this.#owed.get(node);
    sim.schedule(PROMPT_MS, node.name, 'is looked at', () => {
      if (this.#isDisturbed(node, sinceMs) || node.isOff || this.#owed.get(node) !== owed) return;
      for (const objection of this.objectionsTo(node))
        findings.break('routed', `${PROMPT_MS} ms after ${change}, ${objection}`);
    });
  }

  /** Checks a change right after the command. */
  #changed(node: SimNode, argv: readonly string[]): void {
    const { findings, cluster } = this.#options;
    const command = argv.join(' ');
    const now = foreignOf(node);
    findings.meet('modest');
    for (const { dst, metric, text } of this.#foreign.get(node) ?? []) {
      if (now.some((route) => route.text === text)) continue;
      // The agent may replace another program's route to a podCIDR.
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

  /** Returns the gateways or links of the agent's routes, by destination. */
  routesOf(node: SimNode): ReadonlyMap<string, string> {
    return new Map(ownRoutes(node));
  }

  /** Returns whether the agent's own rules exist. */
  masquerades({ machine }: SimNode): boolean {
    return natRules(machine.host).some((rule) => /^-A FLANNEL-POSTRTG .*MASQUERADE/.test(rule));
  }

  /** Checks the configuration that a runtime would read now. */
  async readConflist(node: SimNode): Promise<void> {
    await checkConflist(node, this.#options.findings);
  }
}

function foreignOf({ machine }: SimNode): readonly Foreign[] {
  return machine.host.routes.routes.flatMap((route) => {
    const { dst, type, gateway, dev, metric, protocol } = route;
    // Routes through a bridge appear and disappear with it.
    if (isAgents(route) || dev?.bridge) return [];
    const named = formatDestination(dst);
    const way = `${gateway ? ` via ${gateway.text}` : ''} proto ${protocol}`;
    return [{ dst: named, metric, text: `${type} ${named}${way}${metric === 0 ? '' : ` metric ${metric}`}` }];
  });
}
