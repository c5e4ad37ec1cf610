import type { Mistake } from '../testing/mistakes.ts';
import {
  configureProperties,
  defaultRuns,
  installProperties,
  resetEvidence,
  takeEvidence,
} from '../testing/property.ts';
import type { Behaviour } from '../workbook/behaviour.ts';
import type { FailedLaw } from '../workbook/failed-laws.ts';
import { judgedKata, type Kata } from '../workbook/katas.ts';
import { KataModules, type Subject } from './judge-modules.ts';
import { captureUncaught, collectTests, isLawFile } from './judge-run.ts';
import { parting } from './parting.ts';
import { probe } from './probe.ts';
import { resemblance } from './resemblance.ts';
import { marksOf, readSignatures } from './signatures.ts';
import { watched } from './watchdog.ts';

/** A question about a learner's code. */
interface BehaviourRequest {
  /** The workbook's folder. */
  readonly root: string;
  /** `24-deployment` */
  readonly kata: string;
  /** The law that failed in the learner's last run. */
  readonly law: FailedLaw;
  /** The kata's mistakes. */
  readonly mistakes: readonly Mistake[];
  /** Replacements of files of the harness, by absolute path. */
  readonly entryPoints: Readonly<Record<string, string>>;
  /** @defaultValue the learner's file */
  readonly subject?: Subject;
}

/**
 * Compares a learner's code with the known mistakes of its kata, and with the reference in the smallest failing
 * scenario. It runs the code in this process, which may still run parts of it afterwards.
 *
 * @throws Error when the code cannot be loaded
 */
export async function behaviourOf({
  root,
  kata: id,
  law,
  mistakes,
  entryPoints,
  subject = { kind: 'stub' },
}: BehaviourRequest): Promise<Behaviour> {
  const kata = judgedKata(root, id);
  if (!kata) return {};
  // The failures are only compared. The smallest input of the law is known.
  process.env.KATA_SHRINK_MS = '0';
  installProperties();
  captureUncaught();
  const modules = new KataModules(root, (what) => import(/* @vite-ignore */ entryPoints[what] ?? what));
  const mine = await timelineOf(modules, kata, subject, law);
  const reference = mine && (await timelineOf(modules, kata, { kind: 'reference' }, law));
  const parts = reference && parting(mine, reference);
  const signatures = readSignatures(kata);
  const like =
    signatures &&
    resemblance(signatures.rows, marksOf(signatures, await probe(modules, kata, subject, signatures.probes)));
  const misconceptions = (like?.ids ?? []).flatMap(
    (name) => mistakes.find((mistake) => mistake.id === name)?.misconception ?? [],
  );
  return {
    ...(like && misconceptions.length > 0 && { mistakes: { isCertain: like.isCertain, misconceptions } }),
    ...(parts && { parting: parts }),
  };
}

/** The limits of one run, in ms. */
const LIMITS = { cpuMs: 10_000, idleMs: 500 };

/** Returns the timeline of a law's smallest failing scenario; undefined if it has none, or if the run never ends. */
async function timelineOf(
  modules: KataModules,
  kata: Kata,
  subject: Subject,
  { test, input }: FailedLaw,
): Promise<readonly string[] | undefined> {
  if (!input) return undefined;
  const cases = await collectTests(modules, kata, subject, kata.tests.filter(isLawFile));
  const one = cases.find(({ fullName }) => fullName === test);
  if (!one) return undefined;
  const { seed, ...replay } = input;
  configureProperties({ seed, runs: defaultRuns, replay });
  resetEvidence();
  // The law fails here: only the timeline of its run matters.
  await watched(one.run, LIMITS).catch(() => {});
  return takeEvidence().timeline;
}
