import { describe, expect, test } from 'vitest';
import { group } from '../../workbook/verdict.fixture.ts';
import { hashOfKata, writeVerdict } from '../../workbook/verdict.ts';
import { plain } from '../colours.ts';
import { exitCodeOf } from '../failure.ts';
import { failureOf, Screen } from '../screen.fixture.ts';
import { Stops } from '../stops.ts';
import { HALF, ORIGINAL, SmallWorkbook, STUB, WHOLE } from '../workbook.fixture.ts';
import { junitOf } from './junit.ts';
import { kataReport, lawsReport, reportWith } from './report.fixture.ts';
import { reportOf } from './report.ts';
import { runReport } from './report-command.ts';
import { reportOptions } from './report-options.ts';

const LAWS = `
import { helper } from './helper';
import './end-to-end/crashes.test.ts';

describe('The laws of a counter', () => {
  test('Exact: it\\'s never one too many', () => {});
  // test('Old: no more', () => {});
  test(
    "Never lost: a sum has each number",
    () => {},
  );
});

describe('★ The law of a drain', () => {
  test('Drains: nothing is left', () => {});
});
`;

/** A workbook whose learner has passed Level 1, and has run its laws with these states. */
function afterRun(...states: readonly ('passed' | 'failed' | 'undecided' | 'notRun')[]): SmallWorkbook {
  const workbook = new SmallWorkbook();
  workbook.write(STUB, WHOLE);
  workbook.write('katas/21-counter/counter.properties.test.ts', LAWS);
  const count = (wanted: string): number => states.filter((state) => state === wanted).length;
  writeVerdict(workbook.root, '21-counter', {
    levels: [group('Level 1 · Add', { passed: 1, tests: [{ name: 'adds <1> & "2"', state: 'passed' }] })],
    laws: [
      group('The laws of a counter', {
        passed: count('passed'),
        failed: count('failed'),
        undecided: count('undecided'),
        notRun: count('notRun'),
        tests: states.map((state, index) => ({ name: `Law ${index}: it holds`, state })),
      }),
    ],
    at: hashOfKata(workbook.root, '21-counter'),
    changedMs: 1_000,
  });
  return workbook;
}

async function report(workbook: SmallWorkbook, ...words: readonly string[]) {
  const screen = new Screen();
  let code = 0;
  const failed = await exitCodeOf(async () => {
    code = await runReport(words, {
      root: workbook.root,
      cwd: workbook.root,
      terminal: screen,
      paint: plain,
      stops: new Stops(),
      nowMs: () => 60_000,
      size: () => undefined,
      write: (text) => screen.print(text),
    });
  }, screen);
  return { code: code || failed, out: screen.out.join('\n'), err: screen.err.join('\n') };
}

