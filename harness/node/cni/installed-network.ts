import type { CniConfigurationList, CniExit, CniProcess } from '../../contracts/node/cni-plugin.ts';
import type { FileSystem } from '../../contracts/node/host.ts';
import type { CniAttachment, CniResult, NetworkPlugin } from '../../contracts/node/network-plugin.ts';
import type { Line } from '../../sim/index.ts';
import type { Life } from '../runtime/life.ts';
import { whileAlive } from '../while-alive.ts';
import { Libcni } from './libcni.ts';

/**
 * The directory that runtimes search for a network configuration. Upstream: containernetworking/cni@v1.3.0
 * libcni/api.go ConfFiles
 */
export const NETWORK_CONFIGURATION = '/etc/cni/net.d';

/**
 * Returns the configured network, from the first file by name.
 *
 * @returns undefined when no file exists
 * @throws Error when the first file is invalid; later files are ignored
 *
 * Upstream: containerd/go-cni@v1.1.13 opts.go loadFromConfDir
 */
async function configuredNetwork(files: FileSystem): Promise<CniConfigurationList | undefined> {
  const names = await files.readdir(NETWORK_CONFIGURATION).catch(() => []);
  const name = names.find((each) => /\.(conflist|conf|json)$/.test(each));
  if (name === undefined) return undefined;
  const path = `${NETWORK_CONFIGURATION}/${name}`;
  const read = JSON.parse(await files.readFile(path)) as CniConfigurationList & { readonly type?: string };
  const { type, cniVersion, name: network, ...rest } = read;
  const list = type === undefined ? read : { cniVersion, name: network, plugins: [{ ...rest, type }] };
  if (!list.name || !list.plugins?.length) throw new Error(`${path} has no networks`);
  return list;
}

/** Dependencies of {@link InstalledNetwork}. */
interface InstalledNetworkOptions {
  readonly files: FileSystem;
  /** Runs a plugin. */
  readonly exec: (type: string, io: Pick<CniProcess, 'env' | 'stdin'>) => Promise<CniExit>;
  /**
   * The incarnation of the runtime. If the runtime crashes, the running plugin continues, but the next one does not
   * start.
   */
  readonly life: Life;
  /**
   * The line of the runtime. Each start of a plugin is a call to the port `cni`. @defaultValue no line, so no faults
   */
  readonly line?: Line;
}

/**
 * The network of a runtime: it runs the installed plugins with the current configuration.
 *
 * Upstream: containerd/go-cni@v1.1.13 cni.go libcni
 */
export class InstalledNetwork implements NetworkPlugin {
  readonly #options: InstalledNetworkOptions;
  readonly #libcni: Libcni;

  constructor(options: InstalledNetworkOptions) {
    this.#options = options;
    const { files, life, exec, line } = options;
    this.#libcni = new Libcni({
      files: whileAlive(files, () => !life.over),
      exec: (type, io) => life.while(line ? overLine(line, type, io, exec) : exec(type, io)),
    });
  }

  async add(attachment: CniAttachment): Promise<CniResult> {
    return this.#libcni.addNetworkList(await this.#list(), attachment);
  }

  async del(attachment: CniAttachment): Promise<void> {
    return this.#libcni.delNetworkList(await this.#list(), attachment);
  }

  async check(attachment: CniAttachment): Promise<void> {
    return this.#libcni.checkNetworkList(await this.#list(), attachment);
  }

  async status(): Promise<void> {
    return this.#libcni.getStatusNetworkList(await this.#list());
  }

  async gc(valid: readonly Pick<CniAttachment, 'containerID' | 'ifname'>[]): Promise<void> {
    return this.#libcni.gcNetworkList(await this.#list(), valid);
  }

  /** Upstream: containerd/go-cni@v1.1.13 errors.go ErrCNINotInitialized: also for what cannot be used, which is told to the log alone. */
  async #list(): Promise<CniConfigurationList> {
    const list = await configuredNetwork(this.#options.files).catch(() => undefined);
    if (list) return list;
    throw new Error('cni plugin not initialized');
  }
}

function overLine(
  line: Line,
  type: string,
  io: Pick<CniProcess, 'env' | 'stdin'>,
  exec: InstalledNetworkOptions['exec'],
): Promise<CniExit> {
  const { CNI_COMMAND = '', CNI_CONTAINERID = '' } = io.env;
  return line.call({
    port: 'cni',
    verb: CNI_COMMAND.toLowerCase(),
    object: [type, CNI_CONTAINERID].filter(Boolean).join(' '),
    mutates: CNI_COMMAND === 'ADD' || CNI_COMMAND === 'DEL' || CNI_COMMAND === 'GC',
    perform: () => exec(type, io),
  });
}
