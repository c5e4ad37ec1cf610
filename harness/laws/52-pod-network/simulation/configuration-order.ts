import type { Node } from '../../../api/objects.ts';
import { CONFLIST, type SimNode } from './node.ts';

/** An agent has observed every node that is older, in ms. */
const HEARD_MS = 1_000;

/** The state of a node at a command of its agent. */
interface Moment {
  readonly nowMs: number;
  /** The gateway for each podCIDR of the other nodes, according to the API. */
  readonly owed: ReadonlyMap<string, string>;
  /** The gateways of the agent's routes. */
  readonly installed: ReadonlyMap<string, string>;
}

/** Tracks whether each agent tries to add routes and rules before it writes the network configuration. */
export class ConfigurationOrder {
  /** Commands of each agent before its first configuration; undefined since then. */
  readonly #before = new Map<SimNode, readonly string[] | undefined>();
  /** Time since which a node has had its podCIDR and address. */
  readonly #knownMs = new Map<string, number>();

  /** Records the nodes of the API. Call it after each change. */
  noteNodes(nodes: readonly Node[], nowMs: number): void {
    for (const { spec, status } of nodes)
      for (const { address } of status?.addresses ?? []) {
        const key = keyOf(spec.podCIDR, address);
        if (!this.#knownMs.has(key)) this.#knownMs.set(key, nowMs);
      }
  }

  /** Checks a command of an agent. Returns the violation at the first command after the first configuration. */
  check(node: SimNode, argv: readonly string[], moment: Moment): string | undefined {
    const before = this.#before.has(node) ? this.#before.get(node) : [];
    if (!before) return undefined;
    const isConfigured = node.files.peek(CONFLIST) !== undefined;
    this.#before.set(node, isConfigured ? undefined : [...before, argv.join(' ')]);
    const late = isConfigured ? this.#missing(before, moment) : undefined;
    return (
      late &&
      `the agent of ${node.name} wrote ${CONFLIST} before it tried to add ${late}: the node accepts pods from then on, so write it last`
    );
  }

  #missing(before: readonly string[], { nowMs, owed, installed }: Moment): string | undefined {
    for (const [dst, gateway] of owed) {
      const sinceMs = this.#knownMs.get(keyOf(dst, gateway)) ?? nowMs;
      const isTried = installed.get(dst) === gateway || before.some((command) => command.includes(dst));
      if (nowMs - sinceMs >= HEARD_MS && !isTried) return `the route to ${dst} via ${gateway}`;
    }
    return before.some((command) => command.startsWith('iptables')) ? undefined : 'its masquerade rules';
  }
}

function keyOf(podCIDR: string | undefined, address: string): string {
  return `${podCIDR} ${address}`;
}
