import type { TestState } from '../../workbook/verdict.ts';
import type { GroupReport, KataReport, Report } from './report.ts';

/**
 * Renders a report as JUnit XML, as GitLab, Jenkins and the actions of GitHub read it: a suite for each kata, a case for each test. A
 * group without the names of its tests is one case. A test that did not run is skipped. So is each test of a kata
 * whose code has changed since, because the results belong to earlier code. Each time is 0: verdicts record
 * none, and some readers need the attribute.
 */
export function junitOf({ at, katas }: Report): string {
  const suites = katas.map((kata) => suiteOf(kata, at));
  const all = suites.flatMap(({ cases }) => cases);
  return [
    '<?xml version="1.0" encoding="UTF-8"?>',
    `<testsuites name="kubernetes-katas" ${counts(all)}>`,
    ...suites.flatMap(({ open, cases }) => [open, ...cases.map(({ xml }) => xml), '  </testsuite>']),
    '</testsuites>',
    '',
  ].join('\n');
}

/** One test, as XML. */
interface Case {
  readonly state: TestState;
  readonly xml: string;
}

function suiteOf(kata: KataReport, at: string): { readonly open: string; readonly cases: readonly Case[] } {
  const cases = [...kata.levels, ...kata.laws].flatMap((group) => casesOf(kata, group));
  const time = (kata.ranAt ?? at).replace(/\.\d+Z$/, '');
  return {
    open: `  <testsuite name="${escaped(kata.id)}" ${counts(cases)} timestamp="${escaped(time)}">`,
    cases,
  };
}

function casesOf({ id, stale }: KataReport, { name, state, tests }: GroupReport): readonly Case[] {
  const named = tests.length > 0 ? tests : [{ name, state }];
  return named.map((test) => {
    const shown = stale ? 'notRun' : test.state;
    const why = stale ? 'the code has changed since its last run' : WHY[test.state];
    const head = `    <testcase classname="${escaped(`${id}.${name}`)}" name="${escaped(test.name)}" time="0"`;
    const element = ELEMENT[shown];
    return {
      state: shown,
      xml: element === undefined ? `${head}/>` : `${head}><${element} message="${escaped(why)}"/></testcase>`,
    };
  });
}

const ELEMENT: Readonly<Record<TestState, string | undefined>> = {
  passed: undefined,
  failed: 'failure',
  undecided: 'error',
  notRun: 'skipped',
};

const WHY: Readonly<Record<TestState, string>> = {
  passed: '',
  failed: 'failed in the last run',
  undecided: 'used up its CPU time before it found a failure',
  notRun: 'did not run',
};

function counts(cases: readonly Case[]): string {
  const count = (wanted: TestState): number => cases.filter(({ state }) => state === wanted).length;
  return `tests="${cases.length}" failures="${count('failed')}" errors="${count('undecided')}" skipped="${count('notRun')}"`;
}

const ENTITIES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&apos;',
  '\t': '&#9;',
  '\n': '&#10;',
  '\r': '&#13;',
};

/** Escapes a text for an attribute. XML 1.0 cannot hold other control characters and lone surrogates. */
function escaped(text: string): string {
  return text
    .replace(/[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\u{10000}-\u{10ffff}]/gu, '\ufffd')
    .replace(/[&<>"'\t\n\r]/g, (char) => ENTITIES[char] ?? char);
}
