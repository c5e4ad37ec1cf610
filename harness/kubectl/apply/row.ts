import type { ApplyOptions } from '../../contracts/apply/index.ts';
import type { Patch } from '../../contracts/client.ts';

/** The flags of an apply in the comparison. Without `namespace`, the context's namespace is `default`. */
export type Flags = Omit<Partial<ApplyOptions>, 'namespace'> & {
  /** The value of `-n`. */
  readonly namespace?: string;
};

/** An apply of a manifest. */
export interface ApplyStep {
  readonly title: string;
  /** YAML or JSON. */
  readonly manifest: string;
  readonly flags?: Flags;
}

/** A write by another user. */
export interface OtherStep {
  readonly title: string;
  /** The object: `apps/v1 Deployment default/web`, or `v1 Namespace shop` for a cluster-scoped one. */
  readonly object: string;
  /** Its change: `create` with an object, a patch, or a function of the stored object. */
  readonly does:
    | { readonly create: object }
    | { readonly patch: Patch }
    | { readonly update: (stored: object) => object };
}

export type Step = ApplyStep | OtherStep;

/** One row of the comparison: a manifest and its course in a new cluster. */
export interface ApplyRow {
  /** The name of its golden file. */
  readonly name: string;
  /** A manifest that exists before the first step. It defines kinds. @defaultValue none */
  readonly needs?: string;
  readonly steps: readonly Step[];
  /** The longest text in its golden file, in characters. @defaultValue no limit */
  readonly longest?: number;
}

/** Whether a step is an apply, rather than a write by another user. */
export const isApply = (step: Step): step is ApplyStep => 'manifest' in step;

/** A replacement of a text that occurs once. */
export type Edit = readonly [from: string, to: string];

/** Returns the text with all edits. @throws Error for a text that does not occur exactly once */
export function edited(text: string, edits: readonly Edit[]): string {
  return edits.reduce((all, [from, to]) => {
    if (all.split(from).length !== 2)
      throw new Error(`Failed to edit: ${JSON.stringify(from)} occurs not once.`);
    return all.replace(from, () => to);
  }, text);
}

interface Course {
  /** Changes a field. */
  readonly change: readonly Edit[];
  /** Removes a field of the changed manifest. */
  readonly remove: readonly Edit[];
  /** Changes by another user, before the last apply. */
  readonly others: readonly Omit<OtherStep, 'title'>[];
}

/** Returns the usual five applies: the first, no change, a changed field, a removed field, another user in between. */
export function fiveApplies(first: string, { change, remove, others }: Course): readonly Step[] {
  const changed = edited(first, change);
  const removed = edited(changed, remove);
  return [
    { title: 'first', manifest: first },
    { title: 'no change', manifest: first },
    { title: 'a field changed', manifest: changed },
    { title: 'a field removed', manifest: removed },
    ...others.map((other) => ({ title: 'by another', ...other })),
    { title: 'after another', manifest: removed },
  ];
}

/** Returns a row with the five applies of a manifest. */
export function row(
  name: string,
  first: string,
  { needs, ...course }: Course & Pick<ApplyRow, 'needs'>,
): ApplyRow {
  return {
    name,
    ...(needs !== undefined && { needs }),
    steps: fiveApplies(first, course),
  };
}

/** Returns a merge patch by another user. */
export function other(object: string, body: object): Omit<OtherStep, 'title'> {
  return { object, does: { patch: { type: 'merge', body } } };
}

/** Returns a strategic merge patch by another user. */
export function otherStrategic(object: string, body: object): Omit<OtherStep, 'title'> {
  return { object, does: { patch: { type: 'strategic', body } } };
}