describe('A report', () => {
  test('has each level, and each law by its name, before the first run', () => {
    using workbook = new SmallWorkbook();
    workbook.write('katas/21-counter/counter.properties.test.ts', LAWS);
    const end = "describe('The laws of a counter', () => {\n  test('#1: an issue', () => {});\n});\n";
    workbook.write('katas/21-counter/end-to-end/crashes.test.ts', end);
    const { at, katas } = reportOf(workbook.root, 60_000);
    expect(at).toBe('1970-01-01T00:01:00.000Z');
    expect(katas).toMatchObject([
      {
        id: '21-counter',
        title: '21 · Counter',
        state: 'not begun',
        stale: false,
        functions: { left: 3, total: 3 },
      },
    ]);
    expect(katas[0]).not.toHaveProperty('ranAt');
    expect(katas[0]).not.toHaveProperty('touchedAt');
    expect(katas[0]?.levels.map(({ name, state }) => [name, state])).toEqual([
      ['Level 1 · Add', 'notRun'],
      ["Level 2 · The sum of it's parts", 'notRun'],
      ['Level 3 · Patience', 'notRun'],
    ]);
    const tests = katas[0]?.laws.map(({ name, optional, tests }) => [
      name,
      optional,
      tests.map((each) => each.name),
    ]);
    expect(tests).toEqual([
      [
        'The laws of a counter',
        false,
        ["Exact: it's never one too many", 'Never lost: a sum has each number', '#1: an issue'],
      ],
      ['★ The law of a drain', true, ['Drains: nothing is left']],
    ]);
  });

  test('has the state of each law as of the last run', () => {
    using workbook = afterRun('passed', 'failed', 'undecided', 'notRun');
    const [kata] = reportOf(workbook.root, 60_000).katas;
    expect(kata).toMatchObject({
      state: 'failing',
      place: 'the laws',
      stale: false,
      changedAt: '1970-01-01T00:00:01.000Z',
    });
    expect(kata?.laws).toMatchObject([{ state: 'failed', passed: 1, failed: 1, undecided: 1, notRun: 1 }]);
    expect(kata?.laws[0]?.tests.map(({ state }) => state)).toEqual([
      'passed',
      'failed',
      'undecided',
      'notRun',
    ]);
  });

  test.each([
    ['failed', ['passed', 'failed', 'undecided']],
    ['undecided', ['passed', 'undecided', 'notRun']],
    ['notRun', ['passed', 'notRun']],
    ['passed', ['passed', 'passed']],
  ] as const)('has a group that is %s', (state, states) => {
    using workbook = afterRun(...states);
    expect(reportOf(workbook.root, 0).katas[0]?.laws[0]?.state).toBe(state);
  });

  test('shows that the code has changed since its last run', () => {
    using workbook = afterRun('passed');
    workbook.write(STUB, HALF);
    expect(reportOf(workbook.root, 0).katas[0]).toMatchObject({ state: 'done', stale: true });
  });

  test('has no result of a kata after a reset', () => {
    using workbook = afterRun('passed');
    workbook.write(STUB, ORIGINAL);
    const [kata] = reportOf(workbook.root, 0).katas;
    expect(kata).toMatchObject({
      state: 'not begun',
      stale: false,
      laws: [{ state: 'notRun', passed: 0, notRun: 2 }, {}],
    });
    expect(kata).not.toHaveProperty('ranAt');
  });

  test('reads the results of an older edition, which have no names', () => {
    using workbook = new SmallWorkbook();
    const laws = [group('The laws', { passed: 2, failed: 1 })];
    writeVerdict(workbook.root, '21-counter', {
      levels: [],
      laws,
      at: hashOfKata(workbook.root, '21-counter'),
    });
    const report = reportOf(workbook.root, 0);
    expect(report.katas[0]?.laws).toMatchObject([
      { state: 'failed', passed: 2, failed: 1, undecided: 0, tests: [] },
    ]);
    expect(junitOf(report)).toContain('name="The laws" time="0"><failure');
  });
});

