import type { ContainerResources } from '../contracts/node/cri/index.ts';
import type { MachineStats, OomKill } from '../contracts/node/index.ts';
import type { Disk } from './files/index.ts';
import type { Usage } from './programs/task.ts';
import { Cgroup } from './runtime/cgroup.ts';
import { CpuMeter } from './runtime/cpu-meter.ts';
import type { RuntimeState } from './runtime/state.ts';

/** The capacity of a machine. */
export interface MachineCapacity {
  /** @defaultValue 4 */
  readonly cpus: number;
  /** @defaultValue 16 GiB */
  readonly memoryBytes: number;
  /** @defaultValue 100 GiB */
  readonly diskBytes: number;
  /** @defaultValue 6,553,600 */
  readonly inodes: number;
  /** @defaultValue 32,768 */
  readonly pids: number;
}

const GIB = 1024 ** 3;

/** The default capacity. */
export const defaultCapacity: MachineCapacity = {
  cpus: 4,
  memoryBytes: 16 * GIB,
  diskBytes: 100 * GIB,
  inodes: 6_553_600,
  pids: 32_768,
};

/** The usage of the machine itself. */
const SYSTEM_MEMORY_BYTES = 512 * 1024 ** 2;
const SYSTEM_CPU_MILLI = 50;
const SYSTEM_PIDS = 100;

/** The length of a process name in the kernel, without its final NUL. */
const PROCESS_NAME_LENGTH = 15;

/** The capacity and the usage of a machine. */
export class MachineResources {
  readonly #state: RuntimeState;
  readonly #capacity: MachineCapacity;
  readonly #disk: Disk;
  #pids = SYSTEM_PIDS;
  #memoryBytes = SYSTEM_MEMORY_BYTES;
  readonly #cpu: CpuMeter;
  /** The total CPU demand of all containers. */
  #demandMilli = 0;
  #share = 1;
  #oomKills: readonly OomKill[] = [];
  #lastPid = SYSTEM_PIDS;
  readonly #now: () => number;

  /** @param now - returns the kernel's time in ms, which never decreases */
  constructor(state: RuntimeState, capacity: MachineCapacity, disk: Disk, now: () => number) {
    this.#state = state;
    this.#capacity = capacity;
    this.#disk = disk;
    this.#now = now;
    this.#cpu = new CpuMeter(now, capacity.cpus * 1_000);
    this.#cpu.want(SYSTEM_CPU_MILLI);
  }

  /** Starts the kernel, which numbers processes from the beginning and has an empty log. */
  boot(): void {
    this.#oomKills = [];
    this.#lastPid = SYSTEM_PIDS;
  }

  newPid(): number {
    this.#lastPid++;
    return this.#lastPid;
  }

  /** Whether another process can be started. */
  get canFork(): boolean {
    return this.#pids < this.#capacity.pids;
  }

  /** Creates the cgroup of a container. */
  newCgroup(resources?: ContainerResources): Cgroup {
    return new Cgroup(this.#now, resources);
  }

  /**
   * Records a change of the usage. A container that exceeds its limit is OOM-killed; if the machine runs out of memory,
   * the largest container is.
   *
   * Differs: a kernel spares the pods of a better quality of service; upstream's kubelet sets `oom_score_adj`.
   */
  charge({ pids, memoryBytes, cpuMilli, cpuMs = 0 }: Usage, cgroup: Cgroup): void {
    this.#pids += pids;
    this.#memoryBytes += memoryBytes;
    this.#chargeCpu(cpuMilli, cgroup);
    for (const meter of [cgroup.cpu, this.#cpu]) meter.spend(cpuMs);
    if (memoryBytes <= 0) return;
    if (cgroup.full) cgroup.oomKill();
    while (this.#memoryBytes > this.#capacity.memoryBytes) {
      const cgroups = [...this.#state.containers.values()].map((container) => container.cgroup);
      const [largest] = cgroups.sort((a, b) => b.memoryBytes - a.memoryBytes);
      const [victim] = [...(largest?.tasks ?? [])].sort((a, b) => b.memoryBytes - a.memoryBytes);
      if (!largest || !victim || victim.memoryBytes === 0) return;
      const process = victim.name.slice(0, PROCESS_NAME_LENGTH);
      this.#oomKills = [...this.#oomKills, { process, pid: victim.pid }];
      largest.oomKill();
    }
  }

  /**
   * Shares the CPUs. If the demand exceeds the capacity, each container gets the same fraction of its demand.
   *
   * Differs: a kernel weights containers by their requests.
   */
  #chargeCpu(moreMilli: number, cgroup: Cgroup): void {
    const before = cgroup.cpu.demandMilli;
    cgroup.cpu.want(moreMilli);
    const more = cgroup.cpu.demandMilli - before;
    this.#cpu.want(more);
    this.#demandMilli += more;
    const share = Math.min(1, (this.#capacity.cpus * 1_000 - SYSTEM_CPU_MILLI) / this.#demandMilli);
    cgroup.cpu.give(share);
    if (share === this.#share) return;
    this.#share = share;
    for (const container of this.#state.containers.values()) container.cgroup.cpu.give(share);
  }

  /** @param bootID - returns the id of the current boot */
  stats(bootID: () => string): MachineStats {
    const { cpus, memoryBytes, diskBytes, inodes, pids } = this.#capacity;
    return {
      info: async () => ({
        cpus,
        memoryBytes,
        diskBytes,
        inodes,
        pids,
        bootID: bootID(),
        kernelVersion: '6.12.0',
        osImage: 'Debian GNU/Linux 13 (trixie)',
      }),
      usage: async () => {
        const memory = this.#memoryBytes;
        return {
          cpuUsageMilli: this.#cpu.milli,
          cpuUsageCoreNanoSeconds: this.#cpu.coreNanoSeconds,
          memoryAvailableBytes: Math.max(0, memoryBytes - memory),
          memoryWorkingSetBytes: memory,
          diskAvailableBytes: diskBytes - this.#disk.usedBytes,
          inodesFree: inodes - this.#disk.usedInodes,
          pidsFree: Math.max(0, pids - this.#pids),
          oomKills: this.#oomKills,
        };
      },
    };
  }
}
