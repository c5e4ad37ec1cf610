import type { Clock, Random } from '../../sim/index.ts';
import type { FileSystem } from './host.ts';
import type { CniResult } from './network-plugin.ts';
import type { NetworkTools } from './network-tools.ts';

/**
 * A network plugin: a program on the node. The container runtime runs it once for each command. It passes the request
 * in environment variables and on standard input, and reads the result from standard output. The plugin keeps its state
 * only on disk. It may be killed at any moment.
 *
 * Upstream: containernetworking/cni@v1.3.0 SPEC.md, section 2
 */
export type CniPlugin = (process: CniProcess) => Promise<CniExit>;

/** The inputs of a plugin. */
export interface CniProcess {
  /**
   * | variable | content |
   * |---|---|
   * | `CNI_COMMAND` | `ADD`, `DEL`, `CHECK`, `GC`, `STATUS` or `VERSION` |
   * | `CNI_CONTAINERID` | the sandbox |
   * | `CNI_NETNS` | the path of its network namespace: `/var/run/netns/cni-…` |
   * | `CNI_IFNAME` | the interface: `eth0` |
   * | `CNI_ARGS` | further arguments: `K8S_POD_NAME=web;K8S_POD_NAMESPACE=default` |
   * | `CNI_PATH` | the directory of the plugins: `/opt/cni/bin` |
   */
  readonly env: Readonly<Record<string, string>>;
  /** The configuration of the network, as JSON. */
  readonly stdin: string;
  readonly files: FileSystem;
  readonly tools: NetworkTools;
  readonly clock: Clock;
  readonly random: Random;
  /**
   * Runs another plugin and delegates a part of the work to it: `host-local` for addresses.
   *
   * @param type the name of the plugin, which is its file name in `CNI_PATH`
   * @throws CniError when the plugin does not exist
   */
  run(type: string, io: Pick<CniProcess, 'env' | 'stdin'>): Promise<CniExit>;
}

/** The result of a plugin run. */
export interface CniExit {
  /** 0 for success. Otherwise standard output contains an error. */
  readonly code: number;
  /** A result or an error, as JSON. */
  readonly stdout: string;
  readonly stderr: string;
}

/**
 * The configuration of a network, as passed to one plugin.
 *
 * Upstream: containernetworking/cni@v1.3.0 SPEC.md, section 1; pkg/types/types.go PluginConf
 */
export interface CniConfiguration {
  readonly cniVersion: string;
  /** The name of the network. */
  readonly name: string;
  /** The name of the plugin. */
  readonly type: string;
  readonly ipam?: { readonly type: string };
  readonly capabilities?: Readonly<Record<string, boolean>>;
  readonly runtimeConfig?: Readonly<Record<string, unknown>>;
  /** The result of the plugin before; for a `CHECK` or a `DEL`, the final result of the `ADD`. */
  readonly prevResult?: CniResult;
  /** For a `GC`: all attachments that are still in use. */
  readonly 'cni.dev/valid-attachments'?: readonly { readonly containerID: string; readonly ifname: string }[];
}

/**
 * The configuration of a network in a file of `/etc/cni/net.d`: a list of plugins, which run in order.
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
