import type { NetworkTools } from '../../../contracts/node/network-tools.ts';
import type { Random } from '../../../sim/index.ts';
import { networkTools, runTool } from '../tools/index.ts';
import { removeLink } from '../tools/ip-link.ts';
import type { Namespaces } from '../tools/namespaces.ts';
import { Refusal } from '../tools/words.ts';
import { type Attempt, observeConnections } from './connection.ts';
import type { Link, Segment } from './link.ts';
import { type NamespaceOptions, NetworkNamespace } from './namespace.ts';

/** Options of {@link MachineNetwork}. */
interface MachineNetworkOptions {
  readonly node: string;
  /** Returns the time in ms. */
  readonly now: () => number;
  readonly random: Random;
  /** Called for each address that is added to or removed from an interface in a named namespace. */
  readonly onAddress?: NamespaceOptions['onAddress'];
  /** Called for each attempt to open a connection on this machine. */
  readonly onAttempt?: (attempt: Attempt) => void;
}

/** The network state of one machine's kernel. A power failure erases all of it. */
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

  /** An arrow function, because tools call it without the machine. */
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
   * Installs a card in the machine, and plugs it in. The interface is down.
   *
   * @param name - name of the interface @defaultValue eth0
   */
  plug(
    segment: Segment,
    { mac, name = 'eth0' }: { readonly mac?: string; readonly name?: string } = {},
  ): Link {
    return this.host.addLink({ kind: 'device', name, segment, ...(mac && { mac }) });
  }

  /** Runs a command at once, for example as part of the machine's boot. @throws Refusal when the command fails */
  do(command: string): void {
    runTool(this, command.split(' '));
  }

  /** Removes all interfaces and their addresses, because the machine has lost its power. */
  powerOff(): void {
    for (const namespace of [this.host, ...this.named.values()]) {
      for (const link of [...namespace.links.values()]) if (link.kind !== 'loopback') removeLink(link);
    }
  }

  #namespace(name: string): NetworkNamespace {
    const { node, now, random, onAddress, onAttempt } = this.#options;
    const namespace = new NetworkNamespace({
      node,
      name,
      now,
      random: random.fork(`namespace ${name}`),
      ...(onAddress && name !== '' && { onAddress }),
    });
    if (onAttempt) observeConnections(namespace, onAttempt);
    return namespace;
  }
}
