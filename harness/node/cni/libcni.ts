import type {
  CniConfiguration,
  CniConfigurationList,
  CniExit,
  CniProcess,
} from '../../contracts/node/cni-plugin.ts';
import type { FileSystem } from '../../contracts/node/host.ts';
import { type CniAttachment, CniError, type CniResult } from '../../contracts/node/network-plugin.ts';
import { readResult } from './result.ts';
import { CNI_VERSIONS, cniCodes } from './skel.ts';

/**
 * The directory for the results of `ADD`, which later commands need. Upstream: containernetworking/cni@v1.3.0
 * libcni/api.go CacheDir
 */
const CACHE_DIRECTORY = '/var/lib/cni';

/** Dependencies of {@link Libcni}. */
interface LibcniOptions {
  readonly files: FileSystem;
  /** Runs a plugin by its type. @throws CniError when the plugin does not exist */
  readonly exec: (type: string, io: Pick<CniProcess, 'env' | 'stdin'>) => Promise<CniExit>;
  /** @defaultValue /opt/cni/bin */
  readonly path?: string;
}

/**
 * The library of a container runtime that runs all plugins of a network in order, and stores their results.
 *
 * Upstream: containernetworking/cni@v1.3.0 libcni/api.go CNIConfig
 */
export class Libcni {
  readonly #options: LibcniOptions;

  constructor(options: LibcniOptions) {
    this.#options = options;
  }

  /**
   * Adds an attachment. Each plugin gets the result of the plugin before it.
   *
   * @throws CniError of the first plugin that fails; earlier plugins are not rolled back
   */
  async addNetworkList(list: CniConfigurationList, attachment: CniAttachment): Promise<CniResult> {
    let result: CniResult | undefined;
    for (const plugin of list.plugins) {
      const config = configOf(list, plugin, { prevResult: result, attachment });
      const { stdout } = await this.#run('ADD', config, attachment).catch(failed(plugin.type, 'add'));
      result = readResult(stdout);
    }
    if (!result) throw new CniError(cniCodes.invalidNetworkConfig, `network "${list.name}" has no plugins`);
    await this.#remember(list, attachment, result);
    return result;
  }

  /**
   * Deletes an attachment, from the last plugin to the first.
   * @throws CniError of the first plugin that fails; the remaining plugins are not called
   */
  async delNetworkList(list: CniConfigurationList, attachment: CniAttachment): Promise<void> {
    const prevResult = await this.cachedResult(list, attachment);
    for (const plugin of list.plugins.toReversed()) {
      const config = configOf(list, plugin, { prevResult, attachment });
      await this.#run('DEL', config, attachment).catch(failed(plugin.type, 'delete'));
    }
    await this.#options.files.removeAll(cachePath(list.name, attachment)).catch(() => {});
  }

  /** @throws CniError of the first plugin that finds a difference */
  async checkNetworkList(list: CniConfigurationList, attachment: CniAttachment): Promise<void> {
    if (list.disableCheck) return;
    const prevResult = await this.cachedResult(list, attachment);
    for (const plugin of list.plugins)
      await this.#run('CHECK', configOf(list, plugin, { prevResult, attachment }), attachment);
  }

