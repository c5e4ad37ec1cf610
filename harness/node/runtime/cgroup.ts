import type { ContainerResources } from '../../contracts/node/cri/index.ts';
import type { Task } from '../programs/task.ts';
import { CpuMeter } from './cpu-meter.ts';

/** What the processes of one container may use, and use. */
export class Cgroup {
  readonly tasks = new Set<Task>();
  readonly memoryLimitBytes: number | undefined;
  readonly cpu: CpuMeter;
  /** It was killed for its memory. */
  oomKilled = false;

  /**
   * @param now the time of the kernel, in ms
   * @param resources what is absent has no limit
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

  /** Kills all that is in it, for it uses too much memory. */
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
