import type { CniPlugin } from '../../../contracts/node/cni-plugin.ts';
import { NotImplemented } from '../../../contracts/todo.ts';
import { drawTimeline } from '../../../drawing/timeline.ts';
import type { DirectoryNode, Inode } from '../../../node/files/disk.ts';
import { createMachineFiles, type MachineFiles } from '../../../node/files/index.ts';
import { Simulation, scripted } from '../../../sim/index.ts';
import type { Answer, Directory, Event, HistoryEntry, IpamHistory, Run } from '../history.ts';
import { describeRun, render } from '../render/history.ts';
import { attachmentOf, type IpamScenario, ownerOf, type Step } from '../scenario/index.ts';
import { configurationOf, directoryOf, fileOf, type NetworkPlan } from '../scenario/networks.ts';

/** Upper bound of a system call's duration. */
const KERNEL_MS = 2;
/** Size of the disk. */
const CAPACITY_BYTES = 1_000_000;

/**
 * Runs a scenario of the plugin on a node. Each call is a process: its system calls alternate with those of others, it
 * can be killed before any of them, the power can be cut, the disk can be full. The container runtime follows the
 * specification: it never makes two calls for one container at once, nor any call during a GC.
 */
export async function runIpam(plugin: CniPlugin, scenario: IpamScenario): Promise<IpamHistory> {
  return await new KataSimulation(plugin, scenario).live();
}

/** A running process. */
interface Living {
  readonly run: Run;
  /** Ends the process: its later calls have no effect. */
  kill(): void;
}

class KataSimulation {
  readonly #plugin: CniPlugin;
  readonly #scenario: IpamScenario;
  readonly #sim: Simulation;
  readonly #files: MachineFiles = createMachineFiles({ journal: true, capacityBytes: CAPACITY_BYTES });
  readonly #entries: HistoryEntry[] = [];
  readonly #living = new Set<Living>();
  /** Promises that must settle before the next call for a container or a network starts. */
  readonly #over = new Map<string, Promise<unknown>>();
  /** Containers with an address, as far as the runtime knows; by network. */
  readonly #inHand: readonly Set<string>[];
  /** The current configurations. */
  readonly #plans: NetworkPlan[];
  /** Containers whose ADD has started, without a DEL since; by network. */
  readonly #begun: readonly Set<string>[];
  #numbers = 0;
  #failure: { readonly error: unknown } | undefined;

  constructor(plugin: CniPlugin, scenario: IpamScenario) {
    this.#plugin = plugin;
    this.#scenario = scenario;
    this.#sim = new Simulation({ seed: scenario.seed, choose: scripted(scenario.schedule) });
    this.#plans = [...scenario.networks];
    this.#inHand = scenario.networks.map(() => new Set());
    this.#begun = scenario.networks.map(() => new Set());
  }

  async live(): Promise<IpamHistory> {
    for (const plan of this.#plans.filter(({ blocked }) => blocked)) await this.#leave(directoryOf(plan), '');
    let atMs = 0;
    for (const step of this.#scenario.steps) {
      atMs += step.afterMs;
      this.#sim.schedule(atMs, 'node', step.call, () => this.#do(step));
    }
    await this.#sim.run({ until: () => this.#failure !== undefined });
    if (this.#failure) throw this.#failure.error;
    for (const { run } of this.#living) this.#record({ kind: 'stuck', run });
    const { trace } = this.#sim;
    return {
      entries: this.#entries,
      scenario: this.#scenario,
      hash: trace.hash(),
      timeline: () => drawTimeline(trace.entries),
    };
  }

  #do(step: Step): void {
    if (step.call === 'power cut') this.#cutPower();
    else if (step.call === 'disk full') this.#fillDisk(step);
    else {
      this.#begin(step).catch((error: unknown) => {
        this.#failure ??= { error };
      });
    }
  }

