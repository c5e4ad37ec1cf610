/**
 * How the cost of a pod grows with the size of its roll-out, in pods and objects. Each roll-out runs in a separate
 * process, so that one does not compile the code or fill the memory of the next. A cell has the CPU time per pod, the least of
 * several runs, and the largest memory.
 */
import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { onceByItself, printTable } from '../testing/side-by-side.ts';
import type { RollOutCost, WorkloadName } from './roll-out.fixture.ts';

const TITLE = 'A roll-out, from the creation of its Deployments until all pods are available';

/** Memory for objects, in MB: a cluster of 5,000 nodes must fit into 6 GiB. */
const HEAP_MB = 5_000;

onceByItself(TITLE, () =>
  printCosts(TITLE, {
    pods: [30, 100, 300, 1_000, 3_000, 10_000, 30_000],
    workloads: {
      'Deployments of 10, two controllers': 30_000,
      'Deployments of 10, all controllers': 30_000,
      'one Deployment, two controllers': 10_000,
      'the same, with syncs of 5 ms': 10_000,
      'one Deployment, whole cluster': 1_000,
    },
    rounds: 3,
  }),
);

const LARGEST = '5,000 nodes and 150,000 pods of 15,000 Deployments';

onceByItself(LARGEST, () =>
  printCosts(LARGEST, {
    pods: [150_000],
    workloads: { 'Deployments of 10, all controllers': 150_000 },
    rounds: 1,
  }),
);

interface Costs {
  readonly pods: readonly number[];
  /** The largest number of pods of each workload. */
  readonly workloads: { readonly [W in WorkloadName]?: number };
  readonly rounds: number;
}

async function printCosts(title: string, { pods, workloads, rounds }: Costs): Promise<void> {
  const rows: string[][] = [];
  for (const [workload, podsMax] of Object.entries(workloads)) {
    const row = [workload];
    for (const count of pods) row.push(count > podsMax ? '' : await cell(workload, count, rounds));
    rows.push(row);
  }
  const head = ['ms of CPU per pod (MB)', ...pods.map((count) => `${count.toLocaleString('en')} pods`)];
  printTable(title, [head, ...rows]);
}

async function cell(workload: string, pods: number, rounds: number): Promise<string> {
  const costs: RollOutCost[] = [];
  for (let round = 0; round < rounds; round++) costs.push(await costInProcess(workload, pods));
  const cpuMs = Math.min(...costs.map((cost) => cost.cpuMs)) / pods;
  const memoryMb = Math.max(...costs.map((cost) => cost.memoryMb));
  const format = (value: number): string => value.toLocaleString('en', { maximumSignificantDigits: 3 });
  return `${format(cpuMs)} (${format(memoryMb)})`;
}

async function costInProcess(workload: string, pods: number): Promise<RollOutCost> {
  const [program, components] = ['./roll-out-process.fixture.ts', '../../solutions/components.ts'].map(
    (file) => fileURLToPath(new URL(file, import.meta.url)),
  ) as [string, string];
  const options = ['--import', 'tsx', '--conditions', 'solution', `--max-old-space-size=${HEAP_MB}`];
  const arguments_ = [...options, program, components, workload, String(pods)];
  const { stdout } = await promisify(execFile)(process.execPath, arguments_);
  return JSON.parse(stdout) as RollOutCost;
}
