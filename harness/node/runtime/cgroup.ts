import type { ContainerResources } from '../../contracts/node/cri/index.ts';
import type { Task } from '../programs/task.ts';
import { CpuMeter } from './cpu-meter.ts';

/** The resource limits and the usage of one container's processes. */
export class Cgroup {
  readonly tasks = new Set<Task>();
  readonly memoryLimitBytes: number | undefined;
  readonly cpu: CpuMeter;
  /** Whether the container was OOM-killed. */
  oomKilled = false;

  /**
   * @param now - returns the kernel's time, in ms
   * @param resources - an absent value means no limit
   */
  constructor(now: () => number, { memoryLimitBytes, cpuMilli }: ContainerResources = {}) {
    this.memoryLimitBytes = memoryLimitBytes;
    this.cpu = new CpuMeter(now, cpuMilli);
  }

  get memoryBytes(): number {
    return sum(this.tasks, ({ memoryBytes }) => memoryBytes);
  }

  get full(): boolean {
    return this.memoryLimitBytes !== undefined && this.memoryBytes > this.memoryLimitBytes;
  }

  /** Kills all its processes, because they exceed the memory limit. */
  oomKill(): void {
    this.oomKilled = true;
    for (const task of [...this.tasks]) task.signal('SIGKILL');
  }
}

function sum<T>(each: Iterable<T>, of: (item: T) => number): number {
  let total = 0;
  for (const item of each) total += of(item);
  return total;
}
