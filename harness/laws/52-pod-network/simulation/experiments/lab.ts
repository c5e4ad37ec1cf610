import type { CniExit, CniPlugin } from '../../../../contracts/node/cni-plugin.ts';
import type { CniResult } from '../../../../contracts/node/network-plugin.ts';
import { type NetworkTools, ToolError } from '../../../../contracts/node/network-tools.ts';
import { chainName } from '../../../../node/cni/names.ts';
import { createMachineFiles } from '../../../../node/files/index.ts';
import { MachineNetwork } from '../../../../node/network/stack/machine-network.ts';
import type { NetworkNamespace } from '../../../../node/network/stack/namespace.ts';
import { type Simulation, seededRandom } from '../../../../sim/index.ts';
import type { LawName } from '../../oracle/findings.ts';
import { natRules } from '../../oracle/state.ts';
import { isMutating } from '../plugin-runs.ts';

/** The request of one run of the plugin. */
export interface Ask {
  readonly command: 'ADD' | 'DEL' | 'CHECK' | 'GC' | 'STATUS';
  /** @defaultValue `4f5c` */
  readonly container?: string;
  /** @defaultValue eth0 */
  readonly ifname?: string;
  /** Configuration besides the name of the network, its type and its address manager. */
  readonly config?: Readonly<Record<string, unknown>>;
}

/** A call of the plugin: a command, or the address manager. */
export interface LabCall {
  /** `ip link set dev cni0 up`, or `host-local DEL`. */
  readonly words: string;
  /** Standard input of a command. */
  readonly stdin: string;
}

/** The fault of a call. `dies`: the plugin crashes before or after it. */
export type Fate = 'fails before' | 'fails after' | 'dies before' | 'dies after';

/** Time between two runs. */
const RUN_MS = 1_000;

/** Error message of a call that fails on purpose. */
export const REFUSED = 'this is the failure of the trial';

/** The tools of an experiment. */
export interface ExperimentKit {
  readonly lab: (...commands: readonly string[]) => ExperimentLab;
  /** Records a violation unless a condition holds. */
  readonly expect: (is: boolean, law: LawName, message: string) => void;
}

/** An experiment with the plugin alone, on empty machines. */
export type Experiment = (kit: ExperimentKit) => Promise<void>;

/** Renders the result of a run: `succeeds`, or its error. */
export function said(exit: CniExit | undefined): string {
  if (!exit) return 'died';
  if (exit.code === 0) return 'succeeds';
  return `fails: ${(JSON.parse(exit.stdout) as { readonly msg: string }).msg}`;
}

/** An empty machine, on which the plugin runs alone: an experiment can observe each call, and make it fail. */
export class ExperimentLab {
  readonly machine: MachineNetwork;
  /** The owners of addresses: `4f5c eth0`. */
  readonly held = new Set<string>();
  /** The calls of the last run that change something. */
  calls: LabCall[] = [];
  /** The environment and standard input of each run of the address manager. */
  readonly delegated: { readonly env: Readonly<Record<string, string>>; readonly stdin: string }[] = [];
  /** Result of the next ADD of the address manager. @defaultValue one address after the other */
  gives: Partial<CniResult> | undefined;
  /** Returns the fault of a call that changes something; `index` is its number in this run. */
  befalls: (call: LabCall, index: number) => Fate | undefined = () => undefined;
  /** Runs right before each call that changes something. */
  before: (call: LabCall) => void = () => {};
  readonly #sim: Simulation;
  readonly #bridge: CniPlugin;
  readonly #files = createMachineFiles();
  #next = 2;

  constructor(sim: Simulation, bridge: CniPlugin, ...commands: readonly string[]) {
    this.#sim = sim;
    this.#bridge = bridge;
    this.machine = new MachineNetwork({ node: 'node-1', now: () => 0, random: seededRandom(52) });
    for (const command of ['ip netns add pod-4f5c', 'ip netns add pod-77aa', ...commands])
      this.machine.do(command);
  }

  get host(): NetworkNamespace {
    return this.machine.host;
  }

  /** Returns the namespace of a container. */
  inside(container = '4f5c'): NetworkNamespace {
    return this.machine.called(`pod-${container}`);
  }

  /** Returns the host end of an interface. */
  hostEnd(container = '4f5c', ifname = 'eth0') {
    return this.inside(container).links.get(ifname)?.peer;
  }

  /** Lists the interfaces, the rules and the address of a container. */
  partsOf(container = '4f5c'): readonly string[] {
    const chain = chainName('cbr0', container);
    const links = [...this.inside(container).links.values()].filter(({ kind }) => kind === 'veth');
    return [
      ...links.map(({ name }) => `interface ${name}`),
      ...natRules(this.host).filter((rule) => rule.includes(chain)),
      ...[...this.host.netfilter[4].tables.nat.chains.keys()].filter((name) => name === chain),
      ...[...this.held].filter((owner) => owner.startsWith(container)).map((owner) => `address of ${owner}`),
    ];
  }

