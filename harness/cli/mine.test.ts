import path from 'node:path';
import { describe, expect, test } from 'vitest';
import type { Components } from '../contracts/index.ts';
import { root } from '../workbook/sources.ts';
import { plain } from './colours.ts';
import { exitCodeOf } from './failure.ts';
import { Screen } from './screen.fixture.ts';
import { start } from './start-command.ts';
import { SmallWorkbook } from './workbook.fixture.ts';

const { components } = (await import('#components')) as { readonly components: Components };
const solution = path.join(root, 'solutions/21-informer/informer.ts');
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
  test("runs the learner's components, and says whose each is", async () => {
    const { code, out, err } = await started(`export { createInformer } from '${solution}';`, 'a.yaml');
    expect({ code, err }).toEqual({ code: 0, err: '' });
    expect(out).toContain("Whose each part is: informer: yours, workQueue: the reference's, ");
    expect(out).toContain('201 Created');
  });

  test('takes the reference for what is not written', async () => {
    const stub = "export const createInformer = () => todo('21-informer', 'createInformer', 'Level 6');";
    const { code, out } = await started(stub, 'a.yaml');
    expect(code).toBe(0);
    expect(out).toContain("informer: the reference's");
  });

  test.each([
    [
      "export const createInformer = () => { throw new Error('no luck'); };",
      /^Failed to run your cluster: .*no luck\. Yours are: informer\. /,
    ],
    [
      `import { todo as later } from '${contracts}';\nexport const createInformer = () => later('21-informer', 'Indexer.add', 'Level 1');`,
      /^Failed to run your cluster: it calls Indexer\.add, which is not written yet\. Read "Level 1" in katas\/21-informer\/README\.md\.$/,
    ],
    ['export const createInformer = (;', /^Failed to load katas\/21-informer\/informer\.ts: /],
  ])('says in a sentence what is wrong with it: %s', async (stub, why) => {
    for (const words of [['a.yaml'], ['--life']]) {
      const { code, err } = await started(stub, ...words);
      expect(code).toBe(1);
      expect(err).toMatch(why);
      expect(err).not.toMatch(/^\s+at /m);
    }
  });
});
