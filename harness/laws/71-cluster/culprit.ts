import type { Components } from '../../contracts/component.ts';
import type { Violation } from '../../testing/violation.ts';

/** A learner's components, by their kata. The components of a kata are substituted together. */
export type OwnComponents = ReadonlyMap<string, Partial<Components>>;

/** A violation of a law of the whole cluster. */
export interface ClusterViolation extends Violation {
  /** The kata of the law. */
  readonly kata: string;
  /** The name of the law in its kata. */
  readonly law: string;
}

/** A history that violates a law, and the components in it. */
export interface FailedHistory {
  readonly reference: Partial<Components>;
  readonly own: OwnComponents;
  readonly violation: ClusterViolation;
  /** Runs the same scenario with these components. Returns its first violation; undefined if every law holds. */
  readonly rerun: (components: Partial<Components>) => Promise<ClusterViolation | undefined>;
}

/** The result of the substitution. */
export interface Culprit {
  /**
   * The smallest set of katas that was found whose components make the history fail among reference components. Empty
   * if the reference fails, too.
   */
  readonly katas: readonly string[];
  /** Whether every law holds when only the components of {@link katas} are the reference's. */
  readonly isSole: boolean;
  /** The violation with the components of {@link katas} alone. */
  readonly violation: ClusterViolation;
  readonly reruns: number;
}

/**
 * Names the katas whose components make a history fail. Runs the same scenario again, with the components of one kata
 * at a time from the reference, first the kata whose law is violated.
 *
 * A kata is named if every law holds without its components, and some law is violated with its components alone. The
 * second condition matters: a substitution can also hide a violation because it changes the course of events. If no
 * kata meets both conditions, every kata that the violation does not need is removed, one after the other.
 */
export async function culpritOf({ reference, own, violation, rerun }: FailedHistory): Promise<Culprit> {
  const all = [...own.keys()].sort((a, b) => Number(b === violation.kata) - Number(a === violation.kata));
  const results = new Map([[keyOf(all), violation as ClusterViolation | undefined]]);
  const failure = async (katas: readonly string[]): Promise<ClusterViolation | undefined> => {
    const key = keyOf(katas);
    if (!results.has(key)) results.set(key, await rerun(substituted(reference, own, katas)));
    return results.get(key);
  };
  const named = async (katas: readonly string[]): Promise<Culprit> => {
    const isSole = (await failure(all.filter((kata) => !katas.includes(kata)))) === undefined;
    const found = (await failure(katas)) ?? violation;
    return { katas, isSole, violation: found, reruns: results.size - 1 };
  };
  if (await failure([])) return named([]);
  for (const kata of all) {
    const others = all.filter((other) => other !== kata);
    if (!(await failure(others)) && (await failure([kata]))) return named([kata]);
  }
  let needed: readonly string[] = all;
  for (const kata of [...all].reverse()) {
    const fewer = needed.filter((other) => other !== kata);
    if (await failure(fewer)) needed = fewer;
  }
  return named(needed);
}

/** Returns the reference's components, with the learner's for these katas. */
export function substituted(
  reference: Partial<Components>,
  own: OwnComponents,
  katas: Iterable<string>,
): Partial<Components> {
  return Object.assign({ ...reference }, ...[...katas].map((kata) => own.get(kata) ?? {}));
}

/** Describes the result for the learner, in one to two sentences. */
export function describeCulprit({ katas, isSole, reruns }: Culprit): string {
  const often = reruns === 1 ? 'in 1 rerun' : `in ${reruns} reruns`;
  if (katas.length === 0)
    return 'No component of yours: with the reference alone the same history fails, too. This is a fault of the workbook. Please report it, with the scenario.';
  const [names, yours] = [katas.join(' and '), katas.length === 1 ? 'it' : 'them'];
  const alone = katas.length === 1 ? `yours from ${names} alone` : `yours from ${names} together`;
  return isSole
    ? `${names}: with the reference's components for ${yours}, the same history holds; with ${alone}, it fails (found ${often}).`
    : `${names}: with ${alone}, the same history fails. Without ${yours} it fails, too: another component is wrong as well (found ${often}).`;
}

function keyOf(katas: readonly string[]): string {
  return [...katas].sort().join(' ');
}
