import { createHistogram } from 'node:perf_hooks';
import { parseArgs } from 'node:util';
import type { FuzzRequest } from '../testing/fuzz/request.ts';
import { live, liveCustom, REQUESTS_PER_LIFE, type Red, smallest } from '../testing/fuzz/run.ts';
import { Served } from '../testing/fuzz/served.ts';
import { toldAs } from '../testing/fuzz/tell.ts';

/**
 * `npm run fuzz -- --requests 1000000 --seed 1`: sends this number of hostile requests to the apiserver's handler;
 * each seed gets a new one. With `--custom`, the requests are about custom resources, whose schemas each seed
 * generates. Prints each violation with a test to paste, and the speed and memory use. Exits with 1 when a law was
 * violated.
 */

/** CPU limit of a short request; other load on the machine does not count. */
const CPU_MS_MAX = 200;
const SHORT_BODY_BYTES = 100 * 1024;
/** The maximum number of reported failures; failures of one kind count once. */
const REDS_MAX = 10;

const { values } = parseArgs({
  options: {
    requests: { type: 'string', default: '100000' },
    seed: { type: 'string', default: '1' },
    custom: { type: 'boolean', default: false },
  },
});
const requests = numberOf('requests');
const firstSeed = numberOf('seed');

const statuses = new Map<number, number>();
const reds = new Map<string, Red>();
/** In µs of CPU time. */
const taken = createHistogram();
let slowest: { ms: number; request: FuzzRequest | undefined } = { ms: 0, request: undefined };
let sent = 0;
let toldAt = 0;
const startedMs = cpuMs();

for (let seed = firstSeed; sent < requests && reds.size < REDS_MAX; seed++) {
  const slow: FuzzRequest[] = [];
  let lastMs = 0;
  const red = await (values.custom ? liveCustom : live)(seed, Math.min(REQUESTS_PER_LIFE, requests - sent), {
    sending() {
      lastMs = cpuMs();
    },
    answered(request, { status }) {
      const ms = cpuMs() - lastMs;
      sent += 1;
      taken.record(Math.max(1, Math.round(ms * 1_000)));
      statuses.set(status, (statuses.get(status) ?? 0) + 1);
      if (ms > slowest.ms) slowest = { ms, request };
      if (ms > CPU_MS_MAX && Buffer.byteLength(request.body ?? '') < SHORT_BODY_BYTES) slow.push(request);
    },
  });
  if (red) await report(red, seed);
  for (const request of slow) {
    const ms = await alone(request);
    if (ms > CPU_MS_MAX)
      await report({ why: `it takes ${Math.round(ms)} ms of CPU`, requests: [request] }, seed);
  }
  if (sent - toldAt >= requests / 10 || sent >= requests) tell();
}
process.exitCode = reds.size > 0 ? 1 : 0;

/** Returns the cost of a request alone: the minimum of three measurements. */
async function alone(request: FuzzRequest): Promise<number> {
  let best = Number.POSITIVE_INFINITY;
  for (let i = 0; i < 3; i++) {
    const served = await Served.start();
    const beforeMs = cpuMs();
    await served.send(request);
    best = Math.min(best, cpuMs() - beforeMs);
  }
  return best;
}

async function report(red: Red, seed: number): Promise<void> {
  // A violation of the same law that differs only in names and numbers was already reported.
  const kind = red.why.slice(0, 200).replace(/"[^"]*"|\d+/g, '…');
  if (reds.has(kind)) return;
  reds.set(kind, red);
  const least = red.requests.length > 1 ? await smallest(red) : red;
  process.stdout.write(`failing: seed ${seed}, request ${red.requests.length}\n${toldAs(least)}\n\n`);
}

function tell(): void {
  toldAt = sent;
  globalThis.gc?.();
  const seconds = (cpuMs() - startedMs) / 1_000;
  const counts = [...statuses].sort(([a], [b]) => a - b).map(([status, count]) => `${status} ${count}`);
  const lines = [
    `${sent} requests, ${Math.round(sent / seconds)} a second of CPU, heap ${megabytes(process.memoryUsage().heapUsed)}`,
    `  ${counts.join(', ')}`,
    `  p50 ${percentile(50)}, p99 ${percentile(99)}, p99.9 ${percentile(99.9)} ms of CPU`,
    `  slowest ${Math.round(slowest.ms)} ms: ${JSON.stringify(slowest.request)?.slice(0, 160)}`,
  ];
  process.stdout.write(`${lines.join('\n')}\n`);
}

function cpuMs(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1_000;
}

function percentile(percent: number): string {
  return (taken.percentile(percent) / 1_000).toFixed(2);
}

function megabytes(bytes: number): string {
  return `${Math.round(bytes / 1024 / 1024)} MB`;
}

function numberOf(name: 'requests' | 'seed'): number {
  const number = Number(values[name]);
  if (!Number.isInteger(number) || number < 0) {
    throw new Error(`Failed to read --${name}: "${values[name]}" is no whole number.`);
  }
  return number;
}
