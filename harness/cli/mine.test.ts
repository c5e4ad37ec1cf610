import path from 'node:path';
import { describe, expect, test } from 'vitest';
import type { Components } from '../contracts/index.ts';
import { root } from '../workbook/sources.ts';
import { hashOfKata, writeVerdict } from '../workbook/verdict.ts';
import { plain } from './colours.ts';
import { exitCodeOf } from './failure.ts';
import { mine } from './mine.ts';
import { Screen } from './screen.fixture.ts';
import { start } from './start-command.ts';
import { SmallWorkbook } from './workbook.fixture.ts';

const { components } = (await import('#components')) as { readonly components: Components };
const INFORMER = 'katas/21-informer/informer.ts';
const solution = path.join(root, 'solutions/21-informer/informer.ts');
/** A stub with two unwritten functions. */
const UNWRITTEN = ['DeltaFIFO', 'createInformer']
  .map((name) => `export const ${name} = () => todo('21-informer', '${name}', 'Level 6');\n`)
  .join('');
const contracts = path.join(root, 'harness/contracts/todo.ts');

/** Types `npm start -- --mine …` in a workbook whose kata 21 has this stub. */
async function started(stub: string, ...words: readonly string[]) {
  using workbook = new SmallWorkbook();
  workbook.write('katas/21-informer/informer.ts', stub);
  workbook.write('katas/21-informer/informer.test.ts', '');
  workbook.write('a.yaml', '{apiVersion: v1, kind: ConfigMap, metadata: {name: a}}');
  const screen = new Screen();
  const options = {
    root: workbook.root,
    cwd: workbook.root,
    width: 200,
    components,
    terminal: screen,
    paint: plain,
  };
  const code = await exitCodeOf(() => start(['--mine', ...words], options), screen);
  return { code, out: screen.out.join('\n'), err: screen.err.join('\n') };
}

describe('npm start -- --mine', () => {
  test("runs the learner's components, and lists them", async () => {
    const { code, out, err } = await started(`export { createInformer } from '${solution}';`, 'a.yaml');
    expect({ code, err }).toEqual({ code: 0, err: '' });
    expect(out).toContain('\nYour components: informer. Everything else is the reference implementation.\n');
    expect(out).toContain('201 Created');
  });

  test('runs the reference for a kata that is not started', async () => {
    const { code, out } = await started(UNWRITTEN, 'a.yaml');
    expect(code).toBe(0);
    expect(out).toMatch(/^\nNo component is yours yet: all of them are the reference implementation\.\n\n/);
  });

  test.each([
    [
      "export const createInformer = () => { throw new Error('no luck'); };",
      /^Failed to run your cluster: .*no luck\. Your components: informer\. /,
    ],
    [
      `import { todo as later } from '${contracts}';\nexport const createInformer = () => later('21-informer', 'Indexer.add', 'Level 1');`,
      /^Failed to run your cluster: it calls Indexer\.add, which is not written yet\. Read "Level 1" in katas\/21-informer\/README\.md\.$/,
    ],
    ['export const createInformer = (;', /^Failed to load katas\/21-informer\/informer\.ts: /],
  ])('reports in a sentence why it cannot run: %s', async (stub, why) => {
    for (const words of [['a.yaml'], ['--life']]) {
      const { code, err } = await started(stub, ...words);
      expect(code).toBe(1);
      expect(err).toMatch(why);
      expect(err).not.toMatch(/^\s+at /m);
    }
  });
});

describe('A reload', () => {
  test('keeps the components of a file that an editor has emptied and not written yet', async () => {
    using workbook = new SmallWorkbook();
    workbook.write(INFORMER, `export { createInformer } from '${solution}';`);
    workbook.write('katas/21-informer/informer.test.ts', '');
    const own = await mine({ root: workbook.root, reference: {} });
    const { informer } = own.components;
    expect(informer).toBeDefined();
    workbook.write(INFORMER, '');
    await expect(own.reload(INFORMER)).rejects.toThrow('it does not export createInformer');
    expect(own.components.informer).toBe(informer);
  });
});

/** How the learner left the stub of kata 21: its text, and how many laws passed, failed and did not finish in the last run. */
interface Left {
  readonly stub: string;
  readonly laws?: readonly [passed: number, failed: number, undecided?: number];
  /** Whether the stub has changed since. */
  readonly changed?: boolean;
}

/** The components of a learner who left kata 21 like this. */
async function leftAt({ stub, laws, changed = false }: Left) {
  using workbook = new SmallWorkbook();
  const { root } = workbook;
  workbook.write(INFORMER, UNWRITTEN);
  workbook.write('katas/21-informer/informer.test.ts', '');
  workbook.commit();
  workbook.write(INFORMER, stub);
  if (laws) {
    const [passed, failed, undecided = 0] = laws;
    const group = { name: 'The laws', optional: false, passed, failed, undecided, notRun: 0, todo: 0 };
    writeVerdict(root, '21-informer', { levels: [], laws: [group], at: hashOfKata(root, '21-informer') });
  }
  if (changed) workbook.write(INFORMER, `${stub}// Better.\n`);
  const { yours, remarks } = await mine({ root, reference: {} });
  return { yours, remarks };
}

describe("A learner's component", () => {
  const half = UNWRITTEN.replace(/.*DeltaFIFO.*/, 'export const DeltaFIFO = () => 1;');
  const whole = 'export const createInformer = () => 1;\n';
  const run = 'Run npx vitest katas/21-informer.';

  test.each([
    ['has no todo left', { stub: whole }],
    ['passes its laws although a todo is left', { stub: half, laws: [2, 0] }],
    ['has an undecided law, but no failing one', { stub: half, laws: [0, 0, 1] }],
  ] satisfies [string, Left][])('runs if it %s', async (_, left) => {
    expect(await leftAt(left)).toEqual({ yours: ['informer'], remarks: [] });
  });

  test('runs although its laws fail, with a remark, if no todo is left', async () => {
    const remark = `informer: yours, although 1 of its 3 laws fails. ${run}`;
    expect(await leftAt({ stub: whole, laws: [2, 1] })).toEqual({ yours: ['informer'], remarks: [remark] });
  });

  test.each([
    ['its tests have not run yet', { stub: half }],
    ['2 of its 3 laws fail', { stub: half, laws: [1, 2] }],
    [
      '2 of its 3 laws fail, as of the run before its last change',
      { stub: half, laws: [1, 2], changed: true },
    ],
    ['it has changed since its laws passed', { stub: half, laws: [3, 0], changed: true }],
  ] satisfies [string, Left][])("is the reference's, with the reason: %s", async (why, left) => {
    const remark = `informer: the reference's, because ${why}. ${run}`;
    expect(await leftAt(left)).toEqual({ yours: [], remarks: [remark] });
  });
});
