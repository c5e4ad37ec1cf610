import type { NetworkTools } from '../../../contracts/node/network-tools.ts';
import type { Random } from '../../../sim/index.ts';
import { networkTools, runTool } from '../tools/index.ts';
import { removeLink } from '../tools/ip-link.ts';
import type { Namespaces } from '../tools/namespaces.ts';
import { Refusal } from '../tools/words.ts';
import type { Link, Segment } from './link.ts';
import { type NamespaceOptions, NetworkNamespace } from './namespace.ts';

/** What the network of a machine is made with. */
export interface MachineNetworkOptions {
  readonly node: string;
  /** In ms. */
  readonly now: () => number;
  readonly random: Random;
  /** Told of each address that an interface in one of the named namespaces was given, or has lost. @defaultValue nothing is told */
  readonly onAddress?: NamespaceOptions['onAddress'];
  /** Told of each connection that is opened on it. @defaultValue nothing is told */
  readonly onAttempt?: NamespaceOptions['onAttempt'];
}

/** The network of one machine, as its kernel has it. All of it is gone when the machine loses its power. */
export class MachineNetwork implements Namespaces {
  readonly host: NetworkNamespace;
  readonly named = new Map<string, NetworkNamespace>();
  readonly tools: NetworkTools;
  readonly #options: MachineNetworkOptions;

  constructor(options: MachineNetworkOptions) {
    this.#options = options;
    this.host = this.#namespace('');
    this.tools = networkTools(this);
    for (const link of this.host.links.values()) link.up = true;
  }

  /** Tools take it out of the machine, and call it by itself. */
  readonly nowMs = (): number => this.#options.now();

  called(name: string): NetworkNamespace {
    const namespace = this.named.get(name);
    if (namespace) return namespace;
    throw new Refusal(`Cannot open network namespace "${name}": No such file or directory`, 255);
  }

  add(name: string): NetworkNamespace {
    if (this.named.has(name)) {
      throw new Refusal(`Cannot create namespace file "/run/netns/${name}": File exists`);
    }
    const namespace = this.#namespace(name);
    this.named.set(name, namespace);
    return namespace;
  }

  remove(name: string): void {
    const namespace = this.named.get(name);
    if (!namespace) {
      throw new Refusal(`Cannot remove namespace file "/run/netns/${name}": No such file or directory`);
    }
    this.named.delete(name);
    for (const link of [...namespace.links.values()]) if (link.kind !== 'loopback') removeLink(link);
  }

  /**
   * Puts a card into the machine, and plugs it in. It is down.
   *
   * @param name of its interface @defaultValue eth0
   */
  plug(
    segment: Segment,
    { mac, name = 'eth0' }: { readonly mac?: string; readonly name?: string } = {},
  ): Link {
    return this.host.addLink({ kind: 'device', name, segment, ...(mac && { mac }) });
  }

  /** Runs a command at once, as what sets a machine up when it boots. @throws Refusal */
  do(command: string): void {
    runTool(this, command.split(' '));
  }

  /** The machine has lost its power: nothing of it is on a wire any more, and its namespaces have lost their addresses. */
  powerOff(): void {
    for (const namespace of [this.host, ...this.named.values()]) {
      for (const link of [...namespace.links.values()]) if (link.kind !== 'loopback') removeLink(link);
    }
  }

  #namespace(name: string): NetworkNamespace {
    const { node, now, random, onAddress, onAttempt } = this.#options;
    return new NetworkNamespace({
      node,
      name,
      now,
      random: random.fork(`namespace ${name}`),
      ...(onAddress && name !== '' && { onAddress }),
      ...(onAttempt && { onAttempt }),
    });
  }
}
