import type { Clock, Random } from '../../sim/index.ts';
import type { FileSystem } from './host.ts';
import type { CniResult } from './network-plugin.ts';
import type { NetworkTools } from './network-tools.ts';

/**
 * A network plugin as it is on a node: a program. The container runtime runs it once for each command, tells it what to do by its
 * environment and on standard input, and reads what it writes to standard output. It remembers nothing from one run to the next
 * but what is on disk, and it may be killed at any moment.
 *
 * Upstream: containernetworking/cni@v1.3.0 SPEC.md, section 2
 */
export type CniPlugin = (process: CniProcess) => Promise<CniExit>;

/** All that a plugin is given. */
export interface CniProcess {
  /**
   * | variable | what it says |
   * |---|---|
   * | `CNI_COMMAND` | `ADD`, `DEL`, `CHECK`, `GC`, `STATUS` or `VERSION` |
   * | `CNI_CONTAINERID` | the sandbox |
   * | `CNI_NETNS` | the path of its network namespace: `/var/run/netns/cni-…` |
   * | `CNI_IFNAME` | the interface: `eth0` |
   * | `CNI_ARGS` | more, as `K8S_POD_NAME=web;K8S_POD_NAMESPACE=default` |
   * | `CNI_PATH` | where other plugins are: `/opt/cni/bin` |
   */
  readonly env: Readonly<Record<string, string>>;
  /** The configuration of the network, as JSON. */
  readonly stdin: string;
  readonly files: FileSystem;
  readonly tools: NetworkTools;
  readonly clock: Clock;
  readonly random: Random;
  /**
   * Runs another plugin, to which a part of the work is left: `host-local`, for addresses.
   *
   * @param type its name, which is that of a file in `CNI_PATH`
   * @throws CniError when there is none
   */
  run(type: string, io: Pick<CniProcess, 'env' | 'stdin'>): Promise<CniExit>;
}

/** How a plugin ended. */
export interface CniExit {
  /** 0, or else standard output has an error. */
  readonly code: number;
  /** A result, or an error, as JSON. */
  readonly stdout: string;
  readonly stderr: string;
}

/**
 * The configuration of a network, as one plugin gets it.
 *
 * Upstream: containernetworking/cni@v1.3.0 SPEC.md, section 1; pkg/types/types.go PluginConf
 */
export interface CniConfiguration {
  readonly cniVersion: string;
  /** Of the network. */
  readonly name: string;
  /** Of the plugin. */
  readonly type: string;
  readonly ipam?: { readonly type: string };
  readonly capabilities?: Readonly<Record<string, boolean>>;
  readonly runtimeConfig?: Readonly<Record<string, unknown>>;
  /** What the plugin before it came to; for a `CHECK` or a `DEL`, what the whole `ADD` came to. */
  readonly prevResult?: CniResult;
  /** Of a `GC`: all attachments that are still in use. */
  readonly 'cni.dev/valid-attachments'?: readonly { readonly containerID: string; readonly ifname: string }[];
}

/**
 * The configuration of a network as it stands in a file of `/etc/cni/net.d`: one plugin after the other.
 *
 * Upstream: containernetworking/cni@v1.3.0 SPEC.md, section 1
 */
export interface CniConfigurationList {
  readonly cniVersion: string;
  readonly name: string;
  readonly disableCheck?: boolean;
  readonly disableGC?: boolean;
  readonly plugins: readonly Omit<CniConfiguration, 'cniVersion' | 'name'>[];
}