describe('kata report', () => {
  test('prints JSON of a stable shape', async () => {
    using workbook = afterRun('passed');
    const { code, out } = await report(workbook);
    expect(code).toBe(0);
    expect(JSON.parse(out)).toEqual(reportOf(workbook.root, 60_000));
    expect(JSON.parse(out).version).toBe(1);
  });

  test('writes JUnit XML into a file', async () => {
    using workbook = afterRun('passed', 'failed', 'undecided', 'notRun');
    expect(await report(workbook, '--format', 'junit', '--out', 'results/report.xml')).toEqual({
      code: 0,
      out: '',
      err: '',
    });
    const xml = workbook.read('results/report.xml').replace(/timestamp="[^"]*"/, 'timestamp="…"');
    expect(xml).toBe(`<?xml version="1.0" encoding="UTF-8"?>
<testsuites name="kubernetes-katas" tests="5" failures="1" errors="1" skipped="1">
  <testsuite name="21-counter" tests="5" failures="1" errors="1" skipped="1" timestamp="…">
    <testcase classname="21-counter.Level 1 · Add" name="adds &lt;1&gt; &amp; &quot;2&quot;" time="0"/>
    <testcase classname="21-counter.The laws of a counter" name="Law 0: it holds" time="0"/>
    <testcase classname="21-counter.The laws of a counter" name="Law 1: it holds" time="0"><failure message="failed in the last run"/></testcase>
    <testcase classname="21-counter.The laws of a counter" name="Law 2: it holds" time="0"><error message="used up its CPU time before it found a failure"/></testcase>
    <testcase classname="21-counter.The laws of a counter" name="Law 3: it holds" time="0"><skipped message="did not run"/></testcase>
  </testsuite>
</testsuites>
`);
  });

  test('counts no result of earlier code in JUnit XML', async () => {
    using workbook = afterRun('passed', 'failed');
    workbook.write(STUB, HALF);
    const { out } = await report(workbook, '--format', 'junit');
    expect(out).toContain('tests="3" failures="0" errors="0" skipped="3"');
    expect(out).toContain('<skipped message="the code has changed since its last run"/>');
  });

  test('escapes every character that XML cannot hold', () => {
    const odd = `<a b='c' d="e">&\u0000\u001b[31m\ud800\ufffe\n]]>😀`;
    const laws = [{ ...lawsReport(1, 0), tests: [{ name: odd, state: 'passed' as const }] }];
    const xml = junitOf(reportWith([kataReport({ laws })]));
    expect(xml).toContain(
      'name="&lt;a b=&apos;c&apos; d=&quot;e&quot;&gt;&amp;\ufffd\ufffd[31m\ufffd\ufffd&#10;]]&gt;😀"',
    );
  });

  test('exits with 1 unless every required kata has passed', async () => {
    using workbook = afterRun('passed');
    expect(await report(workbook, '--require', '21')).toEqual({ code: 0, out: '21-counter: done.', err: '' });
    workbook.write(STUB, HALF);
    expect(await report(workbook, '--require', '21')).toEqual({
      code: 1,
      out: '',
      err: '21-counter has changed since its last run (done, without ★). Run npx vitest run katas/21-counter first.',
    });
    using failing = afterRun('passed', 'failed');
    const { code, out, err } = await report(failing, '--require', 'counter', '--format', 'json');
    expect({ code, err }).toEqual({ code: 1, err: '21-counter is not done: levels pass, 1 of 2 laws hold.' });
    expect(JSON.parse(out)).toMatchObject({ version: 1 });
    expect((await report(failing, '--require', '99')).err).toMatch(/^Failed to find kata 99/);
  });

  test.each([
    [['--format', 'xml'], '--format takes json or junit, not "xml"'],
    [['21'], '"21" is not an option; folders need --room'],
    [['--port', '1'], '--port needs --room'],
    [['--room', '--port', '99999'], '--port takes a whole number from 0 to 65535, not "99999"'],
    [['--room', '--require', '23'], '--require needs a report that is printed, without --to and --room'],
    [['--watch'], '--watch needs --to with the address of a room'],
    [
      ['--to', 'http://a b'],
      '--to takes the address that the room shows, such as http://leader:8600, not "http://a b"',
    ],
    [['--colour'], "unknown option '--colour'"],
  ])('rejects %j with the reason and its usage', (words, why) => {
    const message = failureOf(() => reportOptions(words));
    expect(message).toContain(`Failed to report: ${why}. You can type:`);
    expect(message).toContain('npm run kata -- report --format junit ');
  });

  test.each([
    [['--room', 'nowhere'], 'it has no folder katas'],
    [['--out', 'katas'], 'Failed to write katas: EISDIR'],
  ])('fails with a sentence for %j', async (words, why) => {
    using workbook = new SmallWorkbook();
    const { code, out, err } = await report(workbook, ...words);
    expect({ code, out }).toEqual({ code: 1, out: '' });
    expect(err).toContain(why);
  });

  test('understands an address without a scheme', () => {
    expect(reportOptions(['--to', 'leader:8600', '--name', 'ada'])).toMatchObject({
      kind: 'send',
      to: new URL('http://leader:8600/'),
      name: 'ada',
      watch: false,
    });
  });

  test('prints its usage', async () => {
    using workbook = new SmallWorkbook();
    expect((await report(workbook, '--help')).out).toContain('npm run kata -- report --require 23 ');
  });
});
