import type { Output } from './kubectl.ts';
import type { Expectation, Step } from './script.ts';

/** Returns the failed assertions about a command's output, as one text; undefined if all hold. */
export function objection(step: Step, output: Output): string | undefined {
  const wrong = objections(step, output);
  if (wrong.length === 0) return undefined;
  const { code, out, err } = output;
  return [
    `$ ${step.command}`,
    ...wrong.map((one) => `  expected ${one}`),
    `  exit code ${code}`,
    `  stdout: ${shown(out)}`,
    `  stderr: ${shown(err)}`,
  ].join('\n');
}

function objections({ code = 0, is, out, err, without }: Expectation, output: Output): readonly string[] {
  const ended = code === 'fails' ? output.code !== 0 : output.code === code;
  const both = output.out + output.err;
  return [
    ...(ended ? [] : [code === 'fails' ? 'that it fails' : `exit code ${code}`]),
    ...(is === undefined || output.out.trim() === is.trim() ? [] : [`stdout to be ${JSON.stringify(is)}`]),
    ...missing(out, output.out).map((text) => `in stdout ${text}`),
    ...missing(err, output.err).map((text) => `in stderr ${text}`),
    ...list(without)
      .filter((text) => both.includes(text))
      .map((text) => `nowhere ${JSON.stringify(text)}`),
  ];
}

function missing(wanted: Expectation['out'], text: string): readonly string[] {
  return list<string | RegExp>(wanted)
    .filter((one) => (typeof one === 'string' ? !text.includes(one) : !one.test(text)))
    .map((one) => (typeof one === 'string' ? JSON.stringify(one) : `${one}`));
}

function list<T extends string | RegExp>(value: T | readonly T[] | undefined): readonly T[] {
  if (value === undefined) return [];
  return typeof value === 'string' || value instanceof RegExp ? [value as T] : (value as readonly T[]);
}

/** Enough to see the failure. */
const SHOWN_MAX = 2_000;

function shown(text: string): string {
  return text.length > SHOWN_MAX ? `${text.slice(0, SHOWN_MAX)}…` : text;
}
