import { readFileSync } from 'node:fs';
import fc from 'fast-check';
import type { Law, Run, Workload } from '../testing/holds.ts';
import { sideBySide, type Work } from '../testing/side-by-side.ts';
import { judgedKata, type Kata, listSolutions } from '../workbook/katas.ts';
import { root } from '../workbook/sources.ts';
import { KataModules } from './judge-modules.ts';
import { collectTests } from './judge-run.ts';

/** The arguments of a kata's calls of `holds` with one simulation. */
interface Checks {
  readonly simulate: (scenario: unknown) => Promise<Run>;
  readonly classes: Set<Pick<Workload<unknown>, 'scenarios' | 'runs'>>;
  readonly laws: Set<Law<Run>>;
}

/** The approximate number of scenarios that are generated at a time. */
const RUNS = 100;

/** Returns the files with laws of a kata that run simulations. */
const filesOf = ({ tests }: Kata): readonly string[] =>
  tests.filter(
    (file) => /\.properties\.test\.ts$/.test(file) && readFileSync(file, 'utf8').includes('remembering('),
  );

// Measures how many runs per second the laws of each kata check against the reference, and which part takes the time. The tests of
// the laws define the runs, so a kata needs no separate benchmark. `npm run bench -- laws.bench -t 24` measures one kata.
for (const { id } of listSolutions(root)) {
  const kata = judgedKata(root, id);
  if (kata && filesOf(kata).length > 0) compareParts(kata);
}

function compareParts(kata: Kata): void {
  let seed = 0;
  let noted: Promise<readonly Checks[]> | undefined;
  // Each round uses other scenarios, because a repeated run would be fully warm.
  const generate = async () => {
    noted ??= checksOf(kata);
    const checks = await noted;
    seed++;
    return () => checks.map((one) => ({ ...one, inputs: inputsOf(one, seed) }));
  };
  type Generated = ReturnType<Awaited<ReturnType<typeof generate>>>;
  const simulate = async (generated: Generated) => {
    const runs: { readonly run: Run; readonly laws: Set<Law<Run>> }[] = [];
    for (const { inputs, simulate: run, laws } of generated)
      for (const input of inputs) runs.push({ run: await run(input), laws });
    return runs;
  };
  const judge = (runs: Awaited<ReturnType<typeof simulate>>): number => {
    const [violation] = runs.flatMap(({ run, laws }) => [...laws].flatMap((law) => law(run)));
    if (violation) throw new Error(`The reference of ${kata.id} breaks a law: ${violation.message}`);
    return runs.length;
  };
  sideBySide(`Runs of ${kata.id}, some ${RUNS} at a time`, {
    unit: 'runs',
    rounds: 3,
    contenders: {
      'all of it': () => async () => {
        const generated = await generate();
        return async () => judge(await simulate(generated()));
      },
      generation: () => async () => {
        const generated = await generate();
        return () => generated().reduce((sum, { inputs }) => sum + inputs.length, 0);
      },
      simulation: () => async () => {
        const generated = (await generate())();
        return async () => (await simulate(generated)).length;
      },
      laws: () => async () => {
        const runs = await simulate((await generate())());
        return () => judge(runs);
      },
    },
    measures: { runs: (part: () => Promise<Work>) => part() },
  });
}

/**
 * Runs the law tests of a kata with a `holds` that only records its arguments. Tests in a whole cluster are left out.
 */
async function checksOf(kata: Kata): Promise<readonly Checks[]> {
  const found = new Map<unknown, Checks>();
  const holds = async (
    law: Law<Run>,
    scenarios: fc.Arbitrary<unknown> | readonly Workload<unknown>[],
    simulate: Checks['simulate'],
  ): Promise<void> => {
    const checks = found.get(simulate) ?? { simulate, classes: new Set(), laws: new Set() };
    found.set(simulate, checks);
    checks.laws.add(law);
    for (const one of scenarios instanceof fc.Arbitrary ? [{ scenarios, runs: 100 }] : scenarios)
      checks.classes.add(one);
  };
  const modules = new KataModules(root, async (what) => {
    const module = (await import(/* @vite-ignore */ what)) as object;
    return 'remembering' in module
      ? { ...module, holds, remembering: (simulate: unknown) => simulate }
      : module;
  });
  for (const { group, run } of await collectTests(modules, kata, { kind: 'reference' }, filesOf(kata)))
    if (!group.includes('In a cluster')) await run();
  return [...found.values()];
}

function inputsOf({ classes }: Checks, seed: number): readonly unknown[] {
  return [...classes].flatMap(({ scenarios, runs = 6 }) =>
    fc.sample(scenarios, { numRuns: Math.ceil((runs * RUNS) / 100), seed }),
  );
}
