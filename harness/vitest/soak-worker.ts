import fc from 'fast-check';
import { configureProperties, defaultRuns, installProperties } from '../testing/property.ts';
import { listKatas, listKatasWithoutCode } from '../workbook/katas.ts';
import { KataModules } from './judge-modules.ts';
import { askedOf, captureUncaught, collectTests, isOfLaws, type JudgedCase, runCase } from './judge-run.ts';
import { subjectsOf } from './judge-subjects.ts';
import { installRealTimeGuard } from './real-time-guard.ts';
import { isUnderTest } from './workbook-file.ts';

/** A task for a worker: the laws of a kata, on one seed. A soak worker runs one seed of one subject at a time. */
export interface SoakTask {
  readonly kata: string;
  /** The id of a variant, or `reference`. */
  readonly subject: string;
  readonly seed: number;
}

/** A test, and the message that it ended with. */
interface SoakFinding {
  readonly test: string;
  readonly message: string;
}

/** The answer of a worker. */
export interface SoakReport {
  /** The runs of the law that had the most: the laws of a kata share their scenarios. */
  readonly lives: number;
  readonly elapsedMs: number;
  readonly reds: readonly SoakFinding[];
  /** The maximum number of runs of a law; the laws of a kata share their scenarios. */
  readonly undecided: readonly SoakFinding[];
  /** Something never ended and may still be running: the worker can no longer be used. */
  readonly soiled: boolean;
}

const root = process.cwd();
const modules = new KataModules(root, (what) => import(what));
const collected = new Map<string, readonly JudgedCase[]>();
let runs = 0;

// No shrinking here; the failure is replayed later with shrinking.
process.env.KATA_SHRINK_MS = '0';
installProperties();
installRealTimeGuard(isUnderTest);
fc.installGlobalPlugin(() => ({
  decorateRun: (run) => (value) => {
    runs += 1;
    return run(value);
  },
}));
captureUncaught();
process.on('message', (task: SoakTask) => void soak(task).then((report) => process.send?.(report)));
process.on('disconnect', () => process.exit());

async function soak(task: SoakTask): Promise<SoakReport> {
  const startedAtMs = performance.now();
  const cases = await lawsOf(task);
  const reds: SoakFinding[] = [];
  const undecided: SoakFinding[] = [];
  let lives = 0;
  let soiled = false;
  for (const one of cases) {
    configureProperties({ seed: task.seed, runs: defaultRuns });
    runs = 0;
    const verdict = await runCase(one);
    lives = Math.max(lives, runs);
    if (verdict.outcome === 'passed') continue;
    const found = verdict.outcome === 'undecided' ? undecided : reds;
    found.push({ test: one.fullName, message: String(verdict.error) });
    soiled = verdict.abandoned;
    if (soiled) break;
  }
  return { lives, elapsedMs: performance.now() - startedAtMs, reds, undecided, soiled };
}

async function lawsOf({ kata: id, subject: name }: SoakTask): Promise<readonly JudgedCase[]> {
  const known = collected.get(`${id} ${name}`);
  if (known) return known;
  const kata = [...listKatas(root), ...listKatasWithoutCode(root)].find((one) => one.id === id);
  const subject = kata && (await subjectsOf(kata)).get(name);
  if (!kata || !subject) throw new Error(`Failed to soak ${name} of ${id}: there is none.`);
  const cases = askedOf(subject, await collectTests(modules, kata, subject)).filter(isOfLaws);
  collected.set(`${id} ${name}`, cases);
  return cases;
}
