import type * as cri from '../../contracts/node/cri/index.ts';
import type { CniResult } from '../../contracts/node/network-plugin.ts';
import type { Task } from '../programs/task.ts';
import type { Container } from './container.ts';

/** A sandbox as the runtime stores it on disk, and its first process. */
export class Sandbox {
  readonly id: string;
  readonly config: cri.PodSandboxConfig;
  readonly createdAtMs: number;
  state: cri.PodSandboxState = 'SANDBOX_NOTREADY';
  /** Whether {@link cri.RuntimeService.runPodSandbox} has progressed far enough for lists to show it. */
  listed = false;
  /** The path of its network namespace; empty if it has none. */
  netns = '';
  /** The result of the network plugin; undefined before ADD and after DEL. */
  network: CniResult | undefined;
  /** Whether the runtime has asked the plugin to release the network. */
  networkStopped = false;
  /** Its current or last addresses. */
  lastIPs: readonly string[] = [];
  /** Its first process, which holds its namespaces. */
  pause: Task | undefined;
  readonly containers = new Set<Container>();

  constructor(id: string, config: cri.PodSandboxConfig, createdAtMs: number) {
    this.id = id;
    this.config = config;
    this.createdAtMs = createdAtMs;
  }

  /** Its current addresses. */
  get ips(): readonly string[] {
    return (this.network?.ips ?? []).map(({ address }) => address.replace(/\/\d+$/, ''));
  }
}
