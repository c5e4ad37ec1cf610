import { forever } from './pause.ts';
import type { Program } from './program.ts';

const unitsMs: Readonly<Record<string, number>> = { s: 1_000, m: 60_000, h: 3_600_000, d: 86_400_000 };

/** `sleep 30`, `sleep 1.5m`, `sleep infinity`: waits for the sum of its arguments. */
export const sleep: Program = async ({ argv, clock, stderr }) => {
  const durations = argv.slice(1).map(durationMs);
  if (durations.length === 0) {
    stderr('sleep: missing operand\n');
    return 1;
  }
  const bad = durations.indexOf(undefined);
  if (bad >= 0) {
    stderr(`sleep: invalid number '${argv[bad + 1]}'\n`);
    return 1;
  }
  const total = durations.reduce<number>((sum, each) => sum + (each ?? 0), 0);
  if (total === Number.POSITIVE_INFINITY) return forever();
  await clock.sleep(total);
  return 0;
};

function durationMs(text: string): number | undefined {
  if (text === 'infinity') return Number.POSITIVE_INFINITY;
  const [, number, unit = 's'] = /^(\d+(?:\.\d+)?)([smhd])?$/.exec(text) ?? [];
  return number === undefined ? undefined : Number(number) * (unitsMs[unit] ?? 0);
}