  /**
   * Deletes all attachments that are not in the valid list: first the stored ones, then others that the plugins find.
   * Errors do not stop it.
   *
   * @throws CniError with all errors, one per line
   */
  async gcNetworkList(
    list: CniConfigurationList,
    valid: readonly Pick<CniAttachment, 'containerID' | 'ifname'>[],
  ): Promise<void> {
    if (list.disableGC) return;
    const isValid = (one: Pick<CniAttachment, 'containerID' | 'ifname'>): boolean =>
      valid.some(({ containerID, ifname }) => containerID === one.containerID && ifname === one.ifname);
    const errors: string[] = [];
    const attempt = (what: string) => (error: Error) => void errors.push(`${what}: ${error.message}`);
    for (const stale of (await this.#cached(list.name)).filter((each) => !isValid(each))) {
      const what = `failed to delete stale attachment ${stale.containerID} ${stale.ifname}`;
      await this.delNetworkList(list, stale).catch(attempt(what));
    }
    if (isAtLeast(list, '1.1.0')) {
      const attachments = valid.map(({ containerID, ifname }) => ({ containerID, ifname }));
      for (const plugin of list.plugins) {
        const config = { ...configOf(list, plugin, {}), 'cni.dev/valid-attachments': attachments };
        await this.#run('GC', config).catch(attempt(`failed to GC plugin ${plugin.type}`));
      }
    }
    if (errors.length > 0) throw new CniError(cniCodes.internal, errors.join('\n'));
  }

  /** @throws CniError with code 50 or 51 when a plugin cannot serve an `ADD` now */
  async getStatusNetworkList(list: CniConfigurationList): Promise<void> {
    if (!isAtLeast(list, '1.1.0')) return;
    for (const plugin of list.plugins) await this.#run('STATUS', configOf(list, plugin, {}));
  }

  /** Returns the stored result of an attachment's `ADD`; undefined if none is stored. */
  async cachedResult(
    { name }: CniConfigurationList,
    attachment: CniAttachment,
  ): Promise<CniResult | undefined> {
    try {
      return (JSON.parse(await this.#options.files.readFile(cachePath(name, attachment))) as Cached).result;
    } catch {
      return undefined;
    }
  }

  async #remember(
    { name }: CniConfigurationList,
    attachment: CniAttachment,
    result: CniResult,
  ): Promise<void> {
    const { files } = this.#options;
    const { containerID, ifname, netns, args, runtimeConfig } = attachment;
    const cached: Cached = {
      kind: 'cniCacheV1',
      containerId: containerID,
      ifName: ifname,
      networkName: name,
      netns,
      cniArgs: Object.entries(args),
      ...(runtimeConfig && { capabilityArgs: runtimeConfig }),
      result,
    };
    await files.mkdirAll(`${CACHE_DIRECTORY}/results`, 0o700);
    await files.writeFile(cachePath(name, attachment), JSON.stringify(cached), { mode: 0o600 });
  }

  async #cached(network: string): Promise<readonly CniAttachment[]> {
    const { files } = this.#options;
    const directory = `${CACHE_DIRECTORY}/results`;
    const names = await files.readdir(directory).catch(() => []);
    const found: CniAttachment[] = [];
    for (const name of names) {
      try {
        const cached = JSON.parse(await files.readFile(`${directory}/${name}`)) as Cached;
        if (cached.kind === 'cniCacheV1' && cached.networkName === network) found.push(attachmentOf(cached));
      } catch {
        // Ignores an unreadable file: the power may have failed during the write.
      }
    }
    return found;
  }

  /** @throws CniError when the plugin exits with an error */
  async #run(command: string, config: CniConfiguration, attachment?: CniAttachment): Promise<CniExit> {
    const { exec, path = '/opt/cni/bin' } = this.#options;
    const env = {
      CNI_COMMAND: command,
      CNI_PATH: path,
      ...(attachment && {
        CNI_CONTAINERID: attachment.containerID,
        CNI_NETNS: attachment.netns,
        CNI_IFNAME: attachment.ifname,
        CNI_ARGS: Object.entries(attachment.args)
          .map(([name, value]) => `${name}=${value}`)
          .join(';'),
      }),
    };
    const exit = await exec(config.type, { env, stdin: JSON.stringify(config) });
    if (exit.code !== 0) throw errorOf(exit);
    return exit;
  }
}

/** The stored data of an attachment. Upstream: containernetworking/cni@v1.3.0 libcni/api.go cachedInfo */
interface Cached {
  readonly kind: 'cniCacheV1';
  readonly containerId: string;
  readonly ifName: string;
  readonly networkName: string;
  readonly netns: string;
  readonly cniArgs: readonly (readonly [string, string])[];
  readonly capabilityArgs?: NonNullable<CniAttachment['runtimeConfig']>;
  readonly result: CniResult;
}

function attachmentOf({ containerId, ifName, netns, cniArgs, capabilityArgs }: Cached): CniAttachment {
  return {
    containerID: containerId,
    ifname: ifName,
    netns,
    args: Object.fromEntries(cniArgs),
    ...(capabilityArgs && { runtimeConfig: capabilityArgs }),
  };
}

function cachePath(network: string, { containerID, ifname }: CniAttachment): string {
  return `${CACHE_DIRECTORY}/results/${network}-${containerID}-${ifname}`;
}

/**
 * Returns the configuration for a plugin: its own, the common values of the network, and the supported capabilities.
 */
function configOf(
  { name, cniVersion }: CniConfigurationList,
  { capabilities = {}, ...plugin }: CniConfigurationList['plugins'][number],
  { prevResult, attachment }: { prevResult?: CniResult | undefined; attachment?: CniAttachment },
): CniConfiguration {
  const asked = Object.entries(attachment?.runtimeConfig ?? {}).filter(([key]) => capabilities[key]);
  return {
    ...plugin,
    name,
    cniVersion,
    ...(prevResult && { prevResult }),
    ...(asked.length > 0 && { runtimeConfig: Object.fromEntries(asked) }),
  };
}

function isAtLeast({ cniVersion }: CniConfigurationList, version: string): boolean {
  return CNI_VERSIONS.indexOf(cniVersion) >= CNI_VERSIONS.indexOf(version);
}

/** Upstream: containernetworking/cni@v1.3.0 pkg/invoke/raw_exec.go pluginErr */
export function errorOf({ code: exitCode, stdout, stderr }: CniExit): CniError {
  if (stdout === '') {
    const said =
      stderr === '' ? ` with no error message: exit status ${exitCode}` : `: ${JSON.stringify(stderr)}`;
    return new CniError(0, `netplugin failed${said}`);
  }
  try {
    const { code, msg, details } = JSON.parse(stdout) as { code: number; msg: string; details?: string };
    return new CniError(code, msg, details);
  } catch (error) {
    const why = `error parsing its diagnostic message ${JSON.stringify(stdout)}: ${(error as Error).message}`;
    return new CniError(0, `netplugin failed but ${why}`);
  }
}

/** Adds the name of the plugin to its error. */
function failed(type: string, verb: string): (error: unknown) => never {
  return (error) => {
    if (!(error instanceof CniError)) throw error;
    const { code, message, details } = error;
    const what = details ? `${message}; ${details}` : message;
    throw new CniError(code, `plugin type="${type}" failed (${verb}): ${what}`);
  };
}
