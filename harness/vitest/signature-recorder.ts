import fc from 'fast-check';
import type { Mistake } from '../testing/mistakes.ts';
import { defaultSeed } from '../testing/property.ts';
import type { Kata } from '../workbook/katas.ts';
import type { KataModules } from './judge-modules.ts';
import { collectTests, isLawFile } from './judge-run.ts';
import { readKillRecord } from './kill-record.ts';
import { type Outcome, PASSED, type Probe, probe } from './probe.ts';
import { inputKey } from './signatures.ts';

/** Number of inputs that are tried: more take too long. */
const INPUTS_TRIED_MAX = 110;

/** CPU time for one mistake, in ms: some mistakes write without end. */
const CPU_MS_MAX = 60_000;

/** A row of {@link candidateRows}. */
interface CandidateRow {
  readonly mistake: Mistake;
  readonly outcomes: readonly Outcome[];
}

/** The outcomes of all candidates, for each visible mistake of a kata. */
export interface CandidateRows {
  readonly candidates: readonly Probe[];
  readonly rows: readonly CandidateRow[];
}

/**
 * Runs every candidate against every visible mistake of a kata. Candidates are all laws on each input of the kill
 * record, and the tests without inputs.
 *
 * @param onRow receives each finished row
 */
export async function candidateRows(
  modules: KataModules,
  kata: Kata,
  mistakes: readonly Mistake[],
  onRow: (row: CandidateRow) => void,
): Promise<CandidateRows> {
  const candidates = await candidatesOf(modules, kata, mistakes);
  const rows: CandidateRow[] = [];
  for (const mistake of mistakes.filter(({ hidden }) => hidden === undefined)) {
    const row = {
      mistake,
      outcomes: await probe(modules, kata, { kind: 'mistake', change: mistake }, candidates, {
        cpuMsMax: CPU_MS_MAX,
      }),
    };
    onRow(row);
    rows.push(row);
  }
  return { candidates, rows };
}

/** Returns each law with each recorded input that it takes, and each test without inputs. */
async function candidatesOf(
  modules: KataModules,
  kata: Kata,
  mistakes: readonly Mistake[],
): Promise<readonly Probe[]> {
  const { kills } = readKillRecord(kata);
  const withInput = mistakes.map(({ id }) => (kills[id] ?? []).filter(({ input }) => input !== undefined));
  const rounds = Math.max(0, ...withInput.map(({ length }) => length));
  // First one kill of each mistake, then a second one of each, and so on.
  const inTurn = Array.from({ length: rounds }, (_, round) =>
    withInput.flatMap((of) => of[round] ?? []),
  ).flat();
  const inputs = new Map(inTurn.map((kill) => [inputKey(kill), kill]));
  const tests = await collectTests(modules, kata, { kind: 'reference' }, kata.tests.filter(isLawFile));
  const all = tests.flatMap(({ fullName: test }): readonly Probe[] => [
    { test, seed: defaultSeed },
    ...[...inputs.values()]
      .slice(0, INPUTS_TRIED_MAX)
      .map(({ seed, input }) => ({ test, seed, ...(input && { input }) })),
  ]);
  return await accepted(modules, kata, all);
}

/** Returns the probes that the reference passes, and that run their input once, or have none. */
async function accepted(
  modules: KataModules,
  kata: Kata,
  probes: readonly Probe[],
): Promise<readonly Probe[]> {
  // A property without an input would run a hundred of them: its first input shows that it is one.
  const tried = probes.map((one) => (one.input ? one : { ...one, input: { path: '0' } }));
  let runs = 0;
  fc.installGlobalPlugin(() => ({
    decorateRun: (run) => (value) => {
      runs++;
      return run(value);
    },
  }));
  const runsOf = new Map<Probe, number>();
  const outcomes = await probe(modules, kata, { kind: 'reference' }, tried, {
    cpuMsMax: Number.POSITIVE_INFINITY,
    onOutcome: (one) => {
      runsOf.set(one, runs);
      runs = 0;
    },
  });
  return probes.filter((one, at) => {
    const wanted = one.input ? 1 : 0;
    return outcomes[at] === PASSED && runsOf.get(tried[at] as Probe) === wanted;
  });
}
