import type { Mistake, Variant } from '../testing/mistakes.ts';
import type { Kata } from '../workbook/katas.ts';
import type { KataModules, Subject } from './judge-modules.ts';
import { draftOf } from './judge-trial.ts';
import { probe } from './probe.ts';
import { type Resemblance, resemblance } from './resemblance.ts';
import { marksOf, type Signatures } from './signatures.ts';

/** Wrong code whose mistake is known, and the answer about it. */
export interface MeasuredCase {
  readonly group: Group;
  readonly name: string;
  /** The id of its mistake. */
  readonly like: string;
  readonly result: Result;
}

/**
 * - `mistake`: a mistake of the bank itself
 * - `in a variant`: its edits in a variant of the reference
 * - `mutant`: a mutant of a variant that has the same fault
 * - `first draft`: the first draft of the short way
 */
type Group = 'mistake' | 'in a variant' | 'mutant' | 'first draft';

/**
 * - `exact`: the right mistake, with certainty
 * - `among`: the right mistake and perhaps others, as possibilities
 * - `none`: no mistake is named
 * - `wrong`: only other mistakes, as possibilities
 * - `certainly wrong`: another mistake, with certainty
 */
interface Result {
  readonly kind: 'exact' | 'among' | 'none' | 'wrong' | 'certainly wrong';
  readonly named: readonly string[];
}

const GROUPS: readonly Group[] = ['mistake', 'in a variant', 'mutant', 'first draft'];
const KINDS: readonly Result['kind'][] = ['exact', 'among', 'none', 'wrong', 'certainly wrong'];

/**
 * Asks which mistake wrong code resembles, for code whose mistake is known.
 *
 * @param onCase called with each answer
 */
export async function measureMisconceptions(
  modules: KataModules,
  kata: Kata,
  bank: { readonly mistakes: readonly Mistake[]; readonly variants: readonly Variant[] },
  signatures: Signatures,
  onCase: (measured: MeasuredCase) => void,
): Promise<readonly MeasuredCase[]> {
  const measured: MeasuredCase[] = [];
  for (const { group, name, like, subject } of casesOf(kata, bank)) {
    // The edits of some mistakes do not apply to some variants.
    const outcomes = await probe(modules, kata, subject, signatures.probes).catch(() => undefined);
    if (!outcomes) continue;
    const found = resemblance(signatures.rows, marksOf(signatures, outcomes));
    const one = { group, name, like, result: resultOf(like, found) };
    onCase(one);
    measured.push(one);
  }
  return measured;
}

interface Case extends Pick<MeasuredCase, 'group' | 'name' | 'like'> {
  readonly subject: Subject;
}

function casesOf(
  kata: Kata,
  { mistakes, variants }: { readonly mistakes: readonly Mistake[]; readonly variants: readonly Variant[] },
): readonly Case[] {
  const draft = draftOf(kata);
  const likeDraft = visibleOf(mistakes).find(({ isFirstDraft }) => isFirstDraft);
  const visible = visibleOf(mistakes);
  const edited = variants.filter(({ edits, file }) => edits !== undefined && file === undefined);
  return [
    ...visible.map((change): Case => {
      return { group: 'mistake', name: change.id, like: change.id, subject: { kind: 'mistake', change } };
    }),
    ...visible.flatMap((mistake, at): readonly Case[] => {
      const change = edited[at % edited.length];
      if (!change) return [];
      const subject: Subject = { kind: 'variant', change, mutant: mistake };
      return [{ group: 'in a variant', name: `${mistake.id} in ${change.id}`, like: mistake.id, subject }];
    }),
    ...variants.flatMap((change) =>
      (change.mutants ?? []).flatMap((mutant): readonly Case[] => {
        const { like, why } = mutant;
        if (like === undefined) return [];
        return [
          {
            group: 'mutant',
            name: `${change.id}: ${why}`,
            like,
            subject: { kind: 'variant', change, mutant },
          },
        ];
      }),
    ),
    ...(draft && likeDraft
      ? [
          {
            group: 'first draft' as const,
            name: draft.culprit.id,
            like: likeDraft.id,
            subject: draft.culprit.subject,
          },
        ]
      : []),
  ];
}

function visibleOf(mistakes: readonly Mistake[]): readonly Mistake[] {
  return mistakes.filter(({ hidden }) => hidden === undefined);
}

function resultOf(like: string, found: Resemblance | undefined): Result {
  if (!found) return { kind: 'none', named: [] };
  const isRight = found.ids.includes(like);
  if (found.isCertain) return { kind: isRight ? 'exact' : 'certainly wrong', named: found.ids };
  return { kind: isRight ? 'among' : 'wrong', named: found.ids };
}

/** Renders the number of cases by group and result. */
export function tableOf(kata: string, cases: readonly MeasuredCase[]): readonly string[] {
  const cells = GROUPS.flatMap((group) => {
    const own = cases.filter((one) => one.group === group);
    if (own.length === 0) return [];
    const counts = KINDS.map((kind) => own.filter(({ result }) => result.kind === kind).length);
    const right = (counts[0] ?? 0) + (counts[1] ?? 0);
    return [
      [group, String(own.length), ...counts.map(String), `${Math.round((100 * right) / own.length)} %`],
    ];
  });
  const rows = [['', 'cases', ...KINDS, 'named'], ...cells];
  const widths = (rows[0] ?? []).map((_, column) => Math.max(...rows.map((row) => row[column]?.length ?? 0)));
  return [
    kata,
    ...rows.map((row) =>
      row
        .map((cell, column) => cell.padEnd(widths[column] ?? 0))
        .join('  ')
        .trimEnd(),
    ),
  ];
}
