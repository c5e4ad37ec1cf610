import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { declarationsIn, membersOf } from './declarations.ts';
import { giveRest, type Own, only } from './given.ts';
import { type Kata, readReference } from './katas.ts';
import { withoutComments } from './sources.ts';

/** The short way into a kata: its page, `SHORT.md`, says which functions the learner writes. */
export interface ShortWay {
  /** The functions of the table under "You write", in its order: `manageReplicas`, `Store.reserve`, or a class: `Expectations`. */
  readonly functions: readonly string[];
  /** The law under "The law", which a first draft breaks: `Never too many`. */
  readonly law: string;
  /** The number of words of the page, without its blocks of code. */
  readonly words: number;
  /** The number of its figures: blocks of code that are marked `text`. */
  readonly figures: number;
}

/** Reads the short way of a kata; undefined if it has no `SHORT.md`. */
export function shortWayOf({ folder }: Pick<Kata, 'folder'>): ShortWay | undefined {
  const file = path.join(folder, 'SHORT.md');
  if (!existsSync(file)) return undefined;
  const page = readFileSync(file, 'utf8').replaceAll('\r\n', '\n');
  const [, table = ''] = /^\|.*\n\|[-| ]+\n((?:\|.*\n)+)/m.exec(sectionOf(page, 'You write')) ?? [];
  const rows = table.matchAll(/^\| *((?:`[\w.]+`(?:, )?)+) *\|/gm);
  const functions = [...rows].flatMap(([, cell = '']) =>
    [...cell.matchAll(/`([\w.]+)`/g)].map(([, name = '']) => name),
  );
  const [, law = ''] = /\*\*(.+?)\*\*/.exec(sectionOf(page, 'The law')) ?? [];
  const prose = page.replace(/^```[\s\S]*?^```$/gm, '');
  return {
    functions,
    law,
    words: prose.split(/\s+/).filter((word) => /\w/.test(word)).length,
    figures: page.match(/^```text$/gm)?.length ?? 0,
  };
}

function sectionOf(page: string, heading: string): string {
  const [, body = ''] =
    new RegExp(`^## ${heading}\\n([\\s\\S]*?)(?=^## |$(?![\\s\\S]))`, 'm').exec(page) ?? [];
  return body;
}

/**
 * Returns the first draft of a short way: the functions in which a reader of `SHORT.md` goes wrong, with their helpers.
 * Undefined without a draft.
 */
export function readFirstDraft({ solution }: Pick<Kata, 'solution'>): FirstDraft | undefined {
  const file = path.join(solution, 'first-draft.ts');
  return existsSync(file) ? [file, readFileSync(file, 'utf8')] : undefined;
}

/**
 * Returns the number of lines that the reference has for the functions of a short way and for the helpers that only they
 * use, without comments and empty lines.
 */
export function linesOf(kata: Kata, { functions }: Pick<ShortWay, 'functions'>): number {
  const lines = (own: Own): number =>
    withoutComments(givenStub(kata, own))
      .split('\n')
      .filter((line) => line.trim() !== '' && !/\btodo\(/.test(line)).length;
  return lines(only([])) - lines(only(functions));
}

/** Returns the names of the reference's helpers that only the functions of a short way use: `between`, `Store.#put`. */
export function helpersOf(kata: Kata, { functions }: Pick<ShortWay, 'functions'>): readonly string[] {
  const names = (own: Own): readonly string[] =>
    declarationsIn(givenStub(kata, own)).flatMap((one) => [
      one.name,
      ...membersOf(one).map(({ name }) => `${one.name}.${name}`),
    ]);
  const given = new Set(names(only(functions)));
  return names(only([])).filter((name) => !given.has(name));
}

/** Returns a stub with the reference's code in all functions but the learner's own. */
export function givenStub(kata: Kata, own: Own): string {
  return giveRest({ stub: stubOf(kata), reference: readReference(kata), own }).text;
}

function stubOf({ folder, noun }: Kata): string {
  return readFileSync(path.join(folder, `${noun}.ts`), 'utf8');
}

/** A file's path and text. */
export type FirstDraft = readonly [file: string, text: string];

/** Returns a stub with the first draft in the functions of the short way, and the reference in the others. */
export function draftedStub(kata: Kata, draft: FirstDraft): string {
  const reference = new Map([draft, ...readReference(kata)]);
  return giveRest({ stub: stubOf(kata), reference, own: only([]) }).text;
}
