import type * as cri from '../../contracts/node/cri/index.ts';
import type { CniResult } from '../../contracts/node/network-plugin.ts';
import type { Task } from '../programs/task.ts';
import type { Container } from './container.ts';

/** A sandbox as the runtime has it on disk, and its first process. */
export class Sandbox {
  readonly id: string;
  readonly config: cri.PodSandboxConfig;
  readonly createdAtMs: number;
  state: cri.PodSandboxState = 'SANDBOX_NOTREADY';
  /** {@link cri.RuntimeService.runPodSandbox} has got so far that lists show it. */
  listed = false;
  /** The path of its network namespace; empty when there is none, or it is removed. */
  netns = '';
  /** What the network plugin said; undefined when it has not said anything, or has taken all back. */
  network: CniResult | undefined;
  /** The plugin was asked to take the network back. */
  networkStopped = false;
  /** The addresses that it has, or had last. */
  lastIPs: readonly string[] = [];
  /** Its first process, which holds its namespaces. */
  pause: Task | undefined;
  readonly containers = new Set<Container>();

  constructor(id: string, config: cri.PodSandboxConfig, createdAtMs: number) {
    this.id = id;
    this.config = config;
    this.createdAtMs = createdAtMs;
  }

  /** Its addresses, as long as it has them. */
  get ips(): readonly string[] {
    return (this.network?.ips ?? []).map(({ address }) => address.replace(/\/\d+$/, ''));
  }
}
