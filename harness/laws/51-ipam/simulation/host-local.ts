import { spawn } from 'node:child_process';
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import type { CniExit, CniPlugin } from '../../../contracts/node/cni-plugin.ts';
import { RealFiles } from '../../../node/files/real-files.ts';
import { Simulation } from '../../../sim/index.ts';

/** Path of host-local in Debian's package `containernetworking-plugins`. */
export const HOST_LOCAL = '/usr/lib/cni/host-local';

/** Path of the reference as a program, for `node --import=tsx`. */
export const OUR_PROGRAM = fileURLToPath(
  new URL('../../../../solutions/51-ipam/host-local.ts', import.meta.url),
);

/** A call of a plugin: the command, the container, and the configuration without `dataDir`. */
export interface PluginCall {
  readonly command: 'ADD' | 'DEL' | 'CHECK';
  readonly container: string;
  readonly ifname?: string;
  readonly asksFor?: string;
  readonly config: { readonly ipam: object } & Readonly<Record<string, unknown>>;
}

/** Runs a call on the files of this machine. */
export type Caller = (call: PluginCall, dataDir: string) => Promise<CniExit>;

/** Runs a plugin that is a program: one process per call. */
export function asProgram(command: string, words: readonly string[] = []): Caller {
  return async (call, dataDir) => {
    const child = spawn(command, words, { env: { ...process.env, ...environmentOf(call) } });
    child.stdin.end(stdinOf(call, dataDir));
    const code = new Promise<number>((resolve) => child.on('close', (status) => resolve(status ?? -1)));
    const [stdout, stderr] = await Promise.all([text(child.stdout), text(child.stderr)]);
    return { code: await code, stdout, stderr };
  };
}

/** Runs a plugin that is a function. */
export function inProcess(plugin: CniPlugin): Caller {
  const { clock, random } = new Simulation();
  const files = new RealFiles();
  const none = () => Promise.reject(new Error('Failed to run a program: an address needs none.'));
  return (call, dataDir) =>
    plugin({
      env: environmentOf(call),
      stdin: stdinOf(call, dataDir),
      files,
      tools: { run: none },
      clock,
      random,
      run: none,
    });
}

function environmentOf(call: PluginCall): Readonly<Record<string, string>> {
  return {
    CNI_COMMAND: call.command,
    CNI_CONTAINERID: call.container,
    CNI_NETNS: '/var/run/netns/none',
    CNI_IFNAME: call.ifname ?? 'eth0',
    CNI_PATH: '/usr/lib/cni',
    CNI_ARGS: call.asksFor === undefined ? '' : `IP=${call.asksFor}`,
  };
}

function stdinOf({ config }: PluginCall, dataDir: string): string {
  return JSON.stringify({
    cniVersion: '1.0.0',
    name: 'cbr0',
    type: 'bridge',
    ...config,
    ipam: { type: 'host-local', ...config.ipam, dataDir },
  });
}

/** Runs a function with a temporary directory, and removes that afterwards. */
export async function withDirectory<T>(act: (directory: string) => Promise<T>): Promise<T> {
  const directory = await mkdtemp(join(tmpdir(), 'katas-ipam-'));
  try {
    return await act(directory);
  } finally {
    await rm(directory, { recursive: true, force: true });
  }
}

/** Returns the contents of all files below a directory, by path. */
export async function filesBelow(directory: string): Promise<Readonly<Record<string, string>>> {
  const found: Record<string, string> = {};
  for (const entry of await readdir(directory, { withFileTypes: true, recursive: true })) {
    if (!entry.isFile()) continue;
    const path = join(entry.parentPath, entry.name);
    found[path.slice(directory.length)] = await readFile(path, 'utf8');
  }
  return found;
}
