import { describe, expect, test } from 'vitest';
import { backtracks } from './backtracking.ts';
import { isTest, listSources } from './sources.ts';

describe('backtracks', () => {
  test.each([
    ...[/^\d+\.?\d*$/, /\d+\s*([a-z]+)/, /\s+$/, /^(?:a|a)*$/, /^(?:a+)+$/, /^(.+?)\['(.*)'\]$/s],
    ...[/^(?:a|ab|b)*$/, /\((.*)\)$/, /^a*(?:b?a)*$/, /x*y/],
  ])('is true of %s', (pattern) => {
    expect(backtracks(pattern)).toBe(true);
  });

  test.each([
    ...[/^\d+(?:\.\d*)?$/, /\d+|\s+|[a-z]+/g, /^0+/, /[\s-]+/g, /[^/]\/*$/, /^[a-z](?:[-a-z]*[a-z])?$/],
    ...[/^(?:[a-z]{4})*(?:[a-z]{2}==|[a-z]{3}=)$/, /^"(?:[^"\\]|\\.)*"$/, /^(\w+):\1$/, /^a{1,3}a?$/],
  ])('is false of %s', (pattern) => {
    expect(backtracks(pattern)).toBe(false);
  });
});

/** The folders whose patterns read what a client sends. The table of the API reads only itself. */
const FOLDERS = ['api', 'apiserver', 'client', 'contracts', 'kubelet', 'mount'];
const OWN_INPUT = 'harness/api/table/';

/** Patterns that take linear time although their form alone does not show it. */
const KNOWN: ReadonlyMap<string, string> = new Map(
  (
    [
      [/[.[\]]|'(?:[^'\\]|\\.)*'|[^.[\]]+/g, 'a second quote ends the first string'],
      [/"(?:[^"\\]|\\.)*"|[{}[\]]/gs, 'reads valid JSON, in which each string ends'],
      [/"(?:[^"\\]|\\.)*"|[{}[\],]/gs, 'reads valid JSON, in which each string ends'],
      [/^([^!<>=]+)([!<>=]+)(.+?)$/s, 'the last part accepts every rest'],
      [/[a-z]+\/(?=\w+\.)/g, 'reads names of Go types'],
      [/\$(?:\$|\(([^)]*)\))/g, 'reads a text that ends with a closing parenthesis'],
      [/[-.]+$/, 'reads 63 characters'],
      [/:(?!latest$)[^/]+$|@/, 'reads the files of a node'],
    ] as const
  ).map(([pattern, why]) => [String(pattern), why]),
);

const LITERAL =
  /(?<=[(\s=[:,!])\/(?![*/ ])(?:\\.|\[(?:\\.|[^\]\\\n])*\]|[^/\\\n[])+\/[dgimsuvy]*(?=[\s).,;\]])/g;

describe('The patterns that read requests', () => {
  const found = FOLDERS.flatMap((folder) => listSources(`harness/${folder}`, '.ts'))
    .filter((source) => !isTest(source) && !source.file.startsWith(OWN_INPUT))
    .flatMap(({ file, text }) =>
      [...text.replace(/^\s*(?:\/\/|\/?\*).*$/gm, '').matchAll(LITERAL)].map(([literal]) => ({
        file: file.replace('harness/', ''),
        literal,
      })),
    );

  test('take linear time: no two loops of a pattern share their characters', () => {
    expect(found.length).toBeGreaterThan(100);
    const slow = found.filter(({ literal }) => {
      const end = literal.lastIndexOf('/');
      return backtracks(new RegExp(literal.slice(1, end), literal.slice(end + 1)));
    });
    expect(slow.filter(({ literal }) => !KNOWN.has(literal))).toEqual([]);
    const used = new Set(slow.map(({ literal }) => literal));
    expect([...KNOWN.keys()].filter((literal) => !used.has(literal))).toEqual([]);
  });
});