  async #begin(step: Exclude<Step, { readonly call: 'power cut' | 'disk full' }>): Promise<void> {
    const { network } = step;
    switch (step.call) {
      case 'inventory':
        return this.#alone(network, () => this.#takeStock(network));
      case 'left empty':
        return this.#alone(network, () => this.#leaveEmpty(step));
      case 'left last':
        return this.#alone(network, () =>
          this.#leaveFile(network, `last_reserved_ip.${step.set}`, step.text),
        );
      case 'configuration':
        return this.#alone(network, async () => {
          this.#plans[network] = step.plan;
          this.#record({ kind: 'configured', network, plan: step.plan });
        });
      case 'GC':
        return this.#alone(network, () => this.#collect(step));
      case 'STATUS':
        await this.#over.get(keyOf(network));
        return this.#exec({ command: 'STATUS', network, container: '' }, undefined);
      default: {
        const { call, asksFor } = { asksFor: undefined, ...step };
        const run = { command: call, network, container: attachmentOf(step.container), asksFor };
        const key = keyOf(network, ownerOf(run.container).containerID);
        const before = Promise.all([this.#over.get(keyOf(network)), this.#over.get(key)]);
        const done = before.then(() => this.#exec(run, step.dies));
        this.#over.set(key, done);
        return done;
      }
    }
  }

  /** Runs `act` while no other call runs in a network. */
  async #alone(network: number, act: () => Promise<void>): Promise<void> {
    const own = keyOf(network);
    const before = [...this.#over].filter(([key]) => key === own || key.startsWith(`${own}/`));
    const done = Promise.all(before.map(([, over]) => over)).then(act);
    this.#over.set(own, done);
    await done;
  }

  #collect(step: Extract<Step, { readonly call: 'GC' }>): Promise<void> {
    const { network, gone, begun = false, unlisted = false, dies } = step;
    if (unlisted) return this.#exec({ command: 'GC', network, container: '' }, dies);
    const inHand = this.#inHand[network] as Set<string>;
    for (const container of gone) inHand.delete(attachmentOf(container));
    const valid = new Set([...inHand, ...(begun ? (this.#begun[network] ?? []) : [])]);
    return this.#exec({ command: 'GC', network, container: '', valid: [...valid].sort() }, dies);
  }

  async #leaveEmpty({ network, at }: Extract<Step, { readonly call: 'left empty' }>): Promise<void> {
    const plan = this.#plans[network] as NetworkPlan;
    const address = plan.sets[0]?.addresses[at];
    if (address === undefined) return;
    const name = fileOf(address);
    if (this.#files.peek(`${directoryOf(plan)}/${name}`) === undefined)
      await this.#leaveFile(network, name, '');
  }

  async #leaveFile(network: number, name: string, text: string): Promise<void> {
    await this.#leave(`${directoryOf(this.#plans[network] as NetworkPlan)}/${name}`, text);
    this.#record({ kind: 'left', network, name, text });
    this.#rest();
  }

  async #leave(path: string, text: string): Promise<void> {
    await this.#files.mkdirAll(path.slice(0, path.lastIndexOf('/')));
    await this.#files.writeFile(path, text, { mode: 0o600 });
  }

  /** Releases all addresses, and counts the free ones: allocates until one ADD more than there are addresses. */
  async #takeStock(network: number): Promise<void> {
    const known = new Set(
      this.#entries.flatMap((entry) =>
        entry.kind === 'begins' && entry.run.command === 'ADD' && entry.run.network === network
          ? [entry.run.container]
          : [],
      ),
    );
    for (const container of known) await this.#exec({ command: 'DEL', network, container }, undefined);
    const { sets } = this.#plans[network] as NetworkPlan;
    const least = Math.min(...sets.map(({ addresses }) => addresses.length));
    for (let i = 0; i <= least; i++)
      await this.#exec({ command: 'ADD', network, container: `stock-${i}` }, undefined);
  }

  /** Runs the plugin once; resolves when the process has ended. */
  #exec(started: Omit<Run, 'number'>, dies: number | undefined): Promise<void> {
    const run: Run = { number: ++this.#numbers, ...started };
    return new Promise((resolve) => this.#spawn(run, dies ?? Number.POSITIVE_INFINITY, resolve));
  }

  #spawn(run: Run, dies: number, onEnd: () => void): void {
    const sim = this.#sim;
    const plan = this.#plans[run.network] as NetworkPlan;
    const actor = describeRun(run, this.#scenario.networks);
    let [calls, dead] = [0, false];
    const files = this.#files.forProcess(async (call, path) => {
      const stuck = sim.spend(actor, `${call} ${path}`);
      if (stuck) await stuck;
      await sim.turn(sim.random.int(KERNEL_MS), actor, call);
      if (!dead && ++calls === dies) this.#die(living);
      if (dead) await never();
      sim.trace.record({ actor, verb: call, object: path.slice(directoryOf(plan).length + 1) || path });
    });
    const living: Living = {
      run,
      kill: () => {
        dead = true;
        files.exit();
        this.#living.delete(living);
        onEnd();
      },
    };
    this.#living.add(living);
    this.#record({ kind: 'begins', run });
    if (run.command === 'ADD') this.#begun[run.network]?.add(run.container);
    if (run.command === 'DEL')
      for (const each of [this.#inHand, this.#begun]) each[run.network]?.delete(run.container);
    const unwritten = NotImplemented.thrown;
    this.#plugin({
      env: environmentOf(run),
      stdin: JSON.stringify(stdinOf(run, plan)),
      files,
      tools: { run: () => Promise.reject(new Error('Failed to run a tool: an address needs none.')) },
      clock: sim.clock,
      random: sim.random,
      run: () => Promise.reject(new Error('Failed to run a plugin: an address needs none.')),
    }).then(
      (answer) => {
        if (NotImplemented.thrown > unwritten) this.#failure ??= { error: NotImplemented.last };
        if (dead) return;
        if (dies !== Number.POSITIVE_INFINITY) this.#die(living);
        else this.#hear(living, answer);
      },
      (error: unknown) => {
        this.#failure ??= { error };
      },
    );
  }

  #die(living: Living): void {
    living.kill();
    this.#record({ kind: 'dies', run: living.run });
    this.#rest();
  }

  #hear(living: Living, { code, stdout }: Answer): void {
    const { run } = living;
    if (run.command === 'ADD' && code === 0) this.#inHand[run.network]?.add(run.container);
    this.#record({ kind: 'ends', run, answer: { code, stdout } });
    living.kill();
    this.#rest();
  }

  #cutPower(): void {
    const living = [...this.#living];
    this.#files.powerLoss({ random: this.#sim.random });
    this.#record({ kind: 'cut' });
    for (const each of living) each.kill();
    for (const each of [...this.#inHand, ...this.#begun]) each.clear();
    this.#rest();
  }

  #fillDisk({ forMs, roomBytes }: Extract<Step, { readonly call: 'disk full' }>): void {
    const { disk } = this.#files;
    const bytes = Math.max(0, disk.capacityBytes - disk.usedBytes - roomBytes);
    disk.reserve(bytes);
    this.#record({ kind: 'disk', full: true });
    this.#sim.schedule(forMs, 'node', 'disk', () => {
      disk.giveBack(bytes);
      this.#record({ kind: 'disk', full: false });
    });
  }

  /** Records the files on disk, if no process runs. */
  #rest(): void {
    if (this.#living.size > 0) return;
    const disk = this.#scenario.networks.map((network) => reservationsOn(this.#files, network));
    this.#record({ kind: 'rest', disk });
  }

  #record(event: Event): void {
    this.#entries.push({ atMs: this.#sim.elapsedMs, ...event } as HistoryEntry);
    const seen = render(event, this.#scenario.networks);
    if (seen) this.#sim.trace.record(seen);
  }
}

