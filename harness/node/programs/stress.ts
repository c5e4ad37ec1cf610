import { parseQuantity } from '../../api/quantity.ts';
import { flagValue } from './flags.ts';
import { forever } from './pause.ts';
import type { Program } from './program.ts';

/** `stress --cpu 2 --vm 1 --vm-bytes 250M [--timeout 60s]` uses CPU from its start, and memory after 100 ms. */
export const stress: Program = async ({ argv, useCpu, useMemory, clock, stdout }) => {
  const value = (flag: string, otherwise: string): string => flagValue(argv, flag) ?? otherwise;
  const workers = Number(value('--vm', '0'));
  // Its suffixes are powers of 1024, without the `i` of Kubernetes' quantities.
  const bytes = parseQuantity(
    value('--vm-bytes', '256M').replace(/([KMG])$/i, (unit) => `${unit.toUpperCase()}i`),
  );
  stdout(`stress: info: [1] dispatching hogs: ${value('--cpu', '0')} cpu, 0 io, ${workers} vm, 0 hdd\n`);
  useCpu(1_000 * (Number(value('--cpu', '0')) + workers));
  await clock.sleep(100);
  useMemory(workers * bytes.value());
  const seconds = Number.parseInt(value('--timeout', ''), 10);
  if (Number.isNaN(seconds)) return forever();
  await clock.sleep(seconds * 1_000);
  return 0;
};
