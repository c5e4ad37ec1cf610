import type { CniExit, CniProcess, CniRequest, FileSystem } from '#harness';
import { createMachineFiles, type MachineFiles, Simulation, seededRandom, soFar } from '#harness/testing';
import { hostLocal, type Owner, Store } from '#kata/51-ipam/ipam';

/** The directory of the network `cbr0`. */
export const DIRECTORY = '/var/lib/cni/networks/cbr0';

/** An empty machine. @param capacityBytes how much its disk holds */
export function machine(capacityBytes?: number): MachineFiles {
  return createMachineFiles({ journal: true, ...(capacityBytes !== undefined && { capacityBytes }) });
}

/** The interface eth0 of a container. */
export const owner = (containerID: string, ifname = 'eth0'): Owner => ({ containerID, ifname });

/** A store in the directory of `cbr0`, as a process of its own has it. */
export function storeOn(files: FileSystem & Partial<Pick<MachineFiles, 'forProcess'>>): Store {
  return new Store(files.forProcess?.() ?? files, DIRECTORY);
}

/** Does something with a store, under its lock. */
export function locked<T>(files: MachineFiles, act: (store: Store) => Promise<T>): Promise<T> {
  const store = storeOn(files);
  return store.withLock(() => act(store));
}

const isAddress = (name: string): boolean => /^(?:[\d.]+|[\da-f]*:[\da-f:]*)$/.test(name);

/** What is in the directory, without drafts: contents by name. */
export function contents(files: MachineFiles): Readonly<Record<string, string>> {
  const known = Object.entries(everything(files));
  return Object.fromEntries(
    known.filter(([name]) => isAddress(name) || /^last_reserved_ip\.\d+$|^lock$/.test(name)),
  );
}

/** Whatever is in the directory: contents by name. */
export function everything(files: MachineFiles): Readonly<Record<string, string>> {
  return Object.fromEntries(
    files.peekNames(DIRECTORY).map((name) => [name, files.peek(`${DIRECTORY}/${name}`) ?? '']),
  );
}

/** The addresses among them, without those that are empty. */
export function reservations(files: MachineFiles): Readonly<Record<string, string>> {
  const known = Object.entries(contents(files));
  return Object.fromEntries(known.filter(([name, text]) => isAddress(name) && text !== ''));
}

/**
 * Lets a process do something, which dies before its so manieth call of the kernel.
 *
 * @returns whether it died; otherwise it made fewer calls
 */
export async function dies(
  files: MachineFiles,
  call: number,
  act: (files: FileSystem) => Promise<unknown>,
): Promise<boolean> {
  let calls = 0;
  const own = files.forProcess(() => {
    calls++;
    return calls === call ? new Promise<void>(() => {}) : Promise.resolve();
  });
  const outcome = await soFar(act(own).then(() => 'ended'));
  own.exit();
  return outcome !== 'ended';
}

/** Each machine that is left when a process dies at another point, and whether the power is cut at once. */
export async function* wrecks(
  prepare: (files: MachineFiles) => Promise<unknown>,
  act: (files: FileSystem) => Promise<unknown>,
): AsyncGenerator<{ readonly files: MachineFiles; readonly when: string }> {
  for (let call = 1; call < 60; call++) {
    let alive = false;
    for (const seed of [0, 1, 2, 3, 4, 5]) {
      const files = machine();
      await prepare(files);
      alive = !(await dies(files, call, act));
      if (seed > 0) files.powerLoss({ random: seededRandom(seed) });
      yield { files, when: `before call ${call} of the kernel${seed > 0 ? ', with the power cut' : ''}` };
    }
    if (alive) return;
  }
}

/** A call of the plugin. */
export interface Call {
  readonly command?: string;
  readonly containerID?: string;
  readonly ifname?: string;
  readonly args?: Readonly<Record<string, string>>;
  /** Of the network, besides its name and version. */
  readonly config?: Readonly<Record<string, unknown>>;
}

const smallNetwork = { ipam: { type: 'host-local', subnet: '10.1.2.0/29' } };

/** What a command is given. The network is 10.1.2.0/29, if nothing else is said. */
export function requestOn(files: MachineFiles, call: Call): CniRequest {
  const { containerID = '', ifname = 'eth0', args = {}, config = smallNetwork } = call;
  return {
    containerID,
    ifname,
    args,
    netns: '/var/run/netns/x',
    config: { cniVersion: '1.1.0', name: 'cbr0', type: 'bridge', ...config },
    process: processOn(files, call),
  };
}

/** Runs the plugin as a runtime does. */
export function run(files: MachineFiles, command: string, call: Call = {}): Promise<CniExit> {
  return hostLocal(processOn(files, { ...call, command }));
}

/** What the plugin printed, and its code: `{ code: 1, msg: … }`. */
export async function answer(
  files: MachineFiles,
  command: string,
  call: Call = {},
): Promise<Readonly<Record<string, unknown>>> {
  const { stdout } = await run(files, command, call);
  return stdout === '' ? {} : JSON.parse(stdout);
}

function processOn(files: MachineFiles, call: Call): CniProcess {
  const { command = 'ADD', containerID = '', ifname = 'eth0', args = {}, config = smallNetwork } = call;
  const sim = new Simulation();
  const none = () => Promise.reject(new Error('Failed to run a program: there is none.'));
  return {
    env: {
      CNI_COMMAND: command,
      CNI_CONTAINERID: containerID,
      CNI_NETNS: '/var/run/netns/x',
      CNI_IFNAME: ifname,
      CNI_PATH: '/opt/cni/bin',
      CNI_ARGS: Object.entries(args)
        .map(([name, value]) => `${name}=${value}`)
        .join(';'),
    },
    stdin: JSON.stringify({ cniVersion: '1.1.0', name: 'cbr0', type: 'bridge', ...config }),
    files: files.forProcess(),
    tools: { run: none },
    clock: sim.clock,
    random: sim.random,
    run: none,
  };
}
