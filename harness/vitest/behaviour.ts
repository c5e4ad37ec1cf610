import type { Mistake } from '../testing/mistakes.ts';
import { installProperties } from '../testing/property.ts';
import { marked } from '../testing/violation.ts';
import type { Behaviour } from '../workbook/behaviour.ts';
import type { FailedLaw } from '../workbook/failed-laws.ts';
import { judgedKata, type Kata } from '../workbook/katas.ts';
import { KataModules, type Subject } from './judge-modules.ts';
import { captureUncaught } from './judge-run.ts';
import { parting } from './parting.ts';
import { probe } from './probe.ts';
import { replayed } from './replayed.ts';
import { resemblance } from './resemblance.ts';
import { marksOf, readSignatures } from './signatures.ts';

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

/** Returns the timeline of a law's smallest failing scenario; undefined if it has none, or if the run never ends. */
async function timelineOf(
  modules: KataModules,
  kata: Kata,
  subject: Subject,
  law: FailedLaw,
): Promise<readonly string[] | undefined> {
  if (!law.input) return undefined;
  const { timeline, violation } = (await replayed(modules, kata, subject, law))?.history ?? {};
  return timeline && violation ? marked(timeline, violation) : timeline;
}
