import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { freeWayStart, levelsNotTaken, optionalLevels, reachesTodo, takesFreeWay } from './free-way.ts';
import { listKatas } from './katas.ts';
import { root } from './sources.ts';

describe('A freestyle solution', () => {
  const stub = `
function helper(): number {
  return todo(KATA, 'helper', 'Level 1');
}

class Queue {
  pop(): string {
    return todo(KATA, 'Queue.pop', 'Level 2');
  }
}
`;
  const taken = (component: string) => !reachesTodo(`${stub}${component}`, ['component']);

  test('is recognized if the component uses no function that is still todo', () => {
    expect(taken('export const component = () => 1;')).toBe(true);
    expect(taken('const own = () => 1;\nexport async function component() {\n  return own();\n}')).toBe(true);
  });

  test('is not recognized if the component is todo, or uses a todo indirectly', () => {
    expect(taken("export const component = () => todo(KATA, 'component', 'Level 3');")).toBe(false);
    expect(taken('export const component = () => helper();')).toBe(false);
    expect(taken('const own = () => new Queue();\nexport const component = () => own();')).toBe(false);
  });

  test('may be circular', () => {
    expect(taken('const own = () => component();\nexport const component = () => own();')).toBe(true);
  });
});

const katas = listKatas(root).filter(({ folder, noun }) =>
  readFileSync(path.join(folder, `${noun}.ts`), 'utf8').includes('todo('),
);

describe.each(katas)('The stub of $id', ({ folder }) => {
  test('is not a freestyle solution', () => {
    expect(takesFreeWay(folder)).toBe(false);
    expect(levelsNotTaken(folder)).toEqual([]);
  });

  test('names the functions to write first', () => expect(freeWayStart(folder)).not.toEqual([]));
});

test('A folder without laws has no freestyle solution', () => expect(takesFreeWay(root)).toBe(false));

describe('With levels in separate files', () => {
  const folder = mkdtempSync(path.join(tmpdir(), 'free-way-'));
  afterAll(() => rmSync(folder, { recursive: true }));
  const write = (name: string, text: string) => writeFileSync(path.join(folder, name), text);
  const importing = (...names: readonly string[]) =>
    `import { ${names.join(', ')} } from '#kata/01-queue/queue';\n`;
  mkdirSync(path.join(folder, 'levels'));
  write('queue.properties.test.ts', importing('run'));
  write(
    'queue.test.ts',
    "import './levels/1.test.ts';\nimport './levels/2.test.ts';\nimport './levels/3.test.ts';\n",
  );
  write(
    'levels/one.fixture.ts',
    `${importing('Queue')}\nexport function queue() {\n  return new Queue();\n}\n`,
  );
  write(
    'levels/1.test.ts',
    "import { queue } from './one.fixture.ts';\n\ndescribe('Level 1 · Line', () => queue());\n",
  );
  write('levels/2.test.ts', `${importing('run')}\ndescribe('Level 2 · Run', () => run());\n`);
  write('levels/3.test.ts', `${importing('drain')}\ndescribe('Level 3 ★ · Drain', () => drain());\n`);
  const stub = (queue: string, drain: string, run: string) =>
    write(
      'queue.ts',
      `export class Queue {\n  pop() {\n    ${queue};\n  }\n}\n\nexport const drain = () => ${drain};\n\nexport const run = () => ${run};\n`,
    );

  test('levels are skipped if they need a todo, even through fixtures', () => {
    stub('todo()', 'todo()', '1');
    expect(levelsNotTaken(folder)).toEqual(['Level 1 · Line', 'Level 3 ★ · Drain']);
    expect(freeWayStart(folder)).toEqual([]);
  });

  test('no level is skipped while the laws need a todo, or if only optional levels do', () => {
    stub('todo()', 'todo()', 'new Queue()');
    expect(levelsNotTaken(folder)).toEqual([]);
    expect(freeWayStart(folder)).toEqual(['run']);
    stub('1', 'todo()', 'new Queue()');
    expect(levelsNotTaken(folder)).toEqual([]);
  });

  test('a local name is not confused with a function of the stub', () => {
    stub('todo()', 'todo()', '((drain: number) => drain)(1)');
    expect(freeWayStart(folder)).toEqual([]);
    write('own.ts', 'export const own = () => { const drain = () => 1; return drain(); };\n');
    stub('todo()', 'todo()', 'own()');
    const written = readFileSync(path.join(folder, 'queue.ts'), 'utf8');
    write('queue.ts', `import { own } from './own.ts';\n${written}`);
    expect(freeWayStart(folder)).toEqual([]);
    expect(levelsNotTaken(folder)).toContain('Level 1 · Line');
  });

  test('a class that extends an imported class is not used just because it exists', () => {
    write(
      'queue.ts',
      "import { base } from '#harness';\n\nexport class Queue extends base.Queue {\n  pop() {\n    todo();\n  }\n}\n\nexport const drain = () => todo();\n\n" +
        'export const run = () => ((drain: number) => drain)(1);\n',
    );
    expect(freeWayStart(folder)).toEqual([]);
    write(
      'queue.ts',
      readFileSync(path.join(folder, 'queue.ts'), 'utf8').replace('((drain', 'new Queue().pop() + ((drain'),
    );
    expect(freeWayStart(folder)).toEqual(['run']);
  });

  test('levels are skipped if they need a removed function, or one without an export', () => {
    write('queue.ts', 'class Queue {}\n\nexport const drain = () => 1;\n\nexport const run = () => 1;\n');
    expect(levelsNotTaken(folder)).toEqual(['Level 1 · Line']);
    write('queue.ts', 'const drain = () => 1;\nconst run = () => 1;\nexport { run, drain as empty };\n');
    expect(levelsNotTaken(folder)).toEqual(['Level 1 · Line', 'Level 3 ★ · Drain']);
    stub('1', '1', '1');
    expect(levelsNotTaken(folder)).toEqual([]);
  });

  test('optional levels are written, todo, or removed', () => {
    stub('1', "todo(KATA, 'drain', 'Level 3')", '1');
    expect(optionalLevels(folder)).toEqual({ all: ['Level 3'], todo: ['Level 3'], removed: [] });
    stub('1', '1', '1');
    expect(optionalLevels(folder)).toEqual({ all: ['Level 3'], todo: [], removed: [] });
    write('queue.ts', 'export const run = () => 1;\n');
    expect(optionalLevels(folder)).toEqual({ all: ['Level 3'], todo: [], removed: ['Level 3'] });
  });

  test('optional functions can stay unwritten, even if the laws reach them', () => {
    const left = "todo(KATA, 'drain', 'Level 3')";
    stub('todo()', left, 'drain()');
    expect(freeWayStart(folder)).toEqual([]);
    expect(levelsNotTaken(folder)).toEqual(['Level 1 · Line', 'Level 3 ★ · Drain']);
    stub('1', left, 'drain(new Queue())');
    expect(levelsNotTaken(folder)).toEqual([]);
  });
});
