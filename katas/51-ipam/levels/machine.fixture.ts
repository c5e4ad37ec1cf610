import type { CniExit, CniProcess, CniRequest, FileSystem } from '#harness';
import { createMachineFiles, type MachineFiles, Simulation, seededRandom, soFar } from '#harness/testing';
import { hostLocal, type Owner, Store } from '#kata/51-ipam/ipam';

/** The directory of the network `cbr0`. */
export const DIRECTORY = '/var/lib/cni/networks/cbr0';

/**
 * Creates an empty machine.
 *
 * @param capacityBytes - size of its disk
 */
export function machine(capacityBytes?: number): MachineFiles {
  return createMachineFiles({ journal: true, ...(capacityBytes !== undefined && { capacityBytes }) });
}

/** Returns an owner: an interface of a container. */
export const owner = (containerID: string, ifname = 'eth0'): Owner => ({ containerID, ifname });

/** Creates a store in the directory of `cbr0`, for a new process. */
export function storeOn(files: FileSystem & Partial<Pick<MachineFiles, 'forProcess'>>): Store {
  return new Store(files.forProcess?.() ?? files, DIRECTORY);
}

/** Runs a function with a store, under its lock. */
export function locked<T>(files: MachineFiles, act: (store: Store) => Promise<T>): Promise<T> {
  const store = storeOn(files);
  return store.withLock(() => act(store));
}

const isAddress = (name: string): boolean => /^(?:[\d.]+|[\da-f]*:[\da-f:]*)$/.test(name);

/** Returns the contents of the directory by name, without drafts. */
export function contents(files: MachineFiles): Readonly<Record<string, string>> {
  const known = Object.entries(everything(files));
  return Object.fromEntries(
    known.filter(([name]) => isAddress(name) || /^last_reserved_ip\.\d+$|^lock$/.test(name)),
  );
}

/** Returns the contents of the directory by name. */
export function everything(files: MachineFiles): Readonly<Record<string, string>> {
  return Object.fromEntries(
    files.peekNames(DIRECTORY).map((name) => [name, files.peek(`${DIRECTORY}/${name}`) ?? '']),
  );
}

/** Returns the reservations by address, without empty files. */
export function reservations(files: MachineFiles): Readonly<Record<string, string>> {
  const known = Object.entries(contents(files));
  return Object.fromEntries(known.filter(([name, text]) => isAddress(name) && text !== ''));
}

/**
 * Runs a function in a process that is killed before its system call number `call`.
 *
 * @returns whether it was killed; otherwise it made fewer calls
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

/** Yields the machine after a crash at each system call, with and without a power cut. */
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
      yield { files, when: `before system call ${call}${seed > 0 ? ', with a power cut' : ''}` };
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
  /** Configuration of the network, besides its name and version. */
  readonly config?: Readonly<Record<string, unknown>>;
}

const smallNetwork = { ipam: { type: 'host-local', subnet: '10.1.2.0/29' } };

/** Creates the request of a call. The default network is 10.1.2.0/29. */
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

/** Returns the printed error or result, with its code: `{ code: 1, msg: … }`. */
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