  /** Lists all interfaces of the host, with their addresses. */
  links(): readonly string[] {
    return [...this.host.links.values()].map(
      (link) =>
        `${link.name} ${link.kind} ${link.up ? 'up' : 'down'} ${link.master?.name ?? ''} ${link.addresses.map(({ ip, bits }) => `${ip.text}/${bits}`).join(' ')}`,
    );
  }

  /**
   * Runs the plugin once.
   *
   * @returns undefined if it crashed
   */
  async run({
    command,
    container = '4f5c',
    ifname = 'eth0',
    config = {},
  }: Ask): Promise<CniExit | undefined> {
    this.calls = [];
    const env = {
      CNI_COMMAND: command,
      CNI_CONTAINERID: container,
      CNI_NETNS: `/var/run/netns/pod-${container}`,
      CNI_IFNAME: ifname,
      CNI_ARGS: 'K8S_POD_NAMESPACE=default;K8S_POD_NAME=web',
      CNI_PATH: '/opt/cni/bin',
    };
    const stdin = JSON.stringify({
      cniVersion: '1.1.0',
      name: 'cbr0',
      type: 'bridge',
      ipam: { type: 'host-local' },
      ...config,
    });
    const { trace, clock } = { trace: this.#sim.trace, clock: this.#sim.clock };
    // Each run has its own time, so that a timeline shows the run of a message.
    await this.#sim.run({ forMs: RUN_MS });
    trace.record({ actor: `bridge ${command}`, verb: describeAsk({ command, container, ifname, config }) });
    let die: () => void = () => {};
    const died = new Promise<undefined>((resolve) => {
      die = () => resolve(undefined);
    });
    const call = async <R>(
      what: LabCall,
      perform: () => Promise<R>,
      refuse: () => R | Promise<R>,
    ): Promise<R> => {
      const index = this.calls.push(what) - 1;
      trace.record({ actor: `bridge ${command}`, verb: what.words });
      const fate = this.befalls(what, index);
      this.before(what);
      if (!fate) return perform();
      if (fate.endsWith('after')) await perform();
      if (fate.startsWith('fails')) return refuse();
      die();
      return new Promise(() => {});
    };
    const tools: NetworkTools = {
      run: (argv, input = '') => {
        const perform = (): Promise<string> => this.machine.tools.run(argv, input);
        if (!isMutating(argv)) return perform();
        const words = argv.join(' ');
        const refuse = (): never => {
          throw new ToolError({ command: words, exitCode: 2, stderr: REFUSED });
        };
        return call({ words, stdin: input }, perform, refuse);
      },
    };
    const exited = this.#bridge({
      env,
      stdin,
      tools,
      files: this.#files,
      clock,
      random: seededRandom(1),
      run: (type, io) =>
        call(
          { words: `${type} ${io.env.CNI_COMMAND}`, stdin: '' },
          async () => this.#manage(io),
          () => failure(`${type} ${io.env.CNI_COMMAND}: ${REFUSED}`),
        ),
    });
    return Promise.race([exited, died]);
  }

  /** Runs the address manager. */
  #manage(io: { readonly env: Readonly<Record<string, string>>; readonly stdin: string }): CniExit {
    this.delegated.push(io);
    const { CNI_COMMAND = '', CNI_CONTAINERID = '', CNI_IFNAME = '' } = io.env;
    const owner = `${CNI_CONTAINERID} ${CNI_IFNAME}`;
    if (CNI_COMMAND === 'DEL') this.held.delete(owner);
    if (CNI_COMMAND === 'GC') this.#collect(io.stdin);
    if (CNI_COMMAND !== 'ADD') return { code: 0, stdout: '', stderr: '' };
    if (this.held.has(owner)) return failure('duplicate allocation is not allowed');
    this.held.add(owner);
    const given = this.gives ?? { ips: [{ address: `10.244.1.${this.#next++}/24`, gateway: '10.244.1.1' }] };
    return { code: 0, stdout: JSON.stringify({ cniVersion: '1.1.0', ...given }), stderr: '' };
  }

  #collect(stdin: string): void {
    const config = JSON.parse(stdin) as {
      readonly 'cni.dev/valid-attachments'?: readonly {
        readonly containerID: string;
        readonly ifname: string;
      }[];
    };
    const valid = config['cni.dev/valid-attachments'] ?? [];
    const names = valid.map(({ containerID, ifname }) => `${containerID} ${ifname}`);
    for (const owner of [...this.held]) if (!names.includes(owner)) this.held.delete(owner);
  }
}

/** Renders the request of a run for a timeline. */
function describeAsk({ command, container, ifname, config }: Required<Ask>): string {
  if (command === 'STATUS') return 'begins';
  if (command !== 'GC') return `for ${container} ${ifname}`;
  const valid = config['cni.dev/valid-attachments'];
  return `with cni.dev/valid-attachments ${valid === undefined ? 'absent' : JSON.stringify(valid)}`;
}

function failure(msg: string): CniExit {
  return { code: 1, stdout: JSON.stringify({ code: 999, msg }), stderr: '' };
}
