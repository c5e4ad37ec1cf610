/** Measures the CPU time of a whole cluster with real kubelets, by its size. Each cluster has a fresh process. */
import { spawnSync } from 'node:child_process';
import path from 'node:path';
import { bench } from 'vitest';
import { cachedBundle } from '../vitest/bundle-cache.mjs';
import type { ClusterCost, ClusterSize } from './whole-cluster-cost.ts';

/** The lowest cost of several runs counts, because other programs can only add to it. */
const ROUNDS = 3;
const LARGE = 1_000;

const sizes: readonly ClusterSize[] = [
  { nodes: 3, pods: 3, podsPerDeployment: 3 },
  { nodes: 3, pods: 30, podsPerDeployment: 30 },
  { nodes: 5, pods: 100, podsPerDeployment: 10 },
  { nodes: 15, pods: 300, podsPerDeployment: 10 },
  { nodes: 50, pods: 1_000, podsPerDeployment: 10 },
  { nodes: 300, pods: 5_000, podsPerDeployment: 10 },
];

/** The columns of the table, for one size. */
const columns: Readonly<Record<string, (cost: ClusterCost, size: ClusterSize) => number>> = {
  'start, ms': ({ startMs }) => startMs,
  'pods, ms': ({ podsMs }) => podsMs,
  'all, ms per pod': ({ startMs, podsMs }, { pods }) => (startMs + podsMs) / pods,
  'a further pod, ms': ({ podsMs }, { pods }) => podsMs / pods,
  'idle minute, ms per pod': ({ minuteMs }, { pods }) => minuteMs / pods,
  'memory, MB': ({ memoryMB }) => memoryMB,
};

bench(
  'A whole cluster',
  async () => {
    const program = await bundled();
    const lines = sizes.map((size) => {
      const rounds = size.pods > LARGE ? 1 : ROUNDS;
      const costs = Array.from({ length: rounds }, () => costOf(program, size));
      const cells = Object.values(columns).map((measure) =>
        Math.min(...costs.map((cost) => measure(cost, size))).toLocaleString('en', {
          maximumSignificantDigits: 3,
        }),
      );
      return `${size.nodes} nodes, ${size.pods} pods: ${cells.join(' | ')}`;
    });
    process.stdout.write(`\nA whole cluster: ${Object.keys(columns).join(' | ')}\n  ${lines.join('\n  ')}\n`);
  },
  { iterations: 1, time: 0, warmupIterations: 0, warmupTime: 0 },
);

async function bundled(): Promise<string> {
  const name = 'whole-cluster-cost';
  const of = await cachedBundle({
    root: path.resolve(import.meta.dirname, '../..'),
    name,
    sources: ['harness', 'solutions'],
    entryPoints: { [name]: `harness/cli/${name}.ts` },
    conditions: ['solution'],
  });
  return of(name);
}

function costOf(program: string, size: ClusterSize): ClusterCost {
  const { stdout, stderr } = spawnSync(process.execPath, [program, JSON.stringify(size)], {
    encoding: 'utf8',
  });
  if (stdout === '') throw new Error(`Failed to measure ${size.pods} pods: ${stderr}`);
  return JSON.parse(stdout);
}