/** Returns the promise on which the calls of a dead process wait. */
function never(): Promise<never> {
  return new Promise(() => {});
}

function keyOf(network: number, container?: string): string {
  return container === undefined ? `${network}` : `${network}/${container}`;
}

/** Returns the files of a network on the disk of a machine. */
export function reservationsOn(
  files: Pick<MachineFiles, 'peek' | 'peekNames' | 'disk'>,
  network: Pick<NetworkPlan, 'name'>,
): Directory {
  const directory = directoryOf(network);
  return Object.fromEntries(
    files.peekNames(directory).map((name) => {
      const path = `${directory}/${name}`;
      return [name, { text: files.peek(path) ?? '', mode: modeOf(files.disk.root, path) }];
    }),
  );
}

/** Returns the mode of a file. */
function modeOf(root: DirectoryNode, path: string): number {
  const names = path.split('/').filter(Boolean);
  const found = names.reduce<Inode | undefined>(
    (at, name) => (at?.type === 'directory' ? at.entries.get(name) : undefined),
    root,
  );
  return found?.mode ?? 0;
}

function environmentOf({ command, container, asksFor }: Run): Readonly<Record<string, string>> {
  const { containerID, ifname } = ownerOf(container);
  const attachment = {
    CNI_CONTAINERID: containerID,
    CNI_NETNS: `/var/run/netns/${containerID}`,
    CNI_IFNAME: ifname,
    CNI_ARGS: asksFor === undefined ? '' : `IP=${asksFor[0]}`,
  };
  return { CNI_COMMAND: command, CNI_PATH: '/opt/cni/bin', ...(container !== '' && attachment) };
}

function stdinOf({ valid, asksFor }: Run, plan: NetworkPlan): Readonly<Record<string, unknown>> {
  const attachments = valid?.map(ownerOf);
  const [, ...ips] = asksFor ?? [];
  return {
    ...configurationOf(plan),
    ...(ips.length > 0 && { runtimeConfig: { ips } }),
    ...(attachments && { 'cni.dev/valid-attachments': attachments }),
  };
}
