import { type ManifestLine, manifestLines, type PathStep } from './manifest-lines.ts';

/** A message of the server, at the line that it is about. */
export interface Problem {
  /** From 0. */
  readonly line: number;
  readonly message: string;
}

/** A field in a message: `spec.template.spec.containers[0].image`, `metadata.labels[a/b]`, or a quoted one. */
const FIELD = String.raw`[A-Za-z][\w-]*(?:\.[\w-]+|\[[^\]\s]+\])*`;

/**
 * Returns the errors in the output of an apply that name a field or a line of the manifest.
 *
 * @param text the manifest
 */
export function problemsIn(output: string, text: string): readonly Problem[] {
  const lines = manifestLines(text);
  return output.split('\n').flatMap((message, index, all) => {
    const [, named] = /\b(?:at )?line (\d+)\b/.exec(message) ?? [];
    if (named !== undefined) return [{ line: Number(named) - 1, message }];
    const subject = subjectOf(message) ?? subjectOf(all.slice(0, index).findLast(subjectOf) ?? '');
    return fieldsIn(message).flatMap(({ field, words }) => {
      const line = lineOf(stepsOf(field), subject, lines);
      return line === undefined ? [] : [{ line, message: words }];
    });
  });
}

/** The object of a message, as far as it names it. */
interface Subject {
  readonly kind: string;
  readonly name?: string;
}

function subjectOf(message: string): Subject | undefined {
  const [, kind, name] = /\bThe (\w+) "([^"]*)" is invalid/.exec(message) ?? [];
  if (kind !== undefined && name !== undefined) return { kind, name };
  const [, decoded] = /\b(\w+) in version "[^"]*" cannot be handled as an? /.exec(message) ?? [];
  return decoded === undefined ? undefined : { kind: decoded };
}

/** A field that a message names, and the part of the message about it. */
interface Named {
  readonly field: string;
  readonly words: string;
}

function fieldsIn(message: string): readonly Named[] {
  const unknown = [...message.matchAll(/(?:unknown|duplicate) field "([^"]+)"/g)];
  if (unknown.length > 0) return unknown.map(([words, field = '']) => ({ field, words }));
  const [words, wrongType] = /cannot unmarshal .* Go struct field \w+\.(\S+) of type.*/.exec(message) ?? [];
  if (words !== undefined && wrongType !== undefined) return [{ field: wrongType, words }];
  const [, invalid, field] = INVALID.exec(message) ?? [];
  return invalid === undefined || field === undefined ? [] : [{ field, words: invalid }];
}

/** The message of a rule for a field, alone or in a list: `* spec.replicas: Invalid value: -3: …`. */
const INVALID = new RegExp(
  `(?:^\\s*\\*\\s*|is invalid: )((${FIELD}): (?:Invalid|Required|Forbidden|Duplicate|Unsupported|Not found|Too|Internal) .*)`,
);

/** Returns the steps of a field: `a.b[0].c[d/e]` → a, b, 0, c, d/e. */
function stepsOf(field: string): readonly PathStep[] {
  return [...field.matchAll(/\[([^\]]+)\]|[^.[\]]+/g)].map(([whole, inner]) => {
    const step = inner ?? whole;
    return /^\d+$/.test(step) && inner !== undefined ? Number(step) : step;
  });
}

/** Returns the line of a field, or of the innermost object around it that the manifest has. */
function lineOf(
  steps: readonly PathStep[],
  subject: Subject | undefined,
  lines: readonly ManifestLine[],
): number | undefined {
  const fitting = lines.filter(({ document }) => !subject || isSubject(subject, document, lines));
  let best: { readonly line: number; readonly length: number } | undefined;
  for (const { line, path } of fitting.length > 0 ? fitting : lines) {
    const length = commonLength(path, steps);
    if (length > (best?.length ?? 0)) best = { line, length };
  }
  return best?.line;
}

function isSubject({ kind, name }: Subject, document: number, lines: readonly ManifestLine[]): boolean {
  const has = (field: string, value: string): boolean =>
    lines.some((one) => one.document === document && one.path.join('.') === field && one.value === value);
  return has('kind', kind) && (name === undefined || has('metadata.name', name));
}

/** Returns how many steps two paths have in common. An error in Go's words names no indexes of items. */
function commonLength(path: readonly PathStep[], steps: readonly PathStep[]): number {
  const own = steps.some((step) => typeof step === 'number')
    ? path
    : path.filter((step) => typeof step === 'string');
  const differs = steps.findIndex((step, index) => own[index] !== step);
  return differs < 0 ? steps.length : differs;
}
